/** Rules that never speak and faults that never strike: for what they say themselves, or for the rules before them. */
import { didYouMean } from '../../text/did-you-mean.ts'
import { shown } from '../diagnostics/problem-text.ts'
import { type Case, casesOf, keysFor, modelsFor, takes, type World } from './cases.ts'
import { unknownNames } from './entries.ts'
import { conversational, endpointOf, endpointsFor, type Rule, type Rules } from './rules.ts'
import { listOf, type Warning } from './warning.ts'

// Beyond so many comparisons the rest is left unsaid: a scenario may come over the network.
const MAX_STEPS = 250_000

export function deadRules(rules: Rules, world: World): Warning[] {
  const budget = { steps: MAX_STEPS }
  const { faults, replies } = rules
  const check = (rule: Rule, earlier: () => readonly Rule[]): Warning[] => {
    if (!rule.isKnown) return []
    const unknown = unknownConditions(rule, world)
    if (unknown.length > 0) return unknown
    const reason = whyImpossible(rule, world) ?? whoTakesAll(rule, earlier, world, budget)
    return reason === undefined ? [] : [{ path: rule.path, message: `${never(rule)}: ${reason}` }]
  }
  return [
    ...faults.flatMap((rule, index) => check(rule, () => faults.slice(0, index))),
    ...replies.flatMap((rule, index) => {
      const before = (): readonly Rule[] => replies.slice(0, index)
      return check(rule, rule.fault === undefined ? before : () => [...faults, ...before()])
    }),
  ]
}

/** Keys and models under `when` that the scenario does not have. */
function unknownConditions(rule: Rule, { keys, models }: World): Warning[] {
  const { path, when, fault } = rule
  const served = fault === undefined ? models?.('chat') : undefined
  const list = (kind: 'key' | 'model', entries: typeof keys | typeof served): Warning[] =>
    unknownNames<unknown>(when[kind], entries).map(({ name, path: inside }) => ({
      path: [...path, 'when', kind, ...inside],
      message: `never holds: ${shown(name)} is no ${kind} of this scenario${kind === 'key' ? '' : ' that chats'}.${didYouMean(
        name,
        (entries ?? []).map((entry) => entry.name),
      )}`,
    }))
  return [...list('key', keys), ...list('model', served)]
}

const never = ({ fault }: Rule): string => (fault === undefined ? 'never speaks' : 'never strikes')

/** What a request may call its tools. */
const TOOL_NAME = /^[\w-]{1,64}$/
const TOOL_GLOB = /^[\w*-]+$/

/** Why a rule can't do anything, whatever stands before it. */
function whyImpossible(rule: Rule, world: World): string | undefined {
  const { when, fault, calls, spans, isHopeless } = rule
  const endpoints = endpointsFor(rule)
  if (endpoints.length === 0) {
    const endpoint = endpointOf(fault)
    if (when.endpoint !== undefined && endpoint !== undefined && endpoint !== when.endpoint)
      return `'${fault!.name}' is for ${endpoint} only, and its conditions are for ${when.endpoint}.`
    return `its condition '${conversational(when)}' is about chats, and the rest of it about embeddings.`
  }
  const strange = calls.find((name) => !TOOL_NAME.test(name))
  if (strange !== undefined)
    return `no request can offer a tool called ${shown(strange)}; names have letters, digits, _ and -, at most 64.`
  const tools = listOf(when.tool)
  if (fault === undefined && tools?.every((glob) => !TOOL_GLOB.test(glob)))
    return `no request can offer a tool called ${shown(tools[0])}; names have letters, digits, _ and -.`
  if (isHopeless) return 'its chance is 0. Raise it, or take the fault out.'
  if (spans?.every(({ fromMs, untilMs }) => fromMs >= untilMs)) return 'the time in which it may is over at the start.'
  if (endpoints.every((endpoint) => keysFor(rule, endpoint, world).length === 0))
    return 'every key that it is for has a fault of its own, which comes first.'
  if (endpoints.every((endpoint) => modelsFor(rule, endpoint, world).length === 0))
    return `no model of this scenario serves what it is for.`
  return undefined
}

/** Which rules before it take all that a rule is for, if they do. */
function whoTakesAll(
  rule: Rule,
  earlier: () => readonly Rule[],
  world: World,
  budget: { steps: number },
): string | undefined {
  if (budget.steps <= 0) return undefined
  const cases = casesOf(rule, world)
  if (cases === undefined || cases.length === 0) return undefined
  const before = earlier()
  const takers = new Set<string>()
  for (const one of cases) {
    const taker = takerOf(one, rule, before, budget)
    if (taker === undefined) return undefined
    takers.add(taker.place)
  }
  return sentence([...takers])
}

function takerOf(one: Case, rule: Rule, earlier: readonly Rule[], budget: { steps: number }): Rule | undefined {
  for (const before of earlier) {
    budget.steps -= before.size * rule.size
    if (budget.steps <= 0) return undefined
    if (takes(before, one, rule)) return before
  }
  return undefined
}

const MAX_NAMED = 4

function sentence(takers: readonly string[]): string {
  if (takers.length === 1)
    return `${takers[0]} comes first and takes every call that this is for. Put this before it, or take it out.`
  const named = takers.slice(0, MAX_NAMED)
  const last = takers.length > MAX_NAMED ? `${takers.length - MAX_NAMED} more` : named.pop()
  return `${named.join(', ')} and ${last} come first and together take every call that this is for. Put this before them, or take it out.`
}
