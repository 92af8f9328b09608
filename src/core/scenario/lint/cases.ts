/**
 * Compares rules case by case, to find rules that never apply.
 *
 * A case is a kind of call, described by one value for each condition: the rule `attempt: [1, 2], user: [hi, ho]` has
 * four cases. Every call that a rule matches belongs to one of its cases. So if earlier rules take all calls of each of
 * its cases, the rule never applies.
 */
import type { Fault } from '../../faults/fault.ts'
import { ENDPOINTS, type Endpoint, isModelEndpoint, type ModelEndpoint } from '../../request/endpoints.ts'
import { conditions } from '../conditions/catalogue.ts'
import { coversGlob } from '../conditions/kinds/glob-coverage.ts'
import { type Entry, findMatchingNames } from './entries.ts'
import { appliesTo, findEndpoints, type Rule } from './rules.ts'

/** The keys, models and states that the calls of a scenario can have. */
export interface ScenarioNames {
  /** The keys that are accepted, each with its own fault; undefined when any key is accepted. */
  readonly keys: readonly Entry<{ readonly fault: Fault | undefined }>[] | undefined
  /** The models of an endpoint; undefined when any name is accepted. */
  readonly models: ((endpoint: ModelEndpoint) => readonly Entry<unknown>[]) | undefined
  readonly states: readonly string[]
}

/** What is known about a call, by condition: a part of `Condition.split`. A condition that is left out is unknown. */
export interface Case {
  readonly endpoint: Endpoint
  readonly known: Readonly<Record<string, unknown>>
}

const MAX_CASES = 300

/** The cases of a rule. None means that it can't match any call; undefined means that there are too many to compare. */
export function findCases(rule: Rule, world: ScenarioNames): readonly Case[] | undefined {
  const { when, calls } = rule
  const choices: Record<string, readonly unknown[]> = {}
  for (const [name, wanted] of Object.entries(when)) {
    if (wanted !== undefined && Object.hasOwn(conditions, name)) choices[name] = conditions[name]!.split(wanted)
  }
  if (when.state === undefined && world.states.length > 0) choices.state = world.states
  // A rule applies only to a request that offers the tools it calls.
  choices.tool = ((choices.tool ?? [[]]) as readonly (readonly string[])[]).map((tools) => [...tools, ...calls])

  const cases: Case[] = []
  for (const endpoint of findEndpoints(rule)) {
    choices.endpoint = [endpoint]
    choices.key = findKeys(rule, endpoint, world)
    choices.model = findModels(rule, endpoint, world)
    const combined = combine(choices, MAX_CASES - cases.length)
    if (combined === undefined) return undefined
    cases.push(...combined.map((known) => ({ endpoint, known })))
  }
  return cases
}

/** Every way to choose one value of each list; undefined when there are more than `max`. */
function combine(choices: Readonly<Record<string, readonly unknown[]>>, max: number): Case['known'][] | undefined {
  const lists = Object.entries(choices)
  if (lists.reduce((product, [, list]) => product * list.length, 1) > max) return undefined
  return lists.reduce<Case['known'][]>(
    (all, [name, list]) => all.flatMap((known) => list.map((value) => ({ ...known, [name]: value }))),
    [{}],
  )
}

/** The keys whose calls a rule can affect. The fault of a key comes before the faults of rules. */
export function findKeys({ when, fault }: Rule, endpoint: Endpoint, { keys }: ScenarioNames): (readonly string[])[] {
  const reachesRules = (ofKey: Fault | undefined): boolean =>
    fault === undefined || ofKey === undefined || !appliesTo(ofKey, endpoint)
  return findMatchingNames(when.key, keys, (settings) => reachesRules(settings.fault))
}

/**
 * The models whose calls a rule can affect. An answer, and a fault that changes an answer, need a model that exists and
 * serves the endpoint; other faults do not.
 */
export function findModels(
  { when, fault }: Rule,
  endpoint: Endpoint,
  { models }: ScenarioNames,
): (readonly string[])[] {
  const needsModel = fault === undefined || fault.kind === 'semantic'
  if (isModelEndpoint(endpoint)) return findMatchingNames(when.model, needsModel ? models?.(endpoint) : undefined)
  // A call that lists the models names none.
  const matchesEmptyName = findMatchingNames(when.model, undefined).some(([glob]) => coversGlob(glob!, ''))
  return matchesEmptyName ? [['']] : []
}

/** Whether an earlier rule takes every call of a case, at all times at which the later rule can apply. */
export function coversCase(earlier: Rule, { endpoint, known }: Case, later: Rule): boolean {
  const { when, fault, isReply } = earlier
  return (
    !earlier.skipsCalls &&
    coversTimes(earlier, later) &&
    (fault === undefined ? ENDPOINTS[endpoint].hasMessages : isReply || appliesTo(fault, endpoint)) &&
    Object.entries(when).every(
      ([name, wanted]) => wanted === undefined || conditions[name]!.covers(wanted, known[name]),
    ) &&
    canCall(earlier, later)
  )
}

function coversTimes({ spans }: Rule, later: Rule): boolean {
  if (spans === undefined) return true
  const wanted = later.spans ?? [{ fromMs: 0, untilMs: Number.POSITIVE_INFINITY }]
  return wanted.every(({ fromMs, untilMs }) => spans.some((span) => span.fromMs <= fromMs && untilMs <= span.untilMs))
}

/** A rule calls its tools only if the request offers them all, and after a tool's result only with `toolResult`. */
function canCall(earlier: Rule, { calls, when }: Rule): boolean {
  if (earlier.calls.length === 0) return true
  const appliesAfterResults =
    earlier.when.toolResult !== undefined || (calls.length > 0 && when.toolResult === undefined)
  return appliesAfterResults && earlier.calls.every((name) => calls.includes(name))
}
