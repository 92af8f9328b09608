/**
 * Compiles the rules of a scenario, one function for each kind: keys, models, replies, faults and states.
 *
 *   { when: { user: 'rain' }, say: 'Take an umbrella.', delay: '2s' }                           a rule of `replies`
 *   { ruleId: 'replies[0]', match: (facts) => ..., say: ['Take an umbrella.'], pace: (base) => ... }  compiled
 */
import { parseDuration } from '../../lib/text/duration.ts'
import { toList } from '../../lib/text/json.ts'
import type { ConfiguredFault } from '../../protocol/faults/fault.ts'
import type { PlacedFunction, ReplyCall, ReplyText, SayFunction } from '../../protocol/turn/reply-function.ts'
import { type CompiledWhen, compileWhen } from '../conditions/when.ts'
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
import { parseCallCount } from './call-count.ts'
import { compileFault, compileSchedule, faultConditions, type Schedule } from './fault-settings.ts'
import type { Ignore } from './ignore.ts'
import { compileLimits, type Limits } from './limits.ts'
import { compilePace, type Pace } from './pace.ts'
import type { PatternCompiler } from './pattern-text.ts'
import { compileAnswer, type RecordedAnswer } from './recorded-answer.ts'
import type { StateExit } from './states.ts'

/** The settings of a scenario that its rules are compiled with. */
export interface RuleContext {
  readonly seed: string
  readonly ignore: Ignore | undefined
  readonly compilePattern: PatternCompiler
}

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

export const compileKey = (
  settings: KeySource,
  listed: string | undefined,
  scenarioBudget: ScenarioSource['budget'],
): KeyRule => ({
  name: listed,
  limits: settings.limits && compileLimits(settings.limits, 'key'),
  budget: compileBudget(scenarioBudget, settings.budget),
  fault: compileFault(settings),
  session: settings.session,
  schedule: settings.skip === undefined ? undefined : { skip: settings.skip },
})

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

export const compileModel = (settings: ModelSource, listed: string, scenarioPace: Pace | undefined): Model => ({
  ...settings,
  listed,
  limits: settings.limits && compileLimits(settings.limits, `model:${listed}`),
  prices: settings.prices && compilePrices(settings.prices),
  pace: settings.pace && compilePace(settings.pace, `models.${listed}.pace`, scenarioPace),
})

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

export function compileReply(rule: ReplySource, index: number, context: RuleContext): ReplyRule {
  const { when, say, call, reply, answer, delay, finish, items, refuse } = rule
  const ruleId = `replies[${index}]`
  const ownPace = delay === undefined ? rule.pace : { firstToken: delay }
  const field = reply === undefined ? 'call' : 'reply'
  const run = reply ?? call
  return {
    ...compileConditions(when, context),
    ruleId,
    finish,
    items,
    refuse,
    isForResults: when?.toolResult !== undefined,
    say: say === undefined ? undefined : toList(say),
    call: typeof call === 'function' ? [] : call && toList(call),
    code: typeof run === 'function' ? { field, path: `${ruleId}.${field}`, run } : undefined,
    answers: answer && toList(answer).map(compileAnswer),
    pace: ownPace && ((base) => compilePace(ownPace, `${ruleId}.pace`, base)),
    fault: compileFault(rule),
  }
}

/** A rule of `faults`, of the scenario or of a state. */
export interface FaultRule extends CompiledWhen {
  readonly ruleId: string
  readonly fault: ConfiguredFault
  /** Undefined: the fault happens to every matching call. */
  readonly schedule: Schedule | undefined
}

/** @param list the path of the rules: `faults`, or `states.down.faults`. */
export const compileFaultRules = (rules: readonly FaultSource[] = [], list: string, context: RuleContext) =>
  rules.map((rule, index): FaultRule => {
    const ruleId = `${list}[${index}]`
    return {
      ...compileConditions(faultConditions(rule), context),
      ruleId,
      fault: compileFault(rule)!,
      schedule: compileSchedule(rule, ruleId, context.seed),
    }
  })

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

export function compileState(name: string, { faults, pace, lasts, next }: StateSource, context: RuleContext): State {
  // `lasts: 30s` or `lasts: 20 calls`
  const ms = parseDuration(lasts)
  const end = ms === undefined ? { calls: parseCallCount(lasts)! } : { ms }
  return {
    name,
    exit: next === undefined ? undefined : { next, ...end },
    faults: compileFaultRules(faults, `states.${name}.faults`, context),
    pace: compilePace(pace, `states.${name}.pace`),
  }
}

/** The conditions of a rule. A recorded request is compared without its ignored parts, as the call's is. */
function compileConditions(when: WhenSource | undefined, { ignore, compilePattern }: RuleContext): CompiledWhen {
  if (ignore === undefined || when?.request === undefined) return compileWhen(when, compilePattern)
  return compileWhen({ ...when, request: ignore(when.request) }, compilePattern)
}
