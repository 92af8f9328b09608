/**
 * Compiles the rules of a scenario, one function for each kind: keys, models, replies, faults and states.
 *
 *   { when: { user: 'rain' }, say: 'Take an umbrella.', delay: '2s' }                           a rule of `replies`
 *   { ruleId: 'replies[0]', match: (facts) => ..., say: ['Take an umbrella.'], pace: (base) => ... }  compiled
 */
import { parseDuration } from '../../lib/text/duration.ts'
import { toList } from '../../lib/text/json.ts'
import { compileWhen } from '../conditions/when.ts'
import type {
  FaultSource,
  KeySource,
  ModelSource,
  ReplySource,
  ScenarioSource,
  StateSource,
  WhenSource,
} from '../scenario-source.ts'
import { compileBudget, compilePrices } from './budget.ts'
import { compileFault, compileSchedule, faultConditions } from './fault-settings.ts'
import type { Ignore } from './ignore.ts'
import { compileLimits } from './limits.ts'
import { compilePace, type Pace } from './pace.ts'
import type { PatternCompiler } from './pattern-text.ts'
import { compileAnswer } from './recorded-answer.ts'

/** The settings of a scenario that its rules are compiled with. */
export interface RuleContext {
  readonly seed: string
  readonly ignore: Ignore | undefined
  readonly compilePattern: PatternCompiler
}

/** The settings of a key. */
export type KeyRule = Readonly<ReturnType<typeof compileKey>>

export const compileKey = (
  settings: KeySource,
  listed: string | undefined,
  scenarioBudget: ScenarioSource['budget'],
) => ({
  /** The name or pattern that lists the key; undefined when any key is accepted. */
  name: listed,
  /** Limits of its own. */
  limits: settings.limits && compileLimits(settings.limits, 'key'),
  /** The most that the key may use in total: its own budget, and the scenario's for the units that it leaves out. */
  budget: compileBudget(scenarioBudget, settings.budget),
  fault: compileFault(settings),
  /** The session of its calls; undefined for that which a call names. */
  session: settings.session,
  /** Undefined: the fault happens to every call of the key. */
  schedule: settings.skip === undefined ? undefined : { skip: settings.skip },
})

/** The settings of a model: as in the scenario, with some compiled. Without any settings where any model is accepted. */
export type Model = Readonly<Partial<ReturnType<typeof compileModel>>>

export const compileModel = (settings: ModelSource, listed: string, scenarioPace: Pace | undefined) => ({
  ...settings,
  /** The name or pattern that lists the model. */
  listed,
  /** The limits of this rule, counted for each key. */
  limits: settings.limits && compileLimits(settings.limits, `model:${listed}`),
  /** Every model has prices where a budget counts dollars. */
  prices: settings.prices && compilePrices(settings.prices),
  /** Replaces the scenario's pace; fields that the model leaves out are the scenario's. */
  pace: settings.pace && compilePace(settings.pace, `models.${listed}.pace`, scenarioPace),
})

/** A rule of `replies`, with one of its answers. */
export type ReplyRule = Readonly<ReturnType<typeof compileReply>>

export function compileReply(rule: ReplySource, index: number, context: RuleContext) {
  const { when, say, call, reply, answer, delay, finish, items, refuse } = rule
  const ruleId = `replies[${index}]`
  // `delay: 2s` is short for `pace: { firstToken: 2s }`.
  const ownPace = delay === undefined ? rule.pace : { firstToken: delay }
  const field: 'call' | 'reply' = reply === undefined ? 'call' : 'reply'
  const given = rule[field]
  return {
    ...compileConditions(when, context),
    /** Its path in the scenario: `replies[2]`. */
    ruleId,
    finish,
    items,
    refuse,
    /** True with the condition `toolResult`. */
    isForResults: when?.toolResult !== undefined,
    /** Used one after the other; an object is sent as JSON. */
    say: say === undefined ? undefined : toList(say),
    /** Calls of one answer; missing arguments are generated. Empty if a function returns the calls. */
    call: typeof call === 'function' ? [] : call && toList(call),
    /** Returns the calls, or the whole answer; undefined for a rule without such a function. */
    code: typeof given === 'function' ? { field, path: `${ruleId}.${field}`, run: given } : undefined,
    /** Recorded answers, replayed one after the other. */
    answers: answer && toList(answer).map(compileAnswer),
    /** The pace of its answers, made from the pace that the call has without the rule; undefined for that pace. */
    pace: ownPace && ((base: Pace | undefined) => compilePace(ownPace, `${ruleId}.pace`, base)),
    fault: compileFault(rule),
  }
}

/** Compiles the rules of `faults`, of the scenario or of a state. @param list the path of the rules: `faults`, or `states.down.faults`. */
export const compileFaultRules = (rules: readonly FaultSource[] = [], list: string, context: RuleContext) =>
  rules.map((rule, index) => {
    const ruleId = `${list}[${index}]`
    return {
      ...compileConditions(faultConditions(rule), context),
      ruleId,
      fault: compileFault(rule)!,
      /** Undefined: the fault happens to every matching call. */
      schedule: compileSchedule(rule, ruleId, context.seed),
    }
  })

/** The faults, the pace and the exit of one state. */
export type State = Readonly<ReturnType<typeof compileState>>

export function compileState(name: string, { faults, pace, lasts, next }: StateSource, context: RuleContext) {
  // `lasts: 30s` or `lasts: 20 calls`
  const ms = parseDuration(lasts)
  const end = ms === undefined ? { calls: Number.parseInt(lasts!, 10) } : { ms }
  return {
    name,
    /** Undefined: the state never ends. */
    exit: next === undefined ? undefined : { next, ...end },
    /** Tried before the faults of the scenario. */
    faults: compileFaultRules(faults, `states.${name}.faults`, context),
    /** Replaces the scenario's pace; undefined: the scenario's pace applies. */
    pace: compilePace(pace, `states.${name}.pace`),
  }
}

/** The conditions of a rule. A recorded request is compared without its ignored parts, as the call's is. */
function compileConditions(when: WhenSource | undefined, { ignore, compilePattern }: RuleContext) {
  if (ignore === undefined || when?.request === undefined) return compileWhen(when, compilePattern)
  return compileWhen({ ...when, request: ignore(when.request) }, compilePattern)
}
