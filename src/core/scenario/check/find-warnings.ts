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
import { compileLimits, type Rate } from '../compile/limits.ts'
import { type FaultSource, faultRulesOf, type ReplySource, type ScenarioSource } from '../scenario-source.ts'
import { type Problem, pathText, shown } from './problem.ts'
import { looksLikeCode } from './suggestions.ts'

type Path = Problem['path']
type Warn = (path: Path, message: string, isKey?: true) => void

/** The warnings of a valid scenario, in the order of the scenario's parts. */
export function findWarnings(source: ScenarioSource): Problem[] {
  const warnings: Problem[] = []
  const warn: Warn = (path, message, isKey) => warnings.push(isKey ? { path, message, isKey } : { path, message })
  const finders = [findCoveredNames, findDeadRules, findCodeTexts, findDeadIgnore, findDeadLimits]
  for (const find of finders) find(source, warn)
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
      const reach = readReach(rule, list[0] === 'replies' ? 'replies' : 'faults')
      const reason = explainDead(reach, earlier)
      // A schedule lets calls pass to later rules.
      const takesAll = reason === undefined && reach.schedule === undefined
      if (takesAll) for (const endpoint of reach.endpoints) earlier.set(`${endpoint} ${reach.key}`, pathText(path))
      const hasUnknownKey = warnOfUnknown('key', rule, path)
      // Faults are found before the model is checked, so they may name one that the scenario does not have.
      const hasUnknownModel = !rule.fault && warnOfUnknown('model', rule, path)
      // An unknown name is reason enough.
      if (reason !== undefined && !hasUnknownKey && !hasUnknownModel) warn(path, `never applies: ${reason}`)
    }
  }
  for (const [name, state] of Object.entries(states))
    checkRules(state.faults ?? [], ['states', name, 'faults'], new Map())
  const earlier: EarlierRules = new Map()
  checkRules(faults, ['faults'], earlier)
  checkRules(replies, ['replies'], earlier)
}

/** The calls that a rule can take. */
type Reach = ReturnType<typeof readReach>
const NO_CALLS = ''
const NO_CONDITIONS = '[]'

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

/**
 * The ids of the rules so far that take all calls within their reach, by endpoint and by the key of the reach, which is a list,
 * tool calls and conditions: `chat faults  [["user","rain"]]` -> `faults[0]`.
 */
type EarlierRules = Map<string, string>

/** Explains why a rule applies to no call; undefined for one that may. */
function explainDead({ fault, wanted, suited, endpoints, coveringKeys, schedule }: Reach, earlier: EarlierRules) {
  if (schedule?.chance === 0) return 'its chance is 0. Raise the chance, or remove the fault.'
  if (schedule?.spans?.every(({ fromMs, untilMs }) => fromMs >= untilMs)) return "its 'until' is not after its 'from'."
  if (endpoints.length === 0)
    return `the fault '${fault!.name}' is for ${suited.join(' and ')} only, but its conditions want ${wanted}.`
  for (const key of coveringKeys) {
    const [first, ...others] = endpoints.map((endpoint) => earlier.get(`${endpoint} ${key}`))
    // One rule has to take the calls of all endpoints.
    if (first !== undefined && others.every((id) => id === first))
      return `${first} comes first and matches every call that this rule matches. Move this rule up, or remove it.`
  }
  return undefined
}

/** Finds texts that are written like functions: a file has none. */
function findCodeTexts({ replies = [] }: ScenarioSource, warn: Warn): void {
  for (const [index, { say }] of replies.entries())
    if (toList(say).some(looksLikeCode))
      warn(['replies', index, 'say'], 'is sent as this text: only a scenario in code can have functions.')
}

/** Finds an `ignore` without a recorded request. */
function findDeadIgnore(source: ScenarioSource, warn: Warn): void {
  const { ignore = [], replies = [] } = source
  const rules = [...replies, ...faultRulesOf(source).map(({ rule }) => rule)]
  if (ignore.length === 0 || rules.some(({ when }) => when?.request !== undefined)) return
  warn(['ignore'], 'has no effect: no rule has a recorded request (when.request) to compare a call with.', true)
}

const LIMIT_KINDS = ['requests', 'tokens', 'concurrent'] as const

/** Finds limits and budgets that never refuse a call, and settings of limits without an effect. */
function findDeadLimits({ limits, budget = {}, keys, models }: ScenarioSource, warn: Warn): void {
  const ofKeys = Object.entries(keys ?? {})
  const ofModels = Object.entries(models ?? {})
  const owners = [
    { limits, path: ['limits'] },
    ...ofKeys.map(([name, key]) => ({ limits: key.limits, path: ['keys', name, 'limits'] })),
    ...ofModels.map(([name, model]) => ({ limits: model.limits, path: ['models', name, 'limits'] })),
  ]
  const hasLimits = owners.some((owner) => LIMIT_KINDS.some((kind) => owner.limits?.[kind] !== undefined))
  const message = 'shares nothing: the scenario has no limits. Add requests, tokens or concurrent, or remove shared.'
  if (limits?.shared !== undefined && !hasLimits) warn(['limits', 'shared'], message)
  for (const owner of owners) {
    const compiled = compileLimits(owner.limits, '')
    for (const kind of ['requests', 'tokens'] as const) findLooserRates(compiled[kind], [...owner.path, kind], warn)
  }
  for (const [name, { endpoint, contextTokens, maxOutputTokens = 0 }] of ofModels) {
    if (endpoint === 'embeddings' || contextTokens === undefined || maxOutputTokens <= contextTokens) continue
    const message = `expected at most ${contextTokens}, the contextTokens that prompt and answer share, got ${maxOutputTokens}.`
    warn(['models', name, 'maxOutputTokens'], message)
  }
  const warnOfReplaced = (path: Path, noun: 'key' | 'model', setting: string): void =>
    warn(path, `never counts a call: every ${noun} has its own ${setting}, which replaces this one.`, true)
  for (const kind of LIMIT_KINDS) {
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

/** Finds rates beside a tighter one. */
function findLooserRates(rates: readonly Rate[], path: Path, warn: Warn): void {
  for (const [index, rate] of rates.entries()) {
    const tighter = rates.find((other) => other !== rate && isTighter(other, rate))
    if (tighter === undefined) continue
    const text = `${tighter.amount} per ${tighter.window}`
    warn([...path, index], `makes no difference: ${text} refuses every call that this would refuse. Remove this rate.`)
  }
}

/** True for a rate that is smaller than the other and refills no faster: it refuses every call that the other would. */
const isTighter = (rate: Rate, other: Rate): boolean =>
  rate.amount <= other.amount &&
  // Multiplied crosswise, in whole numbers, because a division would round.
  BigInt(rate.amount) * BigInt(other.windowMs) <= BigInt(other.amount) * BigInt(rate.windowMs)
