/**
 * Compiles a scenario: durations to numbers, names and patterns to functions.
 *
 * The source was checked before and is not checked again, so a start with a built-in scenario does not load the schema.
 */

import { Random } from '../../lib/random/random.ts'
import { parseDuration } from '../../lib/text/duration.ts'
import { toList } from '../../lib/text/json.ts'
import type { ConfiguredFault } from '../../protocol/faults/fault.ts'
import type { PlacedFunction, ReplyCall, ReplyText, SayFunction } from '../../protocol/turn/reply-function.ts'
import type {
  FaultSource,
  KeySource,
  ModelSource,
  ReplySource,
  ScenarioSource,
  StateSource,
  WhenSource,
} from '../scenario-source.ts'
import { type Budget, compileBudget, compilePrices, type Prices } from './budget.ts'
import { parseCallCount, skipOf } from './call-count.ts'
import { compileFault, compileSchedule, faultConditions, type Schedule } from './fault-settings.ts'
import { matchesGlob } from './glob.ts'
import { compileIgnore, type Ignore } from './ignore.ts'
import { combineLimits, compileLimits, compileShared, type Limits, type SharedLimits } from './limits.ts'
import { compilePace, type Pace } from './pace.ts'
import type { PatternCompiler } from './pattern-text.ts'
import { compileAnswer, type RecordedAnswer } from './recorded-answer.ts'
import type { StateExit, StateMachine } from './states.ts'
import { type CompiledWhen, compileWhen } from './when.ts'

export type { Pace } from './pace.ts'

/** The settings of a key. */
export interface KeyRule {
  /** The name or pattern that lists the key; undefined when any key is accepted. */
  readonly name: string | undefined
  /** Limits of its own. */
  readonly limits: Limits | undefined
  /** The most that the key may use in total: its own budget, and the scenario's for the units that it leaves out. */
  readonly budget: Budget | undefined
  readonly fault: ConfiguredFault | undefined
  /** The session of its calls; undefined for that which a call names. */
  readonly session: string | undefined
  /** Undefined: the fault happens to every call of the key. */
  readonly schedule: Schedule | undefined
}

/** The settings of a model: as in the scenario, with these compiled. */
export interface Model extends Readonly<Omit<ModelSource, 'limits' | 'prices' | 'pace'>> {
  /** The name or pattern that lists the model; undefined when any model is accepted. */
  readonly listed?: string
  /** Limits of its own, for each key. */
  readonly limits?: Limits | undefined
  /** Every model has prices where a budget counts dollars. */
  readonly prices?: Prices | undefined
  /** Replaces the scenario's pace; fields that the model leaves out are the scenario's. */
  readonly pace?: Pace | undefined
}

export type CacheStyle = NonNullable<ScenarioSource['cache']>

/** A rule of `replies`, with one of its answers. */
export interface ReplyRule extends CompiledWhen, Readonly<Pick<ReplySource, 'finish' | 'items' | 'refuse'>> {
  /** Its path in the scenario: `replies[2]`. */
  readonly ruleId: string
  /** Used one after the other; an object is sent as JSON. */
  readonly say?: readonly (ReplyText | SayFunction)[] | undefined
  /** Calls of one answer; missing arguments are generated. Empty if a function returns the calls. */
  readonly call?: readonly ReplyCall[] | undefined
  /** Returns the calls, or the whole answer; undefined for a rule without such a function. */
  readonly code?: PlacedFunction | undefined
  /** Recorded answers, replayed one after the other. */
  readonly answers?: readonly RecordedAnswer[] | undefined
  /** True with the condition `toolResult`. */
  readonly isForResults: boolean
  /** The pace of its answers, made from the pace that the call has without the rule; undefined for that pace. */
  readonly pace?: ((base: Pace | undefined) => Pace | undefined) | undefined
  readonly fault?: ConfiguredFault | undefined
}

/** A rule of `faults`, of the scenario or of a state. */
interface FaultRule extends CompiledWhen {
  readonly ruleId: string
  readonly fault: ConfiguredFault
  /** Undefined: the fault happens to every matching call. */
  readonly schedule: Schedule | undefined
}

/** The faults, the pace and the exit of one state. */
export interface State {
  readonly name: string
  /** Undefined: the state never ends. */
  readonly exit: StateExit | undefined
  /** Tried before the faults of the scenario. */
  readonly faults: readonly FaultRule[]
  /** Replaces the scenario's pace; undefined: the scenario's pace applies. */
  readonly pace: Pace | undefined
}

/** The states of a scenario. */
export interface States extends StateMachine {
  readonly byName: ReadonlyMap<string, State>
}

/** A scenario, ready to run. */
export interface Scenario {
  readonly name: string
  readonly description: string
  readonly seed: string
  /** The organisation every key belongs to. */
  readonly organization: string
  /** The project every key belongs to. */
  readonly project: string
  readonly strict: boolean
  /** True if a chat that no reply rule matches is a 404; otherwise it is echoed. */
  readonly refusesUnmatched: boolean
  /** A key that works, for the example the server prints. */
  readonly exampleKey: string
  /** Undefined when any key is accepted. */
  readonly keyRule: (key: string) => KeyRule | undefined
  /** True if any key belongs to a session. */
  readonly bindsKeys: boolean
  /** The scenarios of sessions, by the name of the session. */
  readonly sessions: ReadonlyMap<string, Scenario>
  /** The names of the models it lists, those with a star left out; undefined when any model is accepted. */
  readonly modelNames: readonly string[] | undefined
  readonly model: (name: string) => Model | undefined
  readonly replies: readonly ReplyRule[]
  /** True with recorded answers. Then a call that no rule matches was not recorded. */
  readonly isCassette: boolean
  /** Removes the parts of a request that are not compared with a recorded one; undefined when all are compared. */
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
  /** True if token limits count answers, not only what is sent. */
  readonly chargesAnswers: boolean
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
  const usedSeed = String(seed ?? source.seed ?? 1)
  const pace = compilePace(source.pace, 'pace')
  const ignore = source.ignore && compileIgnore(source.ignore)
  const conditionsOf = (when: WhenSource | undefined): CompiledWhen => {
    const isCompared = ignore !== undefined && when?.request !== undefined
    return compileWhen(isCompared ? { ...when, request: ignore(when.request!) } : when, compilePattern)
  }

  const keyRule = (settings: KeySource, listed?: string): KeyRule => {
    const skip = skipOf(settings.skip, settings.after)
    return {
      name: listed,
      limits: settings.limits && compileLimits(settings.limits, 'key'),
      budget: compileBudget(source.budget, settings.budget),
      fault: compileFault(settings),
      session: settings.session,
      schedule: skip === undefined ? undefined : { skip },
    }
  }
  const modelRule = (settings: ModelSource, listed: string): Model => ({
    ...settings,
    listed,
    limits: settings.limits && compileLimits(settings.limits, `model:${listed}`),
    prices: settings.prices && compilePrices(settings.prices),
    pace: settings.pace && compilePace(settings.pace, `models.${listed}.pace`, pace),
  })
  const replyRule = (rule: ReplySource, index: number): ReplyRule => {
    const { when, say, call, reply, answer, delay, finish, items, refuse } = rule
    const ruleId = `replies[${index}]`
    const ownPace = delay === undefined ? rule.pace : { firstToken: delay }
    const field = reply === undefined ? 'call' : 'reply'
    const run = reply ?? call
    return {
      ...conditionsOf(when),
      ...{ ruleId, finish, items, refuse },
      isForResults: when?.toolResult !== undefined,
      say: say === undefined ? undefined : toList(say),
      call: typeof call === 'function' ? [] : call && toList(call),
      code: typeof run === 'function' ? { field, path: `${ruleId}.${field}`, run } : undefined,
      answers: answer && toList(answer).map(compileAnswer),
      pace: ownPace && ((base) => compilePace(ownPace, `${ruleId}.pace`, base)),
      fault: compileFault(rule),
    }
  }
  const faultRules = (rules: readonly FaultSource[] = [], list: string): FaultRule[] =>
    rules.map((rule, index) => {
      const ruleId = `${list}[${index}]`
      return {
        ...conditionsOf(faultConditions(rule)),
        ruleId,
        fault: compileFault(rule)!,
        schedule: compileSchedule(rule, ruleId, usedSeed),
      }
    })
  const compileState = ([state, { faults, pace, lasts, next }]: [string, StateSource]): [string, State] => {
    // `lasts: 20 calls`, `lasts: 30s`
    const ms = parseDuration(lasts)
    const end = ms === undefined ? { calls: parseCallCount(lasts)! } : { ms }
    const own = {
      name: state,
      exit: next === undefined ? undefined : { next, ...end },
      faults: faultRules(faults, `states.${state}.faults`),
      pace: compilePace(pace, `states.${state}.pace`),
    }
    return [state, own]
  }

  const anyKey = keyRule({})
  const anyModel: Model = {}
  const { keys, models, replies = [], states } = source
  const names = Object.keys(keys ?? {}).filter((key) => keys![key]!.fault === undefined)
  const unbound = names.filter((key) => keys![key]!.session === undefined)
  const examples = unbound.length > 0 ? unbound : names
  const example = examples.find((key) => !key.includes('*')) ?? examples[0] ?? 'sk-test'
  const hasLimits = [source, ...Object.values(keys ?? {}), ...Object.values(models ?? {})].some(({ limits }) => limits)
  const scenarioLimits = compileLimits(source.limits, 'scenario')
  const sessions = new Map<string, Scenario>()
  for (const { session, scenario } of Object.values(keys ?? {})) {
    if (session === undefined || typeof scenario !== 'object') continue
    const options = { name: `session ${session}`, seed, compilePattern }
    sessions.set(session, compileScenario(scenario as ScenarioSource, options))
  }
  return {
    name,
    description: source.description ?? '',
    seed: usedSeed,
    organization: `org-${new Random(`${usedSeed}|organization`).alphanumeric(24)}`,
    project: `proj_${new Random(`${usedSeed}|project`).alphanumeric(24)}`,
    strict: source.validation === 'strict',
    refusesUnmatched: source.unmatched === 'refuse',
    exampleKey: example.replaceAll('*', 'local'),
    keyRule: keys ? namesToValues(keys, keyRule) : () => anyKey,
    bindsKeys: Object.values(keys ?? {}).some(({ session }) => session !== undefined),
    sessions,
    modelNames: models && Object.keys(models).filter((model) => !model.includes('*')),
    model: models ? namesToValues(models, modelRule) : () => anyModel,
    replies: replies.map(replyRule),
    isCassette: replies.some(({ answer }) => answer !== undefined),
    ignore,
    cache: source.cache ?? 'none',
    faults: faultRules(source.faults, 'faults'),
    pace,
    states: states && { first: Object.keys(states)[0]!, byName: new Map(Object.entries(states).map(compileState)) },
    limitsOf: hasLimits ? (key, model) => combineLimits(scenarioLimits, key?.limits, model?.limits) : undefined,
    sharedLimits: compileShared(source.limits?.shared),
    chargesAnswers: source.limits?.charge === 'answer',
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
