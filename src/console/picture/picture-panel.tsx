/**
 * The picture of a run: calls as bars over time, a lane for each key or session, with the waits before retries and the
 * levels of limits; and a histogram of the durations. It is plain SVG: uPlot would add 52 kB to the 105 kB of the HTML
 * report and Observable Plot 293 kB, and neither draws lanes, waits or signs without code like this.
 */
import { useId, useMemo, useRef, useState } from 'preact/hooks'
import { binDurations, type DrawnCall, drawRun } from '../../core/report/run-picture.ts'
import { onKeys } from '../app/keys.ts'
import { Button, Section, Table } from '../parts/elements.tsx'
import { formatMs } from '../parts/format.ts'
import { useSize } from '../parts/use-size.ts'
import { LaneChart, SIGNS } from './lane-chart.tsx'
import { placeOf, type Segment, type TimeWindow, ticksOf, timeAt, windowAround } from './picture-scale.ts'
import { countKinds, describeCall, describeRun, KINDS, summarizeLane } from './picture-text.ts'

export interface RunPictureProps {
  /** Ascending by number. */
  readonly calls: readonly DrawnCall[]
  /** Opens a call. Default: calls cannot be opened. */
  readonly onOpen?: (number: number) => void
}

export function RunPicture({ calls, onOpen }: RunPictureProps) {
  const chart = useRef<HTMLDivElement>(null)
  const hatch = useId()
  const { width } = useSize(chart)
  const { totalMs, lanes } = useMemo(() => drawRun(calls), [calls])
  const [zoomed, setZoomed] = useState<TimeWindow>()
  const [current, setCurrent] = useState<number>()
  const scale = useMemo(() => ({ fromMs: 0, toMs: totalMs, ...zoomed, width }), [totalMs, zoomed, width])
  const { fromMs, toMs } = scale
  const lengthMs = toMs - fromMs

  const show = (centreMs: number, ms: number): void =>
    setZoomed(ms >= totalMs ? undefined : windowAround(centreMs, ms, totalMs))
  /** Zooms around a time, which stays where it is. */
  const zoom = (factor: number, atMs = fromMs + lengthMs / 2): void =>
    show(atMs + (fromMs + lengthMs / 2 - atMs) * factor, lengthMs * factor)
  const bars = lanes.flatMap((lane) => lane.bars)
  const timeOf = (call: number | undefined): number | undefined => bars.find(({ number }) => number === call)?.fromMs
  const moveTo = (index: number): void => {
    const number = calls[Math.min(calls.length - 1, Math.max(0, index))]?.number
    const atMs = timeOf(number) ?? 0
    setCurrent(number)
    if (atMs < fromMs || atMs > toMs) show(atMs, lengthMs)
  }
  const moveBy = (by: number): void => moveTo(calls.findIndex(({ number }) => number === current) + by)
  const keys = {
    ArrowRight: () => moveBy(1),
    ArrowLeft: () => moveBy(-1),
    Home: () => moveTo(0),
    End: () => moveTo(calls.length),
    Enter: () => current !== undefined && onOpen?.(current),
    '+': () => zoom(0.5, timeOf(current)),
    '-': () => zoom(2, timeOf(current)),
    '0': () => setZoomed(undefined),
  }
  const choose = ({ bars: [first, ...others] }: Segment): void => {
    const last = others.at(-1)
    if (last === undefined) onOpen?.(first!.number)
    // A click on several calls in one place shows them apart.
    else show((first!.fromMs + last.toMs) / 2, Math.min(lengthMs / 4, 2 * (last.toMs - first!.fromMs)))
  }
  const xOf = ({ clientX }: MouseEvent): number => clientX - chart.current!.getBoundingClientRect().left
  const rowHeight = heightOfRow(lanes.reduce((sum, { rows }) => sum + rows, 0))
  return (
    <figure class="picture" style={{ '--hatch': `url(#${hatch})` }}>
      <div class="picture-head">
        <ul class="picture-legend">
          {countKinds(bars).map(({ kind, count }) => (
            <li key={kind}>
              <svg width="18" height="14" viewBox="-9 -7 18 14" aria-hidden="true">
                <path class={`sign-${kind}`} d={`M0 0${SIGNS[kind]}`} />
              </svg>{' '}
              {count.toLocaleString('en')} {KINDS[kind]}
            </li>
          ))}
        </ul>
        <span class="picture-zoom" role="group" aria-label="Zoom">
          <Button text="+" aria-label="Zoom in" onClick={() => zoom(0.5)} />
          <Button text="−" aria-label="Zoom out" disabled={zoomed === undefined} onClick={() => zoom(2)} />
          <Button text="Whole run" disabled={zoomed === undefined} onClick={() => setZoomed(undefined)} />
        </span>
      </div>
      <div
        ref={chart}
        class="picture-chart"
        role="application"
        aria-label={`${describeRun(bars, totalMs)} Arrow keys move between calls, Enter opens one, + and - zoom, 0 shows the whole run.`}
        tabIndex={0}
        onKeyDown={onKeys(keys)}
        onBlur={() => setCurrent(undefined)}
        onWheel={(event) => {
          const { ctrlKey, shiftKey, deltaX, deltaY } = event
          const by = shiftKey ? deltaY : deltaX
          if (ctrlKey) zoom(deltaY > 0 ? 1.25 : 0.8, timeAt(xOf(event), scale))
          else if (by !== 0) show(fromMs + lengthMs * (0.5 + by / width), lengthMs)
          if (ctrlKey || by !== 0) event.preventDefault()
        }}
        onPointerLeave={() => setCurrent(undefined)}
      >
        <svg class="picture-axis" width={width} height={20} aria-hidden="true">
          <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path class="hatch-ground" d="M0 0h5v5h-5z" />
            <path class="hatch-line" d="M0 0h2v5h-2z" />
          </pattern>
          {ticksOf(scale).map((ms) => (
            <text key={ms} x={placeOf(ms, scale)} y={14} text-anchor={ms === 0 ? 'start' : 'middle'}>
              {formatMs(ms)}
            </text>
          ))}
        </svg>
        {lanes.map((lane, index) => (
          <LaneChart
            key={index}
            {...{ lane, scale, rowHeight, current }}
            textOf={(number) => describeCall(calls.find((call) => call.number === number)!, lane)}
            onPoint={setCurrent}
            onChoose={choose}
          />
        ))}
      </div>
      <DurationChart calls={calls} />
      <details>
        <summary>The picture in words</summary>
        <ul>
          {lanes.map((lane, index) => (
            <li key={index}>{summarizeLane(lane)}</li>
          ))}
        </ul>
      </details>
    </figure>
  )
}

/** Many rows are lower, so that a run with many calls at a time still fits. */
const heightOfRow = (rows: number): number => (rows <= 30 ? 20 : rows <= 100 ? 13 : rows <= 200 ? 7 : 4)

/** A histogram of the durations of calls: a row for each range. It is a table, so it needs no other text. */
function DurationChart({ calls }: { calls: readonly DrawnCall[] }) {
  const bins = useMemo(() => binDurations(calls), [calls])
  if (bins.length === 0) return null
  const most = bins.reduce((so, { answered, failed }) => Math.max(so, answered + failed), 1)
  const percent = (count: number): string => `${(100 * count) / most}%`
  return (
    <Section title="Durations">
      <Table
        class="durations"
        columns={['Time', 'Answered', 'Other', <span class="unseen">Bar</span>]}
        numbers={[1, 2]}
        rows={bins.map(({ fromMs, toMs, answered, failed }) => [
          fromMs === 0 ? `under ${formatMs(toMs)}` : `from ${formatMs(fromMs)}`,
          answered || '',
          failed || '',
          <div class="duration-bar" aria-hidden="true">
            {answered > 0 && <span class="duration-answered" style={{ width: percent(answered) }} />}
            {failed > 0 && <span class="duration-failed" style={{ width: percent(failed) }} />}
          </div>,
        ])}
      />
    </Section>
  )
}
