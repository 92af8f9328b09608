/**
 * The tab Timeline of a call: the phases of its answer as a waterfall, and the steps as a table.
 *
 *     Phase          Planned   Actual
 *     first token    300 ms    301 ms    ======
 *     tokens  40/s   700 ms    702 ms          ==============
 */
import type { CallDetails } from '../../core/journal/call-details.ts'
import type { Step } from '../../core/journal/entry.ts'
import { summarizeChunk } from '../../core/journal/read-answer.ts'
import { Section, Table } from '../parts/elements.tsx'
import { formatCount, formatMs } from '../parts/format.ts'
import { joinSteps, layOutPhases, lengthOf, type Phase, ratePerSecond, type TimeSpan } from './timeline-phases.ts'

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

function Waterfall({ phases }: { phases: readonly Phase[] }) {
  // Not 0, because the bars are shares of it.
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

/** The most rows of the table. */
const MAX_STEPS = 1000
/** The most characters of data in a row, and in the title that shows under the pointer. */
const MAX_TEXT = 300
const MAX_TITLE = 3000

/** Words for the steps whose type says too little. */
const STEP_TEXTS: Readonly<Record<string, string>> = {
  raw: 'send bytes that are not HTTP',
  flush: 'start a new packet',
  close: 'close the connection',
  reset: 'reset the connection',
  stall: 'stall until the client leaves',
}

/** The steps, of which equal ones in a row are one. Waits are left out: they show in the times. */
function StepsTable({ steps }: { steps: readonly Step[] }) {
  /** False while no step of the answer has been played. */
  const isMeasured = steps.some(({ atMs }) => atMs !== undefined)
  const rows = joinSteps(steps)
  const shown = rows.slice(0, MAX_STEPS)
  return (
    <Section title="Steps">
      <Table
        class="steps"
        title="Steps"
        columns={['Planned', 'Actual', 'Step', 'Bytes', 'Data']}
        numbers={[0, 1, 3]}
        rows={shown.map(({ step, plannedMs, count }) => {
          const data = 'bytes' in step ? (step.data ?? '') : ''
          const name = step.type === 'head' ? `head ${step.status}` : (STEP_TEXTS[step.type] ?? step.type)
          const notDone = isMeasured ? 'never' : ''
          return [
            formatMs(plannedMs),
            step.atMs === undefined ? notDone : formatMs(step.atMs),
            count > 1 ? `${name} × ${count}` : name,
            'bytes' in step && step.bytes,
            <code title={data.slice(0, MAX_TITLE)}>{summarizeChunk(data).slice(0, MAX_TEXT)}</code>,
          ]
        })}
        rowClasses={shown.map(({ step }) => (isMeasured && step.atMs === undefined ? 'not-done' : ''))}
      />
      {rows.length > MAX_STEPS && <p class="hint">And {formatCount(rows.length - MAX_STEPS, 'more step')}.</p>}
    </Section>
  )
}
