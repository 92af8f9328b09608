/**
 * Compares rules, to find rules that never apply because an earlier rule takes all their calls.
 *
 * A case is what is known about the calls of a rule on one endpoint: for each condition, the alternatives of its value.
 * Every call that the rule matches fulfils one alternative of each condition. So if an earlier rule accepts all
 * alternatives of all its own conditions, the later rule never applies.
 */
import type { Fault } from '../../../protocol/faults/fault.ts'
import { ENDPOINTS, type Endpoint, isModelEndpoint, type ModelEndpoint } from '../../../protocol/request/endpoints.ts'
import { conditions } from '../../conditions/catalogue.ts'
import { coversGlob } from '../../conditions/kinds/glob-coverage.ts'
import { type Entry, findMatchingNames } from './entries.ts'
import { appliesTo, findEndpoints, type LintRule } from './rules.ts'

/** The keys, models and states that the calls of a scenario can have. */
export interface ScenarioNames {
  /** The keys that are accepted, each with its own fault; undefined when any key is accepted. */
  readonly keys: readonly Entry<{ readonly fault: Fault | undefined }>[] | undefined
  /** The models of an endpoint; undefined when any name is accepted. */
  readonly models: ((endpoint: ModelEndpoint) => readonly Entry<unknown>[]) | undefined
  readonly states: readonly string[]
}

export interface Case {
  readonly endpoint: Endpoint
  /** The parts of `Condition.split`, by condition. A condition that is left out is unknown. */
  readonly known: Readonly<Record<string, readonly unknown[]>>
}

/** The cases of a rule, one for each endpoint. */
export function findCases(rule: LintRule, names: ScenarioNames): readonly Case[] {
  const { when, calls } = rule
  const known: Record<string, readonly unknown[]> = {}
  for (const [name, wanted] of Object.entries(when)) {
    if (wanted !== undefined && Object.hasOwn(conditions, name)) known[name] = conditions[name]!.split(wanted)
  }
  if (when.state === undefined && names.states.length > 0) known.state = names.states
  // A rule applies only to a request that offers the tools it calls.
  known.tool = ((known.tool ?? [[]]) as readonly (readonly string[])[]).map((tools) => [...tools, ...calls])
  return findEndpoints(rule).map((endpoint) => {
    const ofEndpoint = {
      endpoint: [endpoint],
      key: findKeys(rule, endpoint, names),
      model: findModels(rule, endpoint, names),
    }
    return { endpoint, known: { ...known, ...ofEndpoint } }
  })
}

/** The keys whose calls a rule can affect. The fault of a key comes before the faults of rules. */
export function findKeys(
  { when, fault }: LintRule,
  endpoint: Endpoint,
  { keys }: ScenarioNames,
): (readonly string[])[] {
  const reachesRules = (ofKey: Fault | undefined): boolean =>
    fault === undefined || ofKey === undefined || !appliesTo(ofKey, endpoint)
  return findMatchingNames(when.key, keys, (settings) => reachesRules(settings.fault))
}

/**
 * The models whose calls a rule can affect. An answer, and a fault that changes an answer, need a model that exists and
 * serves the endpoint; other faults do not.
 */
export function findModels(
  { when, fault }: LintRule,
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
export function coversCase(earlier: LintRule, { endpoint, known }: Case, later: LintRule): boolean {
  const { when, fault, isReply } = earlier
  return (
    !earlier.skipsCalls &&
    coversTimes(earlier, later) &&
    (fault === undefined ? ENDPOINTS[endpoint].hasMessages : isReply || appliesTo(fault, endpoint)) &&
    Object.entries(when).every(
      ([name, wanted]) =>
        wanted === undefined || (known[name] ?? [undefined]).every((one) => conditions[name]!.covers(wanted, one)),
    ) &&
    canCall(earlier, later)
  )
}

function coversTimes({ spans }: LintRule, later: LintRule): boolean {
  if (spans === undefined) return true
  const wanted = later.spans ?? [{ fromMs: 0, untilMs: Number.POSITIVE_INFINITY }]
  return wanted.every(({ fromMs, untilMs }) => spans.some((span) => span.fromMs <= fromMs && untilMs <= span.untilMs))
}

/** A rule calls its tools only if the request offers them all, and after a tool's result only with `toolResult`. */
function canCall(earlier: LintRule, { calls, when }: LintRule): boolean {
  if (earlier.calls.length === 0) return true
  const appliesAfterResults =
    earlier.when.toolResult !== undefined || (calls.length > 0 && when.toolResult === undefined)
  return appliesAfterResults && earlier.calls.every((name) => calls.includes(name))
}
