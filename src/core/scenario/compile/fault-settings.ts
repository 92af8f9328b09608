/**
 * Compiles the settings of a fault: its options, and the schedule that selects some of the calls that `when` matches.
 *
 *   { fault: 'delay', by: '2s', chance: '5%', skip: 3, when: { user: 'rain' } }
 *
 * Here `by` is an option of the fault, `chance` and `skip` are its schedule, and the rest has files of its own.
 */

import type { FaultOptionName } from '../../../generated/fault-types.ts'
import { durationMs } from '../../lib/text/duration.ts'
import { toList } from '../../lib/text/json.ts'
import type { ConfiguredFault } from '../../protocol/faults/fault.ts'
import { faults } from '../../protocol/faults/fault-catalogue.ts'
import { readFault } from '../../protocol/faults/read-fault.ts'
import type { FaultSource, WhenSource } from '../scenario-source.ts'
import { compileBursts } from './bursts.ts'

/** The name of an option that a scenario writes next to a fault's name; it writes a status as the fault: `fault: 418`. */
export type OptionName = Exclude<FaultOptionName, 'status'>

export const OPTION_NAMES = [...new Set(faults.flatMap(({ options }) => Object.keys(options)))]
  .filter((name) => name !== 'status')
  .sort() as OptionName[]

export const isOptionName = (name: string): boolean => (OPTION_NAMES as readonly string[]).includes(name)

/** The options among the settings of a rule or key. */
export const optionsOf = (settings: object): Partial<Record<OptionName, string | number>> =>
  Object.fromEntries(Object.entries(settings).filter(([name, value]) => value !== undefined && isOptionName(name)))

/** The fault of a rule or key, with its options. */
export function compileFault(settings: { readonly fault?: string | number | undefined }): ConfiguredFault | undefined {
  if (settings.fault === undefined) return undefined
  const reading = readFault(settings.fault, optionsOf(settings))
  if ('problem' in reading) throw new Error(reading.problem)
  return reading.configured
}

/**
 * The calls that a fault applies to, among those that the conditions of its rule match. All fields must hold. Counters come
 * last: they count only calls for which the other fields hold.
 */
export type Schedule = Readonly<Partial<NonNullable<ReturnType<typeof compileSchedule>>>>

type ScheduleSource = Omit<FaultSource, 'fault'>

/**
 * Undefined for a rule without a schedule, whose fault happens to every call that it matches.
 * @param ruleId names, with the seed, the random periods of `bursts`.
 */
export function compileSchedule(rule: ScheduleSource, ruleId: string, seed: string) {
  const { chance, between, from, until, bursts, skip, every, times } = rule
  const fields = [chance, between, from, until, bursts, skip, every, times]
  if (fields.every((field) => field === undefined)) return undefined
  const spans = between === undefined ? [[from, until]] : toList(between).map((text) => text.split(' and '))
  return {
    /** From 0 to 1; drawn by key, request and attempt. */
    chance: typeof chance === 'string' ? Number.parseFloat(chance) / 100 : chance,
    /** Milliseconds since the mock was started or reset; the fault happens within any of them. */
    spans: spans.map(([start, end]) => ({
      fromMs: durationMs(start),
      untilMs: end === undefined ? Number.POSITIVE_INFINITY : durationMs(end),
    })),
    bursts:
      bursts &&
      compileBursts(`${seed}|${ruleId}|bursts`, { goodMs: durationMs(bursts.good), badMs: durationMs(bursts.bad) }),
    /** The calls of a key that fulfil all of the above and pass without the fault, before the first with it. */
    skip,
    /** Every n-th call of a key that fulfils all of the above. */
    every,
    /** The maximum number of calls of each key. */
    times,
  }
}

/** The conditions of a fault rule; its own `attempt` is one of them. */
export const faultConditions = ({ when, attempt }: ScheduleSource): WhenSource | undefined =>
  attempt === undefined ? when : { ...when, attempt }

export type FaultSelection = WhenSource & Partial<ScheduleSource>

/** The conditions and the schedule of a fault rule, for messages. */
export function faultSelection(rule: ScheduleSource): FaultSelection {
  const { chance, between, from, until, bursts, skip, every, times } = rule
  return { ...faultConditions(rule), chance, between, from, until, bursts, skip, every, times }
}
