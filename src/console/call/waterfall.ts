/** The phases of an answer, as planned and as they happened. */
import type { Step } from '../../core/journal/entry.ts'
import { summarizeChunk } from './read-answer.ts'

/** A span of time, in milliseconds of the mock's clock since the call arrived. */
export interface TimeSpan {
  readonly fromMs: number
  readonly toMs: number
}

export interface Phase {
  readonly name: string
  readonly planned: TimeSpan
  /** Undefined for a phase that did not happen. */
  readonly actual?: TimeSpan
  /** The times at which a part was sent. */
  readonly ticksMs: readonly number[]
}

/** The planned time of each step: the sum of the waits before it. */
export function plannedTimes(steps: readonly Step[]): number[] {
  let dueMs = 0
  return steps.map((step) => {
    const atMs = dueMs
    if (step.type === 'wait') dueMs += step.ms
    return atMs
  })
}

/** The phases of an answer, in order. Phases that take no time are left out, except the wait. */
export function layOutPhases(steps: readonly Step[]): readonly Phase[] {
  const planned = plannedTimes(steps)
  const head = steps.findIndex(({ type }) => type === 'head' || type === 'raw')
  const last = steps.length - 1
  if (last < 0) return []
  // The steps that send a part of the answer's content.
  const contents = steps.flatMap((step, index) => {
    if (step.type !== 'send' || step.data === undefined || !step.data.startsWith('data:')) return []
    // Neither the first chunk with the role nor the closing ones.
    return /^(?:start|usage|finish: \w+|data: \[DONE\])$/.test(summarizeChunk(step.data)) ? [] : [index]
  })
  const first = contents[0]
  const final = contents.at(-1)
  const isStream = contents.length > 1
  const bounds: [name: string, from: number | 'start', to: number][] = [['Wait', 'start', head < 0 ? last : head]]
  if (isStream) bounds.push(['First token', head, first!], ['Tokens', first!, final!])
  if (head >= 0) bounds.push([isStream ? 'End' : 'Answer', isStream ? final! : head, last])
  const phases = bounds.map(([name, from, to]): Phase => {
    const start = from === 'start' ? 0 : steps[from]!.atMs
    const end = steps[to]!.atMs
    return {
      name,
      planned: { fromMs: from === 'start' ? 0 : planned[from]!, toMs: planned[to]! },
      ...(start !== undefined && end !== undefined && { actual: { fromMs: start, toMs: end } }),
      ticksMs: name === 'Tokens' ? contents.flatMap((index) => steps[index]!.atMs ?? []) : [],
    }
  })
  return phases.filter(({ name, planned, actual }) => name === 'Wait' || lengthOf(planned) > 0 || lengthOf(actual) > 0)
}

/** The length in milliseconds; 0 for a phase that did not happen. */
export const lengthOf = (span: TimeSpan | undefined): number => (span === undefined ? 0 : span.toMs - span.fromMs)

/** The parts per second; undefined for fewer than two. */
export function ratePerSecond({ ticksMs }: Phase): number | undefined {
  const spanMs = (ticksMs.at(-1) ?? 0) - (ticksMs[0] ?? 0)
  return ticksMs.length < 2 || spanMs <= 0 ? undefined : ((ticksMs.length - 1) * 1000) / spanMs
}
