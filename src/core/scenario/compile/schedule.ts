/** The schedule of a fault rule, compiled: to which of the calls that its `when` matches the fault happens. */
import { parseDuration } from '../../text/duration.ts'
import { toList } from '../../text/to-list.ts'
import type { ScenarioSource } from '../grammar/schema.ts'
import { type Bursts, compileBursts } from './bursts.ts'

/** All of it must hold. What counts calls comes last, so that only calls which fulfil the rest are counted. */
export interface Schedule {
  /** From 0 to 1; drawn by key, request and attempt. */
  readonly chance?: number
  /** Any of them. */
  readonly spans?: readonly Span[]
  readonly bursts?: Bursts
  /** Every n-th call of a key that fulfils all of the above. */
  readonly every?: number
  /** At most so many calls of each key. */
  readonly times?: number
}

/** From one time to before another, in milliseconds since the mock was started or reset. */
interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

type Rule = NonNullable<ScenarioSource['faults']>[number]

/** Undefined for a rule without a schedule, whose fault happens to every call that it matches. */
export function compileSchedule(rule: Rule, ruleId: string, seed: string): Schedule | undefined {
  const { chance, every, times, bursts } = rule
  const spans = spansOf(rule)
  const schedule: Schedule = {
    ...(chance !== undefined && { chance: typeof chance === 'number' ? chance : Number.parseFloat(chance) / 100 }),
    ...(spans !== undefined && { spans }),
    ...(bursts !== undefined && {
      bursts: compileBursts(`${seed}|${ruleId}|bursts`, { goodMs: msOf(bursts.good), badMs: msOf(bursts.bad) }),
    }),
    ...(every !== undefined && { every }),
    ...(times !== undefined && { times }),
  }
  return Object.keys(schedule).length === 0 ? undefined : schedule
}

function spansOf({ between, from, until }: Rule): Span[] | undefined {
  if (between !== undefined) return toList(between).map(parseSpan)
  if (from === undefined && until === undefined) return undefined
  return [
    {
      fromMs: from === undefined ? 0 : msOf(from),
      untilMs: until === undefined ? Number.POSITIVE_INFINITY : msOf(until),
    },
  ]
}

/** The times of `10s and 20s`. */
export function parseSpan(text: string): Span {
  const [from, until] = text.split(' and ') as [string, string]
  return { fromMs: msOf(from), untilMs: msOf(until) }
}

const msOf = (duration: string): number => parseDuration(duration) ?? 0
