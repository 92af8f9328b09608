/** The rules of a scenario as their order and conditions matter: replies, and faults of the scenario and its states. */

import type { Fault } from '../../faults/fault.ts'
import { readFault } from '../../faults/read-fault.ts'
import { ENDPOINT_NAMES, ENDPOINTS, type Endpoint } from '../../request/endpoints.ts'
import { parseDuration, WINDOWS } from '../../text/duration.ts'
import { parseSpan } from '../compile/schedule.ts'
import { OPTION_NAMES } from '../grammar/fault-options.ts'
import type { ScenarioSource } from '../grammar/schema.ts'
import { needsText } from './texts.ts'
import { listOf, type Path, type When } from './warning.ts'

type FaultSource = NonNullable<ScenarioSource['faults']>[number]
type ReplySource = NonNullable<ScenarioSource['replies']>[number]

/** A time from one on until before another, in milliseconds. */
interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

export interface Rule {
  readonly path: Path
  /** Where it stands: `states.down.faults[0]`. */
  readonly place: string
  readonly when: When
  /** What strikes; undefined for a rule that speaks. */
  readonly fault: Fault | undefined
  /** Whether it is a rule of `replies`. */
  readonly isReply: boolean
  /** The names of the tools it calls. */
  readonly calls: readonly string[]
  /** The states it is for; undefined for any. */
  readonly states: readonly string[] | undefined
  /** When it is in force; undefined for always. */
  readonly spans: readonly Span[] | undefined
  /** Whether it passes over some of the calls that it matches while it is in force, as far as can be seen here. */
  readonly isFitful: boolean
  /** Whether its chance is 0. */
  readonly isHopeless: boolean
  /** Whether what it does is understood. */
  readonly isKnown: boolean
  /** What it costs to compare it. */
  readonly size: number
}

/** The rules of a scenario in the order in which they are tried. */
export interface Rules {
  /** Those of the states, one after the other, and then those of the scenario. */
  readonly faults: readonly Rule[]
  readonly replies: readonly Rule[]
}

export function rulesOf({ replies = [], faults = [], states = {} }: ScenarioSource): Rules {
  const ofStates = Object.entries(states).flatMap(([name, state]) =>
    (state.faults ?? []).map((rule, index) => faultRule(rule, ['states', name, 'faults', index], [name])),
  )
  const ofScenario = faults.map((rule, index) => faultRule(rule, ['faults', index], listOf(rule.when?.state)))
  return { faults: [...ofStates, ...ofScenario], replies: replies.map(replyRule) }
}

/** What is understood here. A rule with more to it is taken to pass over calls. */
const CONDITIONS = ['endpoint', 'attempt', 'state', 'turn', 'model', 'key', 'tool', 'user', 'system', 'toolResult']
const SCHEDULE = ['attempt', 'chance', 'between', 'from', 'until', 'bursts', 'every', 'first']
const DEEDS = ['say', 'call', 'refuse', 'fault']
const FIELDS = ['when', 'finish', ...SCHEDULE, ...DEEDS, ...OPTION_NAMES]

const isUnderstood = (rule: object, when: object): boolean =>
  Object.keys(rule).every((name) => FIELDS.includes(name)) &&
  Object.keys(when).every((name) => CONDITIONS.includes(name))

function faultRule(rule: FaultSource, path: Path, states: readonly string[] | undefined): Rule {
  const { attempt, chance, every = 1, first, bursts } = rule
  const when = attempt === undefined ? (rule.when ?? {}) : { ...rule.when, attempt }
  const share = typeof chance === 'string' ? Number.parseFloat(chance) / 100 : (chance ?? 1)
  return {
    ...common(when, path),
    fault: faultOf(rule.fault),
    isReply: false,
    calls: [],
    states,
    spans: spansOf(rule),
    isFitful: !isUnderstood(rule, when) || share < 1 || every !== 1 || first !== undefined || bursts !== undefined,
    isHopeless: share === 0,
    isKnown: true,
  }
}

function replyRule(rule: ReplySource, index: number): Rule {
  const when = rule.when ?? {}
  return {
    ...common(when, ['replies', index]),
    fault: rule.fault === undefined ? undefined : faultOf(rule.fault),
    isReply: true,
    calls: (listOf(rule.call) ?? []).map(({ name }) => name),
    states: listOf(when.state),
    spans: undefined,
    isFitful: !isUnderstood(rule, when),
    isHopeless: false,
    isKnown: DEEDS.some((name) => name in rule),
  }
}

const CHARACTERS_PER_STEP = 50

function common(when: When, path: Path): Pick<Rule, 'path' | 'place' | 'when' | 'size'> {
  const place = path.reduce<string>((text, step) => `${text}${typeof step === 'number' ? `[${step}]` : `.${step}`}`, '')
  const size = 1 + Math.floor(JSON.stringify(when).length / CHARACTERS_PER_STEP)
  return { path, place: place.slice(1), when, size }
}

/** The fault of a name or status. */
export function faultOf(nameOrStatus: string | number): Fault | undefined {
  const reading = readFault(nameOrStatus)
  return 'configured' in reading ? reading.configured.fault : undefined
}

function spansOf({ between, from, until }: FaultSource): Span[] | undefined {
  if (between !== undefined) return [between].flat().map(parseSpan)
  if (from === undefined && until === undefined) return undefined
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : (parseDuration(until) ?? WINDOWS.day)
  return [{ fromMs: parseDuration(from ?? '0s') ?? 0, untilMs }]
}

/** The endpoint that a fault is for; undefined for any. */
export const endpointOf = (fault: Fault | undefined): Endpoint | undefined =>
  fault?.kind === 'semantic' ? fault.endpoint : undefined

/** The endpoints whose calls a fault can strike. */
export const suits = (fault: Fault, endpoint: Endpoint): boolean => (endpointOf(fault) ?? endpoint) === endpoint

/** The endpoints on which a rule does what it is there for. */
export function endpointsFor({ when, fault }: Rule): readonly Endpoint[] {
  return ENDPOINT_NAMES.filter(
    (endpoint) =>
      (when.endpoint ?? endpoint) === endpoint &&
      (fault === undefined ? ENDPOINTS[endpoint].hasMessages : suits(fault, endpoint)) &&
      (ENDPOINTS[endpoint].hasMessages || conversational(when) === undefined),
  )
}

/** A condition that only a call with a conversation fulfils. */
export function conversational({ tool, toolResult, turn, user, system }: When): keyof When | undefined {
  if (tool !== undefined) return 'tool'
  if (toolResult !== undefined) return 'toolResult'
  if (turn !== undefined) return 'turn'
  if (listOf(user)?.every(needsText)) return 'user'
  return listOf(system)?.every(needsText) ? 'system' : undefined
}
