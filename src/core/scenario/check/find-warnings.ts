/**
 * Warnings about a valid scenario: rules that never apply, names that it does not have, and limits that never refuse a call.
 *
 * A warning is never a guess: it holds for every call, those with the header x-mock-fault or an injected fault apart.
 */
import { didYouMean } from '../../lib/text/did-you-mean.ts'
import { toList } from '../../lib/text/json.ts'
import { ENDPOINT_NAMES, ENDPOINTS } from '../../protocol/request/endpoints.ts'
import { BUDGET_UNITS } from '../compile/budget.ts'
import { parseCallCount } from '../compile/call-count.ts'
import { compileFault, compileSchedule, faultConditions } from '../compile/fault-settings.ts'
import { globsMeet, matchesGlob } from '../compile/glob.ts'
import { compileLimits, type Rate } from '../compile/limits.ts'
import { type FaultSource, faultRulesOf, type ReplySource, type ScenarioSource } from '../scenario-source.ts'
import { type Problem, pathText, shown } from './problem.ts'
import { looksLikeCode } from './suggestions.ts'

/** A rule of `faults` or of `replies`. */
type Rule = ReplySource & Omit<FaultSource, 'fault' | 'when'>
type Path = Problem['path']

type Warn = (path: Path, message: string, isKey?: true) => void

/** The warnings of a valid scenario, in the order of the scenario's parts. */
export function findWarnings(source: ScenarioSource): Problem[] {
  const found: Problem[] = []
  const warn: Warn = (path, message, isKey) => found.push(isKey ? { path, message, isKey } : { path, message })
  for (const find of [findCoveredNames, findDeadRules, findCodeTexts, findDeadIgnore, findDeadLimits, findOldNames])
    find(source, warn)
  return found
}

// A scenario may come over the network, so the number of comparisons is bounded. What is left is not reported.
const MAX_GLOBS = 100
const MAX_PAIRS = 100_000

/** Finds globs that an earlier glob covers. A star in the later one can only be matched by a star of the earlier one. */
function findCoveredNames(source: ScenarioSource, warn: Warn): void {
  for (const list of ['keys', 'models'] as const) {
    const names = Object.keys(source[list] ?? {})
    const globs = names.filter((name) => name.includes('*')).slice(0, MAX_GLOBS)
    for (const [index, name] of globs.entries()) {
      const wider = globs.slice(0, index).find((glob) => matchesGlob(glob, name))
      const message = `never used: ${shown(wider)} comes first and matches every name that this entry matches. Move this entry up, or remove it.`
      if (wider !== undefined) warn([list, name], message, true)
    }
  }
}

/** Finds rules that apply to no call, and keys and models in their conditions that the scenario does not have. */
function findDeadRules({ keys, models, replies = [], faults = [], states = {} }: ScenarioSource, warn: Warn): void {
  const chatModels = Object.entries(models ?? {}).filter(([, model]) => ENDPOINTS[model.endpoint ?? 'chat'].hasMessages)
  const known = { key: keys && Object.keys(keys), model: models && chatModels.map(([name]) => name) }
  let pairs = 0
  const warnOfUnknown = (condition: keyof typeof known, { when = {} }: Rule, path: Path): boolean => {
    const [listed, wanted] = [known[condition], when[condition]]
    if (listed === undefined) return false
    const kind = condition === 'key' ? 'key' : 'chat model'
    let isFound = false
    for (const [index, name] of toList(wanted).entries()) {
      pairs += listed.length
      if (pairs > MAX_PAIRS || listed.some((one) => globsMeet(one, name))) continue
      isFound = true
      const message = `never holds: the scenario has no ${kind} ${shown(name)}.${didYouMean(name, listed)}`
      warn([...path, 'when', condition, ...(Array.isArray(wanted) ? [index] : [])], message)
    }
    return isFound
  }
  const checkRules = (rules: readonly Rule[], list: Path, takers: Takers): void => {
    for (const [index, rule] of rules.entries()) {
      if (rule.answer !== undefined) continue
      const path = [...list, index]
      const reason = explainDead(rule, pathText(path), list[0] === 'replies', takers)
      const hasUnknownKey = warnOfUnknown('key', rule, path)
      const hasUnknown = (!rule.fault && warnOfUnknown('model', rule, path)) || hasUnknownKey
      if (!hasUnknown && reason !== undefined) warn(path, `never applies: ${reason}`)
    }
  }
  for (const [name, state] of Object.entries(states))
    checkRules(state.faults ?? [], ['states', name, 'faults'], new Map())
  const takers: Takers = new Map()
  checkRules(faults, ['faults'], takers)
  checkRules(replies, ['replies'], takers)
}

/** The first rule that takes all calls with some conditions, by its list, endpoint, tool calls and conditions. */
type Takers = Map<string, string>

/** Explains why a rule applies to no call. A rule that takes all calls with its conditions is added to the takers. */
function explainDead(rule: Rule, ruleId: string, isReply: boolean, takers: Takers): string | undefined {
  const { endpoint, ...conditions } = faultConditions(rule) ?? {}
  const schedule = compileSchedule(rule, '', '')
  if (schedule?.chance === 0) return 'its chance is 0. Raise the chance, or remove the fault.'
  if (schedule?.spans?.every(({ fromMs, untilMs }) => fromMs >= untilMs)) return "its 'until' is not after its 'from'."
  const fault = compileFault(rule)?.fault
  const withMessages = ENDPOINT_NAMES.filter((name) => ENDPOINTS[name].hasMessages)
  const suited: readonly string[] = fault ? (fault.endpoints ?? ENDPOINT_NAMES) : withMessages
  const endpoints = suited.filter((name) => (endpoint ?? name) === name)
  if (endpoints.length === 0)
    return `the fault '${fault!.name}' is for ${suited.join(' and ')} only, but its conditions want ${endpoint}.`

  const own = JSON.stringify(Object.entries(conditions).sort())
  const calls = rule.call === undefined ? '' : JSON.stringify(toList(rule.call).map(({ name }) => name))
  const lists = isReply ? (fault ? ['faults', 'replies'] : ['replies']) : ['faults']
  const taker = lists
    .flatMap((list) => [`${list}  []`, `${list}  ${own}`, `${list} ${calls} ${own}`])
    .map((key) => endpoints.map((name) => takers.get(`${name} ${key}`)))
    .find(([first, ...others]) => first !== undefined && others.every((other) => other === first))?.[0]
  if (taker !== undefined)
    return `${taker} comes first and matches every call that this rule matches. Move this rule up, or remove it.`
  if (schedule === undefined)
    for (const name of endpoints) takers.set(`${name} ${isReply ? 'replies' : 'faults'} ${calls} ${own}`, ruleId)
  return undefined
}

/** Finds texts that are written like functions: a file has none. */
function findCodeTexts({ replies = [] }: ScenarioSource, warn: Warn): void {
  for (const [index, { say }] of replies.entries())
    if (toList(say).some(looksLikeCode))
      warn(['replies', index, 'say'], 'is sent as this text: only a scenario in code can have functions.')
}

function findDeadIgnore(source: ScenarioSource, warn: Warn): void {
  const { ignore = [], replies = [] } = source
  const rules = [...replies, ...faultRulesOf(source).map(({ rule }) => rule)]
  if (ignore.length === 0 || rules.some(({ when }) => when?.request !== undefined)) return
  warn(['ignore'], 'has no effect: no rule has a recorded request (when.request) to compare a call with.', true)
}

const KINDS = ['requests', 'tokens', 'concurrent'] as const

function findDeadLimits({ limits, budget = {}, keys, models }: ScenarioSource, warn: Warn): void {
  const ofKeys = Object.entries(keys ?? {})
  const ofModels = Object.entries(models ?? {})
  const owners = [
    { limits, path: ['limits'] },
    ...ofKeys.map(([name, key]) => ({ limits: key.limits, path: ['keys', name, 'limits'] })),
    ...ofModels.map(([name, model]) => ({ limits: model.limits, path: ['models', name, 'limits'] })),
  ]
  const isUnlimited = owners.every((owner) => KINDS.every((kind) => owner.limits?.[kind] === undefined))
  const message = 'shares nothing: the scenario has no limits. Add requests, tokens or concurrent, or remove shared.'
  if (limits?.shared !== undefined && isUnlimited) warn(['limits', 'shared'], message)
  for (const owner of owners) {
    const compiled = compileLimits(owner.limits, '')
    for (const kind of ['requests', 'tokens'] as const) findLooserRates(compiled[kind], [...owner.path, kind], warn)
  }
  for (const [name, { endpoint, contextTokens, maxOutputTokens = 0 }] of ofModels) {
    if (endpoint === 'embeddings' || contextTokens === undefined || maxOutputTokens <= contextTokens) continue
    const message = `expected at most ${contextTokens}, the contextTokens that prompt and answer share, got ${maxOutputTokens}.`
    warn(['models', name, 'maxOutputTokens'], message)
  }
  const replaced = 'which replaces this one.'
  for (const kind of KINDS.filter((one) => limits?.[one] !== undefined)) {
    const hasOwn = ([, { limits: own }]: [string, Pick<ScenarioSource, 'limits'>]) => own?.[kind] !== undefined
    const who = keys && ofKeys.every(hasOwn) ? 'key' : models && ofModels.every(hasOwn) ? 'model' : undefined
    if (who)
      warn(['limits', kind], `never counts a call: every ${who} has its own limit for ${kind}, ${replaced}`, true)
  }
  for (const unit of BUDGET_UNITS.filter((one) => budget[one] !== undefined))
    if (keys && ofKeys.every(([, key]) => key.budget?.[unit] !== undefined))
      warn(['budget', unit], `never counts a call: every key has its own budget in ${unit}, ${replaced}`, true)
}

/** Finds rates beside a tighter one, which is smaller and refills no faster: it refuses every call that they would. */
function findLooserRates(rates: readonly Rate[], path: Path, warn: Warn): void {
  for (const [index, rate] of rates.entries()) {
    const tighter = rates.find(
      (one) =>
        one !== rate &&
        one.amount <= rate.amount &&
        BigInt(one.amount) * BigInt(rate.windowMs) <= BigInt(rate.amount) * BigInt(one.windowMs),
    )
    const text = `${tighter?.amount} per ${tighter?.window}`
    const message = `makes no difference: ${text} refuses every call that this would refuse. Remove this rate.`
    if (tighter !== undefined) warn([...path, index], message)
  }
}

/** Finds `after: 5 calls` of a fault. */
function findOldNames(source: ScenarioSource, warn: Warn): void {
  const keys = Object.entries(source.keys ?? {}).map(([name, rule]) => ({ rule, path: ['keys', name] }))
  for (const { rule, path } of [...keys, ...faultRulesOf(source)]) {
    const skip = parseCallCount(rule.after)
    const message = `'after: ${rule.after}' is the old name of 'skip: ${skip}'. Rename it.`
    if (skip !== undefined) warn([...path, 'after'], message, true)
  }
}
