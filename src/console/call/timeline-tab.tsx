/** The timeline of an answer: its phases as a waterfall, and all steps as a table. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import type { Step } from '../../core/journal/entry.ts'
import { hasContent, summarizeChunk } from '../../core/journal/read-answer.ts'
import { Section, Table } from '../parts/elements.tsx'
import { formatCount, formatMs } from '../parts/format.ts'

const MAX_TEXT = 300
const MAX_STEPS = 1000

export function TimelineTab({ call }: { call: CallDetails }) {
  const { timeline: steps, isWhole } = call
  if (steps === undefined) return <p class="hint">The timeline is not in the journal.</p>
  const phases = layOutPhases(steps)
  return (
    <>
      <Waterfall phases={phases} />
      <StepsTable steps={steps} />
      {steps.length > MAX_STEPS && (
        <p class="hint">And {formatCount(steps.length - MAX_STEPS, 'more step', 'more steps')}.</p>
      )}
      {isWhole === false && <p class="hint">Some data is left out.</p>}
    </>
  )
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
        const rate = phase.name === 'Tokens' ? ratePerSecond(phase) : undefined
        return {
          cells: [
            [phase.name, rate !== undefined && <span class="hint"> {Math.round(rate)}/s</span>],
            formatMs(lengthOf(phase.planned)),
            phase.actual === undefined ? 'never' : formatMs(lengthOf(phase.actual)),
            <PhaseBar phase={phase} totalMs={totalMs} />,
          ],
        }
      })}
    />
  )
}

/** The planned span as an outline, and the actual one filled; the table has both as text. */
function PhaseBar({ phase: { planned, actual, ticksMs }, totalMs }: { phase: Phase; totalMs: number }) {
  const percent = (ms: number): string => `${((100 * ms) / totalMs).toFixed(2)}%`
  const place = ({ fromMs, toMs }: TimeSpan) => ({ left: percent(fromMs), width: percent(toMs - fromMs) })
  return (
    <div class="phase" aria-hidden="true">
      <span class="phase-planned" style={place(planned)} />
      {actual !== undefined && <span class="phase-actual" style={place(actual)} />}
      {ticksMs.length <= 200 &&
        ticksMs.map((ms, index) => <span key={index} class="tick" style={{ left: percent(ms) }} />)}
    </div>
  )
}

const STEPS: Readonly<Record<string, string>> = {
  send: 'send',
  raw: 'send bytes that are not HTTP',
  flush: 'start a new packet',
  end: 'end',
  close: 'close the connection',
  reset: 'reset the connection',
  stall: 'stall until the client leaves',
}

/** The steps but the waits, which show in the times. Equal steps in a row are one line. */
function StepsTable({ steps }: { steps: readonly Step[] }) {
  const isMeasured = steps.some(({ atMs }) => atMs !== undefined)
  const rows = joinSteps(steps.slice(0, MAX_STEPS)).map(({ step, plannedMs, count }) => {
    const data = 'bytes' in step ? (step.data ?? '') : ''
    const name = step.type === 'head' ? `head ${step.status}` : (STEPS[step.type] ?? step.type)
    return {
      class: isMeasured && step.atMs === undefined ? 'not-done' : '',
      cells: [
        formatMs(plannedMs),
        step.atMs === undefined ? (isMeasured ? 'never' : '') : formatMs(step.atMs),
        count > 1 ? `${name} × ${count}` : name,
        'bytes' in step && step.bytes,
        <code title={data.slice(0, 10 * MAX_TEXT)}>{summarizeChunk(data).slice(0, MAX_TEXT)}</code>,
      ],
    }
  })
  return (
    <Section title="Steps">
      <Table
        class="steps"
        title="Steps"
        columns={['Planned', 'Actual', 'Step', 'Bytes', 'Data']}
        numbers={[0, 1, 3]}
        rows={rows}
      />
    </Section>
  )
}

/** The lines of the steps: without waits, and equal steps that follow each other as one. */
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

/** A span of time, in milliseconds of the mock's clock since the call arrived. */
interface TimeSpan {
  readonly fromMs: number
  readonly toMs: number
}

interface Phase {
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

/** The arrival of the call, as the step from which the first phase lasts. */
const ARRIVAL = -1

/** The phases of an answer, in order. Phases that take no time are left out, except the wait. */
export function layOutPhases(steps: readonly Step[]): readonly Phase[] {
  const planned = plannedTimes(steps)
  const head = steps.findIndex(({ type }) => type === 'head' || type === 'raw')
  const last = steps.length - 1
  if (last < 0) return []
  // The steps that send a part of the answer's content.
  const contents = steps.flatMap((step, index) =>
    step.type === 'send' && step.data !== undefined && hasContent(step.data) ? [index] : [],
  )
  const first = contents[0]
  const final = contents.at(-1)
  const isStream = contents.length > 1
  const bounds: [name: string, from: number, to: number][] = [['Wait', ARRIVAL, head < 0 ? last : head]]
  if (isStream) bounds.push(['First token', head, first!], ['Tokens', first!, final!])
  if (head >= 0) bounds.push([isStream ? 'End' : 'Answer', isStream ? final! : head, last])
  const phases = bounds.map(([name, from, to]): Phase => {
    const [start, end] = from === ARRIVAL ? [0, steps[to]!.atMs] : [steps[from]!.atMs, steps[to]!.atMs]
    return {
      name,
      planned: { fromMs: planned[from] ?? 0, toMs: planned[to]! },
      ...(start !== undefined && end !== undefined && { actual: { fromMs: start, toMs: end } }),
      ticksMs: name === 'Tokens' ? contents.flatMap((index) => steps[index]!.atMs ?? []) : [],
    }
  })
  return phases.filter(({ name, planned, actual }) => name === 'Wait' || lengthOf(planned) > 0 || lengthOf(actual) > 0)
}

/** The length in milliseconds; 0 for a phase that did not happen. */
const lengthOf = (span: TimeSpan | undefined): number => (span === undefined ? 0 : span.toMs - span.fromMs)

/** The parts per second; undefined for fewer than two. */
export function ratePerSecond({ ticksMs }: Phase): number | undefined {
  const spanMs = (ticksMs.at(-1) ?? 0) - (ticksMs[0] ?? 0)
  return ticksMs.length < 2 || spanMs <= 0 ? undefined : ((ticksMs.length - 1) * 1000) / spanMs
}
