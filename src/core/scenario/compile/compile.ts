/**
 * Compiles a scenario: durations to numbers, names and patterns to functions.
 *
 * The source was checked before and is not checked again, so a start with a built-in scenario does not load the schema.
 */

import { Random } from '../../lib/random/random.ts'
import { parseDuration } from '../../lib/text/duration.ts'
import { toList } from '../../lib/text/to-list.ts'
import { finish } from '../../lib/work/steps.ts'
import type { ConfiguredFault } from '../../protocol/faults/fault.ts'
import { readFault } from '../../protocol/faults/read-fault.ts'
import type { ModelEndpoint } from '../../protocol/request/endpoints.ts'
import type { Facts } from '../conditions/facts.ts'
import type { Match } from '../conditions/match.ts'
import { type OptionName, optionsOf, withoutCallCount } from '../grammar/fault-options.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import { type Budget, compileBudget, compilePrices, type Prices } from './budget.ts'
import { parseCallCount } from './call-count.ts'
import { matchesGlob } from './glob.ts'
import { compileIgnore, type Ignore } from './ignore.ts'
import { combineLimits, compileLimits, compileShared, type Limits, type SharedLimits } from './limits.ts'
import { compilePace, type Pace } from './pace.ts'
import type { PatternCompiler } from './pattern-text.ts'
import { compileAnswer, type RecordedAnswer } from './recorded-answer.ts'
import { compileSchedule, readFaultConditions, type Schedule } from './schedule.ts'
import type { Exit, StateMachine } from './states.ts'
import { compileMisses, compileWhen, type Miss, type When } from './when.ts'

export type { Pace } from './pace.ts'

export interface KeyRule {
  /** The name or pattern that lists the key; undefined when any key is accepted. */
  readonly name?: string
  /** Limits of its own. */
  readonly limits?: Limits
  /** What the key may use in total: its own budget, and the scenario's for the units that it leaves out. */
  readonly budget?: Budget
  readonly fault?: ConfiguredFault
  /** Undefined: the fault happens to every call of the key. */
  readonly schedule?: Schedule
}

export interface Model {
  readonly endpoint?: ModelEndpoint
  readonly snapshot?: string
  readonly contextTokens?: number
  readonly maxOutputTokens?: number
  readonly reasoning?: boolean
  readonly supports?: ModelSupport
  readonly unavailable?: 'deprecated' | 'responses-only'
  /** Whether prompts to it are cached; undefined for the scenario's `cache`. */
  readonly cache?: CacheStyle
  readonly dimensions?: number
  readonly fixedDimensions?: boolean
  /** Limits of its own, for each key. */
  readonly limits?: Limits
  /** What a token costs; every model has it where a budget counts dollars. */
  readonly prices?: Prices
  /** Replaces the scenario's pace; fields that the model leaves out are the scenario's. */
  readonly pace?: Pace
}

/** Which prefixes of a prompt are cached: see `src/core/decide/endpoints/chat/prompt/prompt-cache.ts`. */
export type CacheStyle = 'none' | 'prefixes' | 'breakpoints'

/** What a model supports of a chat request. */
export interface ModelSupport {
  readonly without?: readonly string[]
  readonly onlyDefault?: readonly string[]
  readonly efforts?: readonly string[]
  readonly choices?: number
  readonly functionTools?: 'with effort none' | 'without effort'
  readonly jsonSchema?: boolean
  readonly audio?: 'never' | 'required'
}

export interface ReplyRule {
  /** Its path in the scenario: `replies[2]`. */
  readonly ruleId: string
  readonly match: Match
  readonly conditionCount: number
  /** Finds the conditions that do not hold for a call. */
  readonly findMisses: (facts: Facts) => readonly Miss[]
  /** Used one after the other; an object is sent as JSON. */
  readonly say?: readonly (string | object)[]
  /** The finish_reason of `say`; undefined for `stop`. */
  readonly finish?: 'length' | 'content_filter'
  /** All in one answer; missing arguments are generated. */
  readonly call?: readonly { readonly name: string; readonly arguments?: string | object | undefined }[]
  readonly refuse?: string
  /** Recorded answers, replayed one after the other. */
  readonly answers?: readonly RecordedAnswer[]
  /** Whether it has the condition `toolResult`. */
  readonly isForResults: boolean
  readonly fault?: ConfiguredFault
}

interface FaultRule {
  readonly ruleId: string
  readonly match: Match
  /** Finds the conditions that do not hold for a call. */
  readonly findMisses: (facts: Facts) => readonly Miss[]
  readonly fault: ConfiguredFault
  /** Undefined: the fault happens to every matching call. */
  readonly schedule: Schedule | undefined
}

/** The faults and the pace of one state. */
export interface State {
  readonly name: string
  /** Tried before the faults of the scenario. */
  readonly faults: readonly FaultRule[]
  /** Replaces the scenario's pace; undefined: the scenario's pace applies. */
  readonly pace: Pace | undefined
}

/** The states of a scenario, and the transitions between them. */
export interface States {
  readonly machine: StateMachine
  readonly byName: ReadonlyMap<string, State>
}

/** A scenario, ready to run. */
export interface Scenario {
  readonly name: string
  readonly description: string
  readonly seed: string
  /** The organisation every key belongs to. */
  readonly organization: string
  readonly strict: boolean
  /** Whether a chat that no reply rule matches is a 404; otherwise it is echoed. */
  readonly refusesUnmatched: boolean
  /** A key that works, for the example the server prints. */
  readonly exampleKey: string
  /** Undefined when any key is accepted. */
  readonly keyRule: (key: string) => KeyRule | undefined
  /** The names of the models it lists, those with a star left out; undefined when any model is accepted. */
  readonly modelNames: readonly string[] | undefined
  readonly model: (name: string) => Model | undefined
  readonly replies: readonly ReplyRule[]
  /** Whether it has recorded answers. Then a call that no rule matches was not recorded. */
  readonly isCassette: boolean
  /** Removes what does not count when a request is compared with a recorded one; undefined when everything counts. */
  readonly ignore: Ignore | undefined
  readonly cache: CacheStyle
  readonly faults: readonly FaultRule[]
  /** Undefined when answers take no time. */
  readonly pace: Pace | undefined
  /** Undefined for a scenario without states. */
  readonly states: States | undefined
  /** The limits of a call, by the rules of its key and its model; undefined when nothing is limited. */
  readonly limitsOf: ((key: KeyRule | undefined, model: Model | undefined) => Limits) | undefined
  /** Undefined for limits that this process counts alone. */
  readonly sharedLimits: SharedLimits | undefined
  readonly source: ScenarioSource
}

export interface CompileOptions {
  readonly name: string
  /** Overrides the seed of the source. */
  readonly seed?: string | number | undefined
  readonly compilePattern: PatternCompiler
}

/** Compiles a checked source. Throws only if `compilePattern` refuses a pattern. */
export function compileScenario(source: ScenarioSource, { name, seed, compilePattern }: CompileOptions): Scenario {
  const keys =
    source.keys &&
    namesToValues(source.keys, (settings, name): KeyRule => {
      const fault = configuredFaultOf(settings)
      const after = parseCallCount(settings.after)
      return {
        name,
        ...withLimits(settings, 'key'),
        ...withBudget(source, settings),
        ...(fault && { fault }),
        ...(after !== undefined && { schedule: { after } }),
      }
    })
  const anyKey: KeyRule = withBudget(source)
  const anyModel: Model = {}
  const pace = compilePace(source.pace, 'pace')
  const models =
    source.models &&
    namesToValues(source.models, ({ pace: own, limits, prices, ...settings }, name): Model => {
      const modelPace = own && compilePace(own, `models.${name}.pace`, pace)
      return {
        ...(settings as Model),
        ...withLimits({ limits }, `model:${name}`),
        ...(prices && { prices: compilePrices(prices) }),
        ...(modelPace && { pace: modelPace }),
      }
    })
  const matchOf = (when: Parameters<typeof compileWhen>[0]): Match => compileWhen(when, compilePattern)

  const ignore = source.ignore && compileIgnore(source.ignore)
  const recordedConditions = (when: When | undefined): When | undefined =>
    ignore === undefined || when?.request === undefined ? when : { ...when, request: finish(ignore(when.request)) }

  const usedSeed = String(seed ?? source.seed ?? 1)
  const faultRules = (rules: ScenarioSource['faults'] = [], list: string): FaultRule[] =>
    rules.map((rule, index) => {
      const ruleId = `${list}[${index}]`
      const when = recordedConditions(readFaultConditions(rule))
      return {
        ruleId,
        match: matchOf(when),
        findMisses: compileMisses(when, compilePattern),
        fault: configuredFaultOf(rule)!,
        schedule: compileSchedule(rule, ruleId, usedSeed),
      }
    })
  const replyRule = (rule: ReplySource, index: number): ReplyRule => {
    const when = recordedConditions(rule.when)
    return {
      ruleId: `replies[${index}]`,
      match: matchOf(when),
      conditionCount: Object.keys(when ?? {}).length,
      findMisses: compileMisses(when, compilePattern),
      isForResults: when?.toolResult !== undefined,
      ...(rule.say !== undefined && { say: toList(rule.say) }),
      ...(rule.finish !== undefined && { finish: rule.finish }),
      ...(rule.call !== undefined && { call: toList(rule.call) }),
      ...(rule.refuse !== undefined && { refuse: rule.refuse }),
      ...(rule.answer !== undefined && { answers: toList(rule.answer).map(compileAnswer) }),
      ...(rule.fault !== undefined && { fault: configuredFaultOf(rule)! }),
    }
  }
  const stateOf = (name: string, { faults, pace }: StateSource): State => ({
    name,
    faults: faultRules(faults, `states.${name}.faults`),
    pace: compilePace(pace, `states.${name}.pace`),
  })

  return {
    name,
    description: source.description ?? '',
    seed: usedSeed,
    organization: `org-${new Random(`${usedSeed}|organization`).alphanumeric(24)}`,
    strict: source.validation === 'strict',
    refusesUnmatched: source.unmatched === 'refuse',
    exampleKey: exampleKey(source),
    keyRule: keys ?? (() => anyKey),
    modelNames: source.models && Object.keys(source.models).filter((name) => !name.includes('*')),
    model: models ?? (() => anyModel),
    replies: (source.replies ?? []).map(replyRule),
    isCassette: source.replies?.some(({ answer }) => answer !== undefined) === true,
    ignore,
    cache: source.cache ?? 'none',
    faults: faultRules(source.faults, 'faults'),
    pace,
    states: source.states && compileStates(source.states, stateOf),
    limitsOf: limitsOf(source),
    sharedLimits: compileShared(source.limits?.shared),
    source,
  }
}

/** A compiled scenario with the faults of another source that differs in nothing else: most of the work is done once. */
export function replaceFaults(scenario: Scenario, source: ScenarioSource, compilePattern: PatternCompiler): Scenario {
  const { name, seed } = scenario
  const { faults } = compileScenario({ faults: source.faults, ignore: source.ignore }, { name, seed, compilePattern })
  return { ...scenario, faults, source }
}

/** Looks up settings by name: exact names first, then globs in the order of the scenario. */
function namesToValues<Settings, Value>(
  record: Readonly<Record<string, Settings>>,
  makeValue: (settings: Settings, name: string) => Value,
): (name: string) => Value | undefined {
  const exact = new Map<string, Value>()
  const globs: { glob: string; value: Value }[] = []
  for (const [name, settings] of Object.entries(record)) {
    const value = makeValue(settings, name)
    if (name.includes('*')) globs.push({ glob: name, value })
    else exact.set(name, value)
  }
  return (name) => exact.get(name) ?? globs.find(({ glob }) => matchesGlob(glob, name))?.value
}

function limitsOf(source: ScenarioSource): Scenario['limitsOf'] {
  const owners = [source, ...Object.values(source.keys ?? {}), ...Object.values(source.models ?? {})]
  if (owners.every(({ limits }) => limits === undefined)) return undefined
  const ofScenario = compileLimits(source.limits, 'scenario')
  return (key, model) => combineLimits(ofScenario, key?.limits, model?.limits)
}

const withLimits = (
  { limits }: { readonly limits?: Parameters<typeof compileLimits>[0] },
  scope: string,
): { readonly limits?: Limits } => (limits === undefined ? {} : { limits: compileLimits(limits, scope) })

function withBudget(scenario: ScenarioSource, key: Pick<ScenarioSource, 'budget'> = {}): { readonly budget?: Budget } {
  const budget = compileBudget(scenario.budget, key.budget)
  return budget === undefined ? {} : { budget }
}

type WithFault = Readonly<
  { fault?: string | number | undefined } & { [Name in OptionName]?: string | number | undefined }
>

/** The fault of a rule or key with its options. */
function configuredFaultOf(settings: WithFault): ConfiguredFault | undefined {
  if (settings.fault === undefined) return undefined
  const reading = readFault(settings.fault, optionsOf(withoutCallCount(settings)))
  if ('problem' in reading) throw new Error(reading.problem)
  return reading.configured
}

type ReplySource = NonNullable<ScenarioSource['replies']>[number]
type StatesSource = NonNullable<ScenarioSource['states']>
type StateSource = StatesSource[string]

function compileStates(source: StatesSource, stateOf: (name: string, state: StateSource) => State): States {
  const entries = Object.entries(source)
  return {
    machine: {
      first: entries[0]![0],
      exits: new Map(entries.map(([name, state]) => [name, exitOf(state)])),
    },
    byName: new Map(entries.map(([name, state]) => [name, stateOf(name, state)])),
  }
}

/** `lasts: 20 calls`, `lasts: 30s`. */
function exitOf({ lasts, next }: StateSource): Exit | undefined {
  if (lasts === undefined || next === undefined) return undefined
  const ms = parseDuration(lasts)
  return ms === undefined ? { next, calls: parseCallCount(lasts)! } : { next, ms }
}

/** The first listed key without a fault; `sk-test` if no key is listed. */
function exampleKey(source: ScenarioSource): string {
  const keys = Object.entries(source.keys ?? {}).filter(([, settings]) => settings.fault === undefined)
  const [name] = keys.find(([key]) => !key.includes('*')) ?? keys[0] ?? ['sk-test']
  return name.replaceAll('*', 'local')
}
