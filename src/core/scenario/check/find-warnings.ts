/**
 * Warnings about a valid scenario: rules that never apply, names that it does not have, and limits that never refuse a call.
 *
 * A warning is never a guess: it holds for every call, those with the header x-mock-fault or an injected fault apart.
 */
import { didYouMean } from '../../lib/text/did-you-mean.ts'
import { toList } from '../../lib/text/json.ts'
import { ENDPOINT_NAMES, ENDPOINTS } from '../../protocol/request/endpoints.ts'
import { BUDGET_UNITS } from '../compile/budget.ts'
import { compileFault, compileSchedule, faultConditions } from '../compile/fault-settings.ts'
import { globsMeet, matchesGlob } from '../compile/glob.ts'
import { parseRate } from '../compile/limits.ts'
import type { FaultSource, ReplySource, ScenarioSource } from '../scenario-source.ts'
import { type Problem, pathText, shown } from './problem.ts'

type Path = Problem['path']
type Warn = (path: Path, message: string, isKey?: true) => void

/** The warnings of a valid scenario, in the order of the scenario's parts. */
export function findWarnings(source: ScenarioSource): Problem[] {
  const warnings: Problem[] = []
  const warn: Warn = (path, message, isKey) => warnings.push(isKey ? { path, message, isKey } : { path, message })
  findCoveredNames(source, warn)
  findDeadRules(source, warn)
  findDeadLimits(source, warn)
  return warnings
}

// A scenario may come over the network, so the number of comparisons is bounded. What is left is not reported.
const MAX_GLOBS = 100
const MAX_COMPARISONS = 100_000

/** Finds globs that an earlier glob covers. A star in the later one can only be matched by a star of the earlier one. */
function findCoveredNames(source: ScenarioSource, warn: Warn): void {
  for (const list of ['keys', 'models'] as const) {
    const names = Object.keys(source[list] ?? {})
    const globs = names.filter((name) => name.includes('*')).slice(0, MAX_GLOBS)
    for (const [index, name] of globs.entries()) {
      const wider = globs.slice(0, index).find((glob) => matchesGlob(glob, name))
      if (wider === undefined) continue
      const message = `never used: ${shown(wider)} comes first and matches every name that this entry matches. Move this entry up, or remove it.`
      warn([list, name], message, true)
    }
  }
}

/** A rule of `faults` or of `replies`. */
type Rule = ReplySource & Omit<FaultSource, 'fault' | 'when'>

/** Finds rules that apply to no call, and keys and models in their conditions that the scenario does not have. */
function findDeadRules({ keys, models, replies = [], faults = [], states = {} }: ScenarioSource, warn: Warn): void {
  const chatModels = Object.entries(models ?? {}).filter(([, model]) => ENDPOINTS[model.endpoint ?? 'chat'].hasMessages)
  const known = { key: keys && Object.keys(keys), model: models && chatModels.map(([name]) => name) }
  let comparisons = 0
  /** Warns of each name that the scenario does not have. Returns true if there is one. */
  const warnOfUnknown = (condition: keyof typeof known, { when = {} }: Rule, path: Path): boolean => {
    const [listed, wanted] = [known[condition], when[condition]]
    if (listed === undefined) return false
    const kind = condition === 'key' ? 'key' : 'chat model'
    let hasUnknown = false
    for (const [index, name] of toList(wanted).entries()) {
      comparisons += listed.length
      if (comparisons > MAX_COMPARISONS || listed.some((glob) => globsMeet(glob, name))) continue
      hasUnknown = true
      const message = `never holds: the scenario has no ${kind} ${shown(name)}.${didYouMean(name, listed)}`
      warn([...path, 'when', condition, ...(Array.isArray(wanted) ? [index] : [])], message)
    }
    return hasUnknown
  }
  const checkRules = (rules: readonly Rule[], list: Path, earlier: EarlierRules): void => {
    for (const [index, rule] of rules.entries()) {
      // Rules with recorded answers are not written by hand.
      if (rule.answer !== undefined) continue
      const path = [...list, index]
      const judged = judgeRule(readReach(rule, list[0] === 'replies' ? 'replies' : 'faults'), earlier)
      if (judged.type === 'takes all') for (const key of judged.keys) earlier.set(key, pathText(path))
      const hasUnknownKey = warnOfUnknown('key', rule, path)
      // Faults are found before the model is checked, so they may name one that the scenario does not have.
      const hasUnknownModel = !rule.fault && warnOfUnknown('model', rule, path)
      // An unknown name is reason enough.
      if (judged.type === 'dead' && !hasUnknownKey && !hasUnknownModel) warn(path, `never applies: ${judged.reason}`)
    }
  }
  for (const [name, state] of Object.entries(states))
    checkRules(state.faults ?? [], ['states', name, 'faults'], new Map())
  const earlier: EarlierRules = new Map()
  checkRules(faults, ['faults'], earlier)
  checkRules(replies, ['replies'], earlier)
}

/**
 * The ids of the rules so far that take all of some calls, by the endpoint, the list, the tool calls and the conditions:
 * `chat faults  [["user","rain"]]` -> `faults[0]`.
 */
type EarlierRules = Map<string, string>
const NO_CALLS = ''
const NO_CONDITIONS = '[]'

/** The calls that a rule can take. */
type Reach = ReturnType<typeof readReach>

function readReach(rule: Rule, list: 'faults' | 'replies') {
  const { endpoint: wanted, ...others } = faultConditions(rule) ?? {}
  const fault = compileFault(rule)?.fault
  const withMessages = ENDPOINT_NAMES.filter((name) => ENDPOINTS[name].hasMessages)
  const suited: readonly string[] = fault ? (fault.endpoints ?? ENDPOINT_NAMES) : withMessages
  const endpoints = suited.filter((name) => (wanted ?? name) === name)
  const conditions = JSON.stringify(Object.entries(others).sort())
  // A rule with tool calls takes only calls that offer these tools.
  const calls = rule.call === undefined ? NO_CALLS : JSON.stringify(toList(rule.call).map(({ name }) => name))
  const key = `${list} ${calls} ${conditions}`
  // A rule of `faults` replaces the fault of a reply, but a reply without a fault may still be its answer.
  const lists = list === 'replies' && fault !== undefined ? ['faults', 'replies'] : [list]
  const wider = [`${NO_CALLS} ${NO_CONDITIONS}`, `${NO_CALLS} ${conditions}`, `${calls} ${conditions}`]
  const coveringKeys = lists.flatMap((name) => wider.map((callsAndConditions) => `${name} ${callsAndConditions}`))
  return { fault, wanted, suited, endpoints, key, coveringKeys, schedule: compileSchedule(rule, '', '') }
}

/** A rule that applies to no call, one that takes all calls in its reach from later rules, or one that lets some pass to them. */
type Judgement =
  | { readonly type: 'dead'; readonly reason: string }
  | { readonly type: 'takes all'; readonly keys: readonly string[] }
  | { readonly type: 'lets pass' }

function judgeRule(
  { fault, wanted, suited, endpoints, key, coveringKeys, schedule }: Reach,
  earlier: EarlierRules,
): Judgement {
  if (schedule?.chance === 0) return { type: 'dead', reason: 'its chance is 0. Raise the chance, or remove the fault.' }
  if (schedule?.spans.every(({ fromMs, untilMs }) => fromMs >= untilMs))
    return { type: 'dead', reason: "its 'until' is not after its 'from'." }
  if (endpoints.length === 0) {
    const suits = `is for ${suited.join(' and ')} only`
    return { type: 'dead', reason: `the fault '${fault!.name}' ${suits}, but its conditions want ${wanted}.` }
  }
  for (const covering of coveringKeys) {
    const [first, ...others] = endpoints.map((endpoint) => earlier.get(`${endpoint} ${covering}`))
    // One rule has to take the calls of all endpoints.
    if (first === undefined || !others.every((id) => id === first)) continue
    const remedy = 'Move this rule up, or remove it.'
    return { type: 'dead', reason: `${first} comes first and matches every call that this rule matches. ${remedy}` }
  }
  if (schedule !== undefined) return { type: 'lets pass' }
  return { type: 'takes all', keys: endpoints.map((endpoint) => `${endpoint} ${key}`) }
}

/** Finds limits and budgets that never refuse a call, and answers longer than their context. */
function findDeadLimits({ limits, budget = {}, keys, models }: ScenarioSource, warn: Warn): void {
  const ofKeys = Object.entries(keys ?? {})
  const ofModels = Object.entries(models ?? {})
  findLooserRates(limits, ['limits'], warn)
  for (const [name, key] of ofKeys) findLooserRates(key.limits, ['keys', name, 'limits'], warn)
  for (const [name, model] of ofModels) findLooserRates(model.limits, ['models', name, 'limits'], warn)
  for (const [name, { endpoint, contextTokens, maxOutputTokens = 0 }] of ofModels) {
    if (endpoint === 'embeddings' || contextTokens === undefined || maxOutputTokens <= contextTokens) continue
    const message = `expected at most ${contextTokens}, the contextTokens that prompt and answer share, got ${maxOutputTokens}.`
    warn(['models', name, 'maxOutputTokens'], message)
  }

  const warnOfReplaced = (path: Path, noun: 'key' | 'model', setting: string): void =>
    warn(path, `never counts a call: every ${noun} has its own ${setting}, which replaces this one.`, true)
  for (const kind of ['requests', 'tokens', 'concurrent'] as const) {
    if (limits?.[kind] === undefined) continue
    const hasOwn = ([, owner]: [string, Pick<ScenarioSource, 'limits'>]): boolean => owner.limits?.[kind] !== undefined
    if (keys && ofKeys.every(hasOwn)) warnOfReplaced(['limits', kind], 'key', `limit for ${kind}`)
    else if (models && ofModels.every(hasOwn)) warnOfReplaced(['limits', kind], 'model', `limit for ${kind}`)
  }
  for (const unit of BUDGET_UNITS) {
    const isReplaced = keys && ofKeys.every(([, key]) => key.budget?.[unit] !== undefined)
    if (budget[unit] !== undefined && isReplaced) warnOfReplaced(['budget', unit], 'key', `budget in ${unit}`)
  }
}

/** Finds rates beside a smaller one that refills no faster: it refuses every call that they would refuse. */
function findLooserRates(limits: ScenarioSource['limits'], path: Path, warn: Warn): void {
  for (const kind of ['requests', 'tokens'] as const) {
    const rates = toList(limits?.[kind]).map(parseRate)
    for (const [index, rate] of rates.entries()) {
      const tighter = rates.find((other) => {
        // Multiplied crosswise, because a division would round.
        const refillsNoFaster = other.amount * rate.windowMs <= rate.amount * other.windowMs
        return other !== rate && other.amount <= rate.amount && refillsNoFaster
      })
      if (tighter === undefined) continue
      const text = `${tighter.amount} per ${tighter.window}`
      const message = `makes no difference: ${text} refuses every call that this would refuse. Remove this rate.`
      warn([...path, kind, index], message)
    }
  }
}
