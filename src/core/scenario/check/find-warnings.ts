/**
 * Warnings about a valid scenario: rules that never apply, names that it does not have, and limits that never refuse a call.
 *
 * A warning is never a guess: it holds for every call, those with the header x-mock-fault or an injected fault apart.
 */
import { didYouMean } from '../../lib/text/did-you-mean.ts'
import { toList } from '../../lib/text/json.ts'
import { readFault } from '../../protocol/faults/read-fault.ts'
import { ENDPOINT_NAMES, ENDPOINTS } from '../../protocol/request/endpoints.ts'
import { BUDGET_UNITS } from '../compile/budget.ts'
import { parseCallCount } from '../compile/call-count.ts'
import { compileSchedule, faultConditions } from '../compile/fault-settings.ts'
import { globsMeet, matchesGlob } from '../compile/glob.ts'
import { compileLimits, type Rate } from '../compile/limits.ts'
import { type FaultSource, faultRulesOf, type ReplySource, type ScenarioSource } from '../scenario-source.ts'
import { type Problem, pathText, shown } from './problem.ts'
import { looksLikeCode } from './suggestions.ts'

/** A rule of `faults` or of `replies`. */
type Rule = ReplySource & Omit<FaultSource, 'fault' | 'when'>
type Path = Problem['path']

/** The warnings of a valid scenario, in the order of the scenario's parts. */
export function findWarnings(source: ScenarioSource): Problem[] {
  return [
    ...findCoveredNames('keys', Object.keys(source.keys ?? {})),
    ...findCoveredNames('models', Object.keys(source.models ?? {})),
    ...findDeadRules(source),
    ...findCodeTexts(source),
    ...findDeadIgnore(source),
    ...findDeadLimits(source),
    ...findOldNames(source),
  ]
}

// A scenario may come over the network, so the number of comparisons is bounded. What is left is not reported.
const MAX_GLOBS = 100
const MAX_PAIRS = 100_000

/** Finds globs that an earlier glob covers. A star in the later one can only be matched by a star of the earlier one. */
function findCoveredNames(list: 'keys' | 'models', names: readonly string[]): Problem[] {
  const globs = names.filter((name) => name.includes('*')).slice(0, MAX_GLOBS)
  return globs.flatMap((name, index) => {
    const wider = globs.slice(0, index).find((glob) => matchesGlob(glob, name))
    if (wider === undefined) return []
    const message = `never used: ${shown(wider)} comes first and matches every name that this entry matches. Move this entry up, or remove it.`
    return [{ path: [list, name], message, isKey: true }]
  })
}

/** Finds rules that apply to no call, and keys and models in their conditions that the scenario does not have. */
function findDeadRules({ keys, models, replies = [], faults = [], states = {} }: ScenarioSource): Problem[] {
  const keyNames = keys && Object.keys(keys)
  const chatModels =
    models && Object.keys(models).filter((name) => ENDPOINTS[models[name]!.endpoint ?? 'chat'].hasMessages)
  let pairs = 0
  const findUnknown = (kind: string, listed: readonly string[] = [], wanted: string | readonly string[], path: Path) =>
    toList(wanted).flatMap((name, index): Problem[] => {
      pairs += listed.length
      if (pairs > MAX_PAIRS || listed.some((one) => globsMeet(one, name))) return []
      const message = `never holds: the scenario has no ${kind} ${shown(name)}.${didYouMean(name, listed)}`
      return [{ path: Array.isArray(wanted) ? [...path, index] : path, message }]
    })
  const checkRules = (rules: readonly Rule[], list: Path, takers: Takers): Problem[] =>
    rules.flatMap((rule, index) => {
      if (rule.answer !== undefined) return []
      const path = [...list, index]
      const reason = explainDead(rule, pathText(path), list[0] === 'replies', takers)
      const { key = [], model = [] } = rule.when ?? {}
      const unknown = [
        ...(keyNames ? findUnknown('key', keyNames, key, [...path, 'when', 'key']) : []),
        ...(chatModels && !rule.fault ? findUnknown('chat model', chatModels, model, [...path, 'when', 'model']) : []),
      ]
      return unknown.length > 0 || reason === undefined ? unknown : [{ path, message: `never applies: ${reason}` }]
    })
  const ofStates = Object.entries(states).flatMap(([name, state]) =>
    checkRules(state.faults ?? [], ['states', name, 'faults'], new Map()),
  )
  const takers: Takers = new Map()
  return [...ofStates, ...checkRules(faults, ['faults'], takers), ...checkRules(replies, ['replies'], takers)]
}

/** The first rule that takes all calls with some conditions, by its list, endpoint, tool calls and conditions. */
type Takers = Map<string, string>

/** Explains why a rule applies to no call. A rule that takes all calls with its conditions is added to the takers. */
function explainDead(rule: Rule, ruleId: string, isReply: boolean, takers: Takers): string | undefined {
  const { endpoint, ...conditions } = faultConditions(rule) ?? {}
  const schedule = compileSchedule(rule, '', '')
  if (schedule?.chance === 0) return 'its chance is 0. Raise the chance, or remove the fault.'
  if (schedule?.spans?.every(({ fromMs, untilMs }) => fromMs >= untilMs)) return "its 'until' is not after its 'from'."
  const reading = rule.fault === undefined ? undefined : readFault(rule.fault)
  const fault = reading && 'configured' in reading ? reading.configured.fault : undefined
  const suited = fault?.endpoints
  const endpoints = ENDPOINT_NAMES.filter(
    (name) =>
      (endpoint ?? name) === name &&
      (fault ? (suited?.some((one) => one === name) ?? true) : ENDPOINTS[name].hasMessages),
  )
  if (endpoints.length === 0)
    return `the fault '${fault!.name}' is for ${suited?.join(' and ')} only, but its conditions want ${endpoint}.`

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

/** Finds `after: 5 calls` of a fault. */
function findOldNames(source: ScenarioSource): Problem[] {
  const keys = Object.entries(source.keys ?? {}).map(([name, rule]) => ({ rule, path: ['keys', name] }))
  return [...keys, ...faultRulesOf(source)].flatMap(({ rule: { after }, path }) => {
    const skip = parseCallCount(after)
    const message = `'after: ${after}' is the old name of 'skip: ${skip}'. Rename it.`
    return skip === undefined ? [] : [{ path: [...path, 'after'], message, isKey: true }]
  })
}

/** Finds texts that are written like functions: a file has none. */
const findCodeTexts = ({ replies = [] }: ScenarioSource): Problem[] =>
  replies.flatMap(({ say }, index) => {
    const message = 'is sent as this text: only a scenario in code can have functions.'
    return toList(say).some(looksLikeCode) ? [{ path: ['replies', index, 'say'], message }] : []
  })

function findDeadIgnore(source: ScenarioSource): Problem[] {
  const { ignore = [], replies = [] } = source
  const rules = [...replies, ...faultRulesOf(source).map(({ rule }) => rule)]
  if (ignore.length === 0 || rules.some(({ when }) => when?.request !== undefined)) return []
  const message = 'has no effect: no rule has a recorded request (when.request) to compare a call with.'
  return [{ path: ['ignore'], message, isKey: true }]
}

const KINDS = ['requests', 'tokens', 'concurrent'] as const

function findDeadLimits({ limits, budget = {}, keys, models }: ScenarioSource): Problem[] {
  const owners = [
    { limits, path: ['limits'] },
    ...Object.entries(keys ?? {}).map(([name, key]) => ({ limits: key.limits, path: ['keys', name, 'limits'] })),
    ...Object.entries(models ?? {}).map(([name, model]) => ({
      limits: model.limits,
      path: ['models', name, 'limits'],
    })),
  ]
  const warnings: Problem[] = []
  if (
    limits?.shared !== undefined &&
    owners.every((owner) => KINDS.every((kind) => owner.limits?.[kind] === undefined))
  ) {
    const message = 'shares nothing: the scenario has no limits. Add requests, tokens or concurrent, or remove shared.'
    warnings.push({ path: ['limits', 'shared'], message })
  }
  for (const owner of owners) {
    const compiled = compileLimits(owner.limits, '')
    for (const kind of ['requests', 'tokens'] as const)
      warnings.push(...findLooserRates(compiled[kind], [...owner.path, kind]))
  }
  for (const [name, { endpoint, contextTokens, maxOutputTokens = 0 }] of Object.entries(models ?? {})) {
    if (endpoint === 'embeddings' || contextTokens === undefined || maxOutputTokens <= contextTokens) continue
    const message = `expected at most ${contextTokens}, the contextTokens that prompt and answer share, got ${maxOutputTokens}.`
    warnings.push({ path: ['models', name, 'maxOutputTokens'], message })
  }
  for (const kind of KINDS.filter((one) => limits?.[one] !== undefined)) {
    const hasOwn = (owner: { readonly limits?: ScenarioSource['limits'] }) => owner.limits?.[kind] !== undefined
    const who =
      keys && Object.values(keys).every(hasOwn) ? 'key' : models && Object.values(models).every(hasOwn) && 'model'
    const message = `never counts a call: every ${who} has its own limit for ${kind}, which replaces this one.`
    if (who) warnings.push({ path: ['limits', kind], message, isKey: true })
  }
  for (const unit of BUDGET_UNITS.filter((one) => budget[one] !== undefined)) {
    if (keys === undefined || Object.values(keys).some((key) => key.budget?.[unit] === undefined)) continue
    const message = `never counts a call: every key has its own budget in ${unit}, which replaces this one.`
    warnings.push({ path: ['budget', unit], message, isKey: true })
  }
  return warnings
}

/** Finds rates beside a tighter one, which is smaller and refills no faster: it refuses every call that they would. */
const findLooserRates = (rates: readonly Rate[], path: Path): Problem[] =>
  rates.flatMap((rate, index) => {
    const { amount, windowMs } = rate
    const tighter = rates.find(
      (one) =>
        one !== rate &&
        one.amount <= amount &&
        BigInt(one.amount) * BigInt(windowMs) <= BigInt(amount) * BigInt(one.windowMs),
    )
    if (tighter === undefined) return []
    const text = `${tighter.amount} per ${tighter.window}`
    const message = `makes no difference: ${text} refuses every call that this would refuse. Remove this rate.`
    return [{ path: [...path, index], message }]
  })
