/** The rules of a scenario as lint compares them: replies, and the faults of the scenario and of its states. */

import { toList } from '../../../lib/text/to-list.ts'
import type { Fault } from '../../../protocol/faults/fault.ts'
import { readFault } from '../../../protocol/faults/read-fault.ts'
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint } from '../../../protocol/request/endpoints.ts'
import { parseCallCount } from '../../compile/call-count.ts'
import { readChance, readFaultConditions, readSpans, type Span } from '../../compile/schedule.ts'
import type { When } from '../../compile/when.ts'
import type { ScenarioSource } from '../../scenario-source.ts'
import type { Problem } from '../problem.ts'
import { pathText } from '../problem-text.ts'

type Path = Problem['path']

type FaultSource = NonNullable<ScenarioSource['faults']>[number]
type ReplySource = NonNullable<ScenarioSource['replies']>[number]

export interface LintRule {
  readonly path: Path
  /** `states.down.faults[0]` */
  readonly ruleId: string
  /** Its conditions. A fault of a state has the condition `state`. */
  readonly when: When
  /** Undefined for a rule that answers. */
  readonly fault: Fault | undefined
  /** Whether it is a rule of `replies`. */
  readonly isReply: boolean
  /** The names of the tools it calls. */
  readonly calls: readonly string[]
  /** The times at which it can apply; undefined for always. */
  readonly spans: readonly Span[] | undefined
  /** Whether it may skip some of the calls that it matches at these times: by chance, by counting, or because it is recorded. */
  readonly skipsCalls: boolean
  /** Whether its chance is 0. */
  readonly hasNoChance: boolean
  /** Whether it has recorded answers. Such rules are not compared with others. */
  readonly isRecorded: boolean
  /** The cost of comparing it, in steps. */
  readonly size: number
}

/** The rules of a scenario in the order in which they are tried. */
export interface LintRules {
  /** Those of the states, one after the other, and then those of the scenario. */
  readonly faults: readonly LintRule[]
  readonly replies: readonly LintRule[]
}

export function readRules({ replies = [], faults = [], states = {} }: ScenarioSource): LintRules {
  const ofStates = Object.entries(states).flatMap(([state, { faults: rules = [] }]) =>
    rules.map((rule, index) =>
      readFaultRule({ ...rule, when: { ...rule.when, state } }, ['states', state, 'faults', index]),
    ),
  )
  const ofScenario = faults.map((rule, index) => readFaultRule(rule, ['faults', index]))
  return { faults: [...ofStates, ...ofScenario], replies: replies.map(readReplyRule) }
}

function readFaultRule(rule: FaultSource, path: Path): LintRule {
  const { every = 1, times, bursts } = rule
  const chance = readChance(rule) ?? 1
  return {
    ...readCommon(readFaultConditions(rule), path),
    fault: findFault(rule.fault),
    isReply: false,
    calls: [],
    spans: readSpans(rule),
    skipsCalls:
      chance < 1 || every !== 1 || [times, bursts, parseCallCount(rule.after)].some((one) => one !== undefined),
    hasNoChance: chance === 0,
    isRecorded: false,
  }
}

function readReplyRule(rule: ReplySource, index: number): LintRule {
  const isRecorded = rule.answer !== undefined
  return {
    ...readCommon(rule.when, ['replies', index]),
    fault: rule.fault === undefined ? undefined : findFault(rule.fault),
    isReply: true,
    calls: toList(rule.call).map(({ name }) => name),
    spans: undefined,
    skipsCalls: isRecorded,
    hasNoChance: false,
    isRecorded,
  }
}

// About the text of one condition, so that the budget of lint counts comparisons of conditions.
const CHARACTERS_PER_STEP = 50

/** Reads what fault rules and reply rules have in common. */
function readCommon(when: When = {}, path: Path): Pick<LintRule, 'path' | 'ruleId' | 'when' | 'size'> {
  const size = 1 + Math.floor(JSON.stringify(when).length / CHARACTERS_PER_STEP)
  return { path, ruleId: pathText(path), when, size }
}

/** The fault of a name or status. */
export function findFault(nameOrStatus: string | number): Fault | undefined {
  const reading = readFault(nameOrStatus)
  return 'configured' in reading ? reading.configured.fault : undefined
}

/** The only endpoint of a fault; undefined for a fault of any endpoint. */
export const endpointOf = (fault: Fault | undefined): Endpoint | undefined =>
  fault?.kind === 'semantic' ? fault.endpoint : undefined

/** Whether a fault can happen to calls of an endpoint. */
export const appliesTo = (fault: Fault, endpoint: Endpoint): boolean => (endpointOf(fault) ?? endpoint) === endpoint

/** The endpoints on which a rule can have an effect. */
export function findEndpoints({ when, fault }: LintRule): readonly Endpoint[] {
  return ENDPOINT_NAMES.filter(
    (endpoint) =>
      (when.endpoint ?? endpoint) === endpoint &&
      (fault === undefined ? ENDPOINTS[endpoint].hasMessages : appliesTo(fault, endpoint)),
  )
}
