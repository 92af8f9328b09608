/**
 * The timeline of an answer: its phases as a waterfall, and all steps as a table. The steps of a stream
 *
 *     wait 300 ms, head 200, send "data: {…}", wait 20 ms, send "data: {…}", send "data: [DONE]", end
 *
 * have the phases Wait, First token, Tokens and End, each planned and as it happened.
 */
import type { CallDetails } from '../../core/journal/call-details.ts'
import type { Step } from '../../core/journal/entry.ts'
import { hasContent, summarizeChunk } from '../../core/journal/read-answer.ts'
import { Section, Table } from '../parts/elements.tsx'
import { formatCount, formatMs } from '../parts/format.ts'

export function TimelineTab({ call: { timeline: steps, isWhole } }: { call: CallDetails }) {
  if (steps === undefined) return <p class="hint">The timeline is not in the journal.</p>
  return (
    <>
      <Waterfall phases={layOutPhases(steps)} />
      <StepsTable steps={steps} />
      {isWhole === false && <p class="hint">Some data is left out.</p>}
    </>
  )
}

type TimeSpan = Readonly<Record<'fromMs' | 'toMs', number>>

/** A phase of an answer. Times are in milliseconds of the mock's clock since the call arrived. */
type Phase = ReturnType<typeof layOutPhases>[number]

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
export function layOutPhases(steps: readonly Step[]) {
  if (steps.length === 0) return []
  const planned = plannedTimes(steps)
  const moments = steps.map((step, index) => ({ step, plannedMs: planned[index]!, actualMs: step.atMs }))
  const head = moments.find(({ step }) => step.type === 'head' || step.type === 'raw')
  const parts = moments.filter(({ step }) => step.type === 'send' && hasContent(step.data ?? ''))
  const end = moments.at(-1)!
  const isStream = parts.length > 1

  // Each phase begins where the one before it ends.
  const ends = [{ name: 'Wait', to: head ?? end }]
  if (isStream) ends.push({ name: 'First token', to: parts[0]! }, { name: 'Tokens', to: parts.at(-1)! })
  if (head !== undefined) ends.push({ name: isStream ? 'End' : 'Answer', to: end })
  const phases = ends.map(({ name, to }, index) => {
    const { plannedMs, actualMs } = ends[index - 1]?.to ?? { plannedMs: 0, actualMs: 0 }
    return {
      name,
      planned: { fromMs: plannedMs, toMs: to.plannedMs },
      /** Undefined for a phase that did not happen. */
      actual: actualMs === undefined || to.actualMs === undefined ? undefined : { fromMs: actualMs, toMs: to.actualMs },
      /** The times at which the parts of a stream were sent. */
      ticksMs: name === 'Tokens' ? parts.flatMap((part) => part.actualMs ?? []) : [],
    }
  })
  return phases.filter(({ name, planned, actual }) => name === 'Wait' || lengthOf(planned) > 0 || lengthOf(actual) > 0)
}

/** The length in milliseconds; 0 for a phase that did not happen. */
const lengthOf = (span: TimeSpan | undefined): number => (span === undefined ? 0 : span.toMs - span.fromMs)

/** The parts per second; undefined for fewer than two. */
export function ratePerSecond({ ticksMs }: Phase): number | undefined {
  const spanMs = (ticksMs.at(-1) ?? 0) - (ticksMs[0] ?? 0)
  return spanMs <= 0 ? undefined : ((ticksMs.length - 1) * 1000) / spanMs
}

function Waterfall({ phases }: { phases: readonly Phase[] }) {
  const totalMs = Math.max(0.001, ...phases.flatMap(({ planned, actual }) => [planned.toMs, actual?.toMs ?? 0]))
  const scale = (
    <div class="waterfall-scale">
      <span>0</span>
      <span>{formatMs(totalMs)}</span>
    </div>
  )
  return (
    <Table
      class="waterfall"
      title="Phases of the answer, planned and actual"
      columns={['Phase', 'Planned', 'Actual', scale]}
      numbers={[1, 2]}
      rows={phases.map((phase) => {
        const { name, planned, actual } = phase
        const rate = ratePerSecond(phase)
        return [
          [name, rate !== undefined && <span class="hint"> {Math.round(rate)}/s</span>],
          formatMs(lengthOf(planned)),
          actual === undefined ? 'never' : formatMs(lengthOf(actual)),
          <PhaseBar phase={phase} totalMs={totalMs} />,
        ]
      })}
    />
  )
}

/** More ticks than this would be one line. */
const MAX_TICKS = 200

/** The planned span as an outline, and the actual one filled; the table has both as text. */
function PhaseBar({ phase: { planned, actual, ticksMs }, totalMs }: { phase: Phase; totalMs: number }) {
  const percent = (ms: number): string => `${((100 * ms) / totalMs).toFixed(2)}%`
  const place = ({ fromMs, toMs }: TimeSpan) => ({ left: percent(fromMs), width: percent(toMs - fromMs) })
  const ticks = ticksMs.length > MAX_TICKS ? [] : ticksMs
  return (
    <div class="phase" aria-hidden="true">
      <span class="phase-planned" style={place(planned)} />
      {actual !== undefined && <span class="phase-actual" style={place(actual)} />}
      {ticks.map((ms, index) => (
        <span key={index} class="tick" style={{ left: percent(ms) }} />
      ))}
    </div>
  )
}

/** The most characters of data in a row of the table, and the most rows. */
const MAX_TEXT = 300
const MAX_STEPS = 1000

/** The steps whose type says too little. */
const STEPS: Readonly<Record<string, string>> = {
  raw: 'send bytes that are not HTTP',
  flush: 'start a new packet',
  close: 'close the connection',
  reset: 'reset the connection',
  stall: 'stall until the client leaves',
}

/** The steps without the waits, which show in the times. */
function StepsTable({ steps }: { steps: readonly Step[] }) {
  const isMeasured = steps.some(({ atMs }) => atMs !== undefined)
  const lines = joinSteps(steps)
  const shown = lines.slice(0, MAX_STEPS)
  return (
    <Section title="Steps">
      <Table
        class="steps"
        title="Steps"
        columns={['Planned', 'Actual', 'Step', 'Bytes', 'Data']}
        numbers={[0, 1, 3]}
        rows={shown.map(({ step, plannedMs, count }) => {
          const data = 'bytes' in step ? (step.data ?? '') : ''
          const name = step.type === 'head' ? `head ${step.status}` : (STEPS[step.type] ?? step.type)
          return [
            formatMs(plannedMs),
            step.atMs === undefined ? (isMeasured ? 'never' : '') : formatMs(step.atMs),
            count > 1 ? `${name} × ${count}` : name,
            'bytes' in step && step.bytes,
            <code title={data.slice(0, 10 * MAX_TEXT)}>{summarizeChunk(data).slice(0, MAX_TEXT)}</code>,
          ]
        })}
        rowClasses={shown.map(({ step }) => (isMeasured && step.atMs === undefined ? 'not-done' : ''))}
      />
      {lines.length > MAX_STEPS && <p class="hint">And {formatCount(lines.length - MAX_STEPS, 'more step')}.</p>}
    </Section>
  )
}

/** The rows of the table: no waits, and equal steps that follow each other as one. */
export function joinSteps(steps: readonly Step[]) {
  const planned = plannedTimes(steps)
  const lines: { readonly step: Step; readonly plannedMs: number; readonly text: string; count: number }[] = []
  for (const [index, step] of steps.entries()) {
    if (step.type === 'wait') continue
    const { atMs, ...rest } = step
    const text = JSON.stringify([rest, atMs === undefined])
    const last = lines.at(-1)
    if (last?.text === text) last.count++
    else lines.push({ step, plannedMs: planned[index]!, text, count: 1 })
  }
  return lines
}
