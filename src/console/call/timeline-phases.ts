/**
 * The timeline of an answer as its phases and as the rows of a table. The steps of a stream
 *
 *     wait 300 ms, head 200, send "data: {…}", wait 20 ms, send "data: {…}", send "data: [DONE]", end
 *
 * have the phases Wait, First token, Tokens and End, each planned and as it happened. Times are in milliseconds of the
 * mock's clock since the call arrived.
 */
import type { Step } from '../../core/journal/entry.ts'
import { hasContent } from '../../core/journal/read-answer.ts'

export type TimeSpan = Readonly<Record<'fromMs' | 'toMs', number>>

export interface Phase {
  readonly name: string
  readonly planned: TimeSpan
  /** Undefined for a phase that did not happen. */
  readonly actual: TimeSpan | undefined
  /** The times at which the parts of a stream were sent; none for the other phases. */
  readonly ticksMs: readonly number[]
}

/** The phases of an answer, in order. Phases that take no time are left out, except the wait. */
export function layOutPhases(steps: readonly Step[]): readonly Phase[] {
  const planned = plannedTimes(steps)
  const moments = steps.map((step, index) => ({ step, plannedMs: planned[index]!, actualMs: step.atMs }))
  const head = moments.find(({ step }) => step.type === 'head' || step.type === 'raw')
  const parts = moments.filter(({ step }) => step.type === 'send' && hasContent(step.data ?? ''))
  const last = moments.at(-1)
  if (last === undefined) return []
  const isStream = parts.length > 1

  // The moments at which the phases end. Each phase begins where the one before it ends.
  const ends = [{ name: 'Wait', end: head ?? last }]
  if (isStream) ends.push({ name: 'First token', end: parts[0]! }, { name: 'Tokens', end: parts.at(-1)! })
  if (head !== undefined) ends.push({ name: isStream ? 'End' : 'Answer', end: last })
  const phases = ends.map(({ name, end }, index): Phase => {
    const { plannedMs, actualMs: fromMs } = ends[index - 1]?.end ?? { plannedMs: 0, actualMs: 0 }
    const { plannedMs: dueMs, actualMs: toMs } = end
    return {
      name,
      planned: { fromMs: plannedMs, toMs: dueMs },
      actual: fromMs === undefined || toMs === undefined ? undefined : { fromMs, toMs },
      ticksMs: name === 'Tokens' ? parts.flatMap((part) => part.actualMs ?? []) : [],
    }
  })
  return phases.filter(({ name, planned, actual }) => name === 'Wait' || lengthOf(planned) > 0 || lengthOf(actual) > 0)
}

/** The length in milliseconds; 0 for a phase that did not happen. */
export const lengthOf = (span: TimeSpan | undefined): number => (span === undefined ? 0 : span.toMs - span.fromMs)

/** The planned time of each step: the sum of the waits before it. */
export function plannedTimes(steps: readonly Step[]): number[] {
  let dueMs = 0
  return steps.map((step) => {
    const atMs = dueMs
    if (step.type === 'wait') dueMs += step.ms
    return atMs
  })
}

/** The parts of a stream per second; undefined for fewer than two. */
export function ratePerSecond({ ticksMs }: Phase): number | undefined {
  const spanMs = (ticksMs.at(-1) ?? 0) - (ticksMs[0] ?? 0)
  return spanMs <= 0 ? undefined : ((ticksMs.length - 1) * 1000) / spanMs
}

/** The rows of the table: no waits, and equal steps that follow each other as one. */
export function joinSteps(steps: readonly Step[]) {
  const planned = plannedTimes(steps)
  const rows: { readonly step: Step; readonly plannedMs: number; readonly content: string; count: number }[] = []
  for (const [index, step] of steps.entries()) {
    if (step.type === 'wait') continue
    // Steps are equal if they differ only in their times; one that was not done is not equal to one that was.
    const { atMs, ...fields } = step
    const content = JSON.stringify([fields, atMs === undefined])
    const last = rows.at(-1)
    if (last?.content === content) last.count++
    else rows.push({ step, plannedMs: planned[index]!, content, count: 1 })
  }
  return rows
}
