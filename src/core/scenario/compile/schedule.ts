/** Compiles the schedule of a fault rule, which selects some of the calls that its `when` matches. */

import { durationMs } from '../../lib/text/duration.ts'
import { toList } from '../../lib/text/to-list.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import { type Bursts, compileBursts } from './bursts.ts'
import { parseCallCount } from './call-count.ts'
import type { When } from './when.ts'

/** All fields must hold. Counters come last: they count only calls for which the other fields hold. */
export interface Schedule {
  /** From 0 to 1; drawn by key, request and attempt. */
  readonly chance?: number
  /** The fault happens within any of them. */
  readonly spans?: readonly Span[]
  readonly bursts?: Bursts
  /** How many calls of a key that fulfil all of the above are left alone first. */
  readonly after?: number
  /** Every n-th call of a key that fulfils all of the above. */
  readonly every?: number
  /** The maximum number of calls of each key. */
  readonly times?: number
}

/** From one time to before another, in milliseconds since the mock was started or reset. */
export interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

type Rule = NonNullable<ScenarioSource['faults']>[number]

/** Undefined for a rule without a schedule, whose fault happens to every call that it matches. */
export function compileSchedule(rule: Rule, ruleId: string, seed: string): Schedule | undefined {
  const { every, times, bursts } = rule
  const chance = readChance(rule)
  const spans = readSpans(rule)
  const after = parseCallCount(rule.after)
  const schedule: Schedule = {
    ...(chance !== undefined && { chance }),
    ...(spans !== undefined && { spans }),
    ...(bursts !== undefined && {
      bursts: compileBursts(`${seed}|${ruleId}|bursts`, {
        goodMs: durationMs(bursts.good),
        badMs: durationMs(bursts.bad),
      }),
    }),
    ...(after !== undefined && { after }),
    ...(every !== undefined && { every }),
    ...(times !== undefined && { times }),
  }
  return Object.keys(schedule).length === 0 ? undefined : schedule
}

/** The times at which a fault can happen; undefined for always. */
export function readSpans({ between, from, until }: Rule): Span[] | undefined {
  if (between !== undefined) return toList(between).map(parseSpan)
  if (from === undefined && until === undefined) return undefined
  return [{ fromMs: durationMs(from), untilMs: until === undefined ? Number.POSITIVE_INFINITY : durationMs(until) }]
}

/** The chance from 0 to 1, of `5%` or 0.05. */
export const readChance = ({ chance }: Rule): number | undefined =>
  typeof chance === 'string' ? Number.parseFloat(chance) / 100 : chance

/** The conditions of a fault rule; its own `attempt` is one of them. */
export const readFaultConditions = ({ when, attempt }: Rule): When | undefined =>
  attempt === undefined ? when : { ...when, attempt }

/** The times of `10s and 20s`. */
function parseSpan(text: string): Span {
  const [from, until] = text.split(' and ') as [string, string]
  return { fromMs: durationMs(from), untilMs: durationMs(until) }
}
