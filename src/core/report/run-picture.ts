/**
 * The picture of a run as data: a lane for each key or session, with its calls as bars, the waits between them and the levels
 * of its limits. The page, the HTML report and a finding of a hunt draw it.
 *
 *   drawRun([{ number: 1, at: 100, durationMs: 50, status: 429, ... }, { number: 2, at: 1150, durationMs: 80, status: 200, ... }])
 *   one lane with the bars #1 (0 to 50 ms) and #2 (1050 to 1130 ms) in one row, and a wait from 50 to 1050 ms
 */
import { type LimitLevel, readLevels } from '../journal/call-details.ts'
import type { JournalEntry } from '../journal/entry.ts'
import { findRetries, groupAttempts, groupBy, hasFailed } from './attempts.ts'

// biome-ignore format: a list
type Copied = 'number' | 'at' | 'durationMs' | 'status' | 'outcome' | 'key' | 'caller' | 'session' | 'request' | 'method' | 'reason'

/** The facts of a call that the picture shows. */
export interface DrawnCall extends Pick<JournalEntry, Copied> {
  readonly levels?: readonly LimitLevel[] | undefined
}

/** The facts of a call of the journal that the picture shows. @param speed simulated milliseconds per real one. */
export function drawnCall(entry: JournalEntry, speed: number): DrawnCall {
  const { number, at, durationMs, status, outcome, key, caller, session, request, method, reason, headers } = entry
  const levels = readLevels(headers, speed)
  return { number, at, durationMs, status, outcome, key, caller, session, request, method, reason, levels }
}

/** The kinds of bars, in the order of the legend. */
export const BAR_KINDS = ['answered', 'fault', 'limit', 'error', 'left', 'open'] as const

/** The end of a call: answered, changed by a fault, refused by a limit, any other error, left by its client, or open. */
export type BarKind = (typeof BAR_KINDS)[number]

/** Times are in milliseconds of the mock's clock since the first call. */
export interface Bar {
  readonly number: number
  readonly kind: BarKind
  /** The index of its row in the lane, from 0. */
  readonly row: number
  readonly fromMs: number
  /** For an open call, the end of the run. */
  readonly toMs: number
}

/** The time between a failed call and its retry, which are in the same row. */
export interface Wait {
  readonly failed: number
  readonly next: number
  readonly row: number
  readonly fromMs: number
  readonly toMs: number
}

/** The share of a limit that is used, from 0 to 1, as corners of a line. */
export type LevelLine = Readonly<ReturnType<typeof drawLevels>[number]>

/** The calls of one key, or of one session of it. */
export type Lane = Readonly<ReturnType<typeof drawLane>>

/** The most lanes. The keys and sessions after them share the last one. */
export const MAX_LANES = 24

/** The lanes of a run, and its length, which is more than 0. @param calls ascending by number. */
export function drawRun(calls: readonly DrawnCall[]) {
  // No `Math.min(...)`: more than a hundred thousand arguments overflow the stack.
  let startMs = Number.POSITIVE_INFINITY
  for (const { at } of calls) startMs = Math.min(startMs, at)
  let totalMs = 1
  for (const { at, durationMs } of calls) totalMs = Math.max(totalMs, at + durationMs - startMs)

  const groups = groupBy(calls, ({ caller, session = '' }) => `${caller} ${session}`)
  const withOwnLane = groups.length > MAX_LANES ? groups.slice(0, MAX_LANES - 1) : groups
  const lanes = withOwnLane.map((group) => drawLane(group, 1, startMs, totalMs))
  const others = groups.slice(withOwnLane.length)
  if (others.length > 0) {
    const inOrder = others.flat().sort((a, b) => a.number - b.number)
    lanes.push(drawLane(inOrder, others.length, startMs, totalMs))
  }
  return { totalMs, lanes }
}

/** @param owners the number of keys and sessions in the lane: more than 1 in the last lane of many. */
function drawLane(calls: readonly DrawnCall[], owners: number, startMs: number, totalMs: number) {
  const retries = groupAttempts(calls).flatMap((attempts) => findRetries(attempts))
  const retryOf = new Map(retries.map(({ failed, next }) => [failed, next]))
  const retryCalls = new Set(retries.map(({ next }) => next))
  const bars: Bar[] = []
  const waits: Wait[] = []
  /** The end of the last bar of each row. */
  const rowEnds: number[] = []
  for (const first of calls) {
    // A retry is drawn after the call that it retries.
    if (retryCalls.has(first)) continue
    const freeRow = rowEnds.findIndex((endMs) => endMs <= first.at - startMs)
    const row = freeRow < 0 ? rowEnds.length : freeRow
    // A call and its retries have the row until the last of them ends, so that no bar is on a line between them.
    for (let call: DrawnCall | undefined = first; call !== undefined; ) {
      const next = retryOf.get(call)
      const fromMs = call.at - startMs
      // Timers may fire a little early, so a retry may arrive before its call has ended.
      const nextMs = (next?.at ?? Number.POSITIVE_INFINITY) - startMs
      const toMs = Math.min(call.outcome === 'open' ? totalMs : call.at + call.durationMs - startMs, nextMs)
      bars.push({ number: call.number, kind: kindOf(call), row, fromMs, toMs })
      if (next !== undefined) waits.push({ failed: call.number, next: next.number, row, fromMs: toMs, toMs: nextMs })
      rowEnds[row] = toMs
      call = next
    }
  }
  // In the order of their arrival. Those of a row do not overlap.
  bars.sort((a, b) => a.number - b.number)
  const { key, session } = calls[0]!
  const levels = owners === 1 ? drawLevels(calls, startMs, totalMs) : []
  return { key, session, owners, rows: rowEnds.length, bars, waits, levels }
}

/** The kind of a call's bar. */
export function kindOf({ outcome, reason, status }: Pick<DrawnCall, 'outcome' | 'reason' | 'status'>): BarKind {
  if (outcome === 'open') return 'open'
  if (reason.by === 'fault' || reason.by === 'limit') return reason.by
  if (outcome === 'client-left') return 'left'
  return hasFailed({ status, outcome }) ? 'error' : 'answered'
}

/**
 * Draws the levels that the headers of answers tell: each rises with a call and falls evenly until the next one. Answers of
 * faults may tell anything, so they do not count.
 */
function drawLevels(calls: readonly DrawnCall[], startMs: number, totalMs: number) {
  const answers = calls.filter(({ reason }) => reason.by !== 'fault')
  const allLevels = answers.flatMap(({ at, levels = [] }) => levels.map((level) => ({ ...level, atMs: at - startMs })))
  return groupBy(allLevels, ({ kind, limit }) => `${kind} ${limit}`).map((levels) => {
    const { kind, limit } = levels[0]!
    const points: [atMs: number, share: number][] = [[0, 0]]
    for (const [index, { atMs, used, resetMs }] of levels.entries()) {
      const share = used / limit
      const nextMs = levels[index + 1]?.atMs ?? totalMs
      if (index === 0) points.push([atMs, 0])
      points.push([atMs, share])
      if (atMs + resetMs < nextMs) points.push([atMs + resetMs, 0])
      points.push([nextMs, Math.max(0, share * (1 - (nextMs - atMs) / resetMs))])
    }
    return { kind, limit, points }
  })
}

/** The last range is from 5 hours on. */
const MAX_BINS = 24

/** A histogram of the durations of calls that have ended: 0 to 1 ms, to 2, 5, 10, 20, 50 and so on. */
export function binDurations(calls: readonly DrawnCall[]) {
  const edgeOf = (index: number): number => 10 ** Math.floor(index / 3) * [1, 2, 5][index % 3]!
  const bins = Array.from({ length: MAX_BINS }, (_, index) => {
    const fromMs = index === 0 ? 0 : edgeOf(index - 1)
    return { fromMs, toMs: edgeOf(index), answered: 0, failed: 0 }
  })
  for (const call of calls) {
    const bin = bins.find(({ toMs }) => call.durationMs < toMs) ?? bins.at(-1)!
    if (call.outcome !== 'open') bin[kindOf(call) === 'answered' ? 'answered' : 'failed']++
  }
  const isUsed = ({ answered, failed }: (typeof bins)[number]): boolean => answered + failed > 0
  return bins.slice(Math.max(0, bins.findIndex(isUsed)), bins.findLastIndex(isUsed) + 1)
}
