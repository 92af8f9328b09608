/** The schedule of a fault rule, compiled: which of the calls that its `when` matches it strikes. */
import { parseDuration } from '../../text/duration.ts'
import type { ScenarioSource } from '../grammar/schema.ts'
import { type Bursts, compileBursts } from './bursts.ts'

/** All of it must hold. What counts calls comes last, so that a call which the rest lets pass is not counted. */
export interface Schedule {
  /** From 0 to 1; drawn by key, request and attempt. */
  readonly chance?: number
  /** Any of them. */
  readonly spans?: readonly Span[]
  readonly bursts?: Bursts
  /** Each how many calls of a key that all of the above lets strike. */
  readonly every?: number
  /** The most strikes for each key. */
  readonly first?: number
}

/** From a time on until before another, in milliseconds since the mock was started or reset. */
interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

type Rule = NonNullable<ScenarioSource['faults']>[number]

/** The schedule of a rule; undefined for a rule without one, which strikes each call it matches. */
export function compileSchedule(rule: Rule, place: string, seed: string): Schedule | undefined {
  const { chance, every, first, bursts } = rule
  const spans = spansOf(rule)
  const schedule: Schedule = {
    ...(chance !== undefined && { chance: typeof chance === 'number' ? chance : Number.parseFloat(chance) / 100 }),
    ...(spans !== undefined && { spans }),
    ...(bursts !== undefined && {
      bursts: compileBursts(`${seed}|${place}|bursts`, { goodMs: msOf(bursts.good), badMs: msOf(bursts.bad) }),
    }),
    ...(every !== undefined && { every }),
    ...(first !== undefined && { first }),
  }
  return Object.keys(schedule).length === 0 ? undefined : schedule
}

function spansOf({ between, from, until }: Rule): Span[] | undefined {
  if (between !== undefined) return [between].flat().map(parseSpan)
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
