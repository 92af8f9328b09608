/**
 * The picture of a run: calls as bars over time, a lane for each key or session, with the waits before retries and the
 * levels of limits; and a histogram of the durations. The core computes the lanes (run-picture.ts), this file has the
 * window of time that is shown, and the keys and the pointer that change it.
 *
 * It is plain SVG: uPlot would add 52 kB to the 105 kB of the HTML report and Observable Plot 293 kB, and neither draws
 * lanes, waits or signs without code like this.
 */
import { useId, useMemo, useRef, useState } from 'preact/hooks'
import { type Bar, binDurations, type DrawnCall, drawRun } from '../../core/report/run-picture.ts'
import { onKeys } from '../app/keys.ts'
import { Button, Section, Table } from '../parts/elements.tsx'
import { formatMs } from '../parts/format.ts'
import { useSize } from '../parts/use-size.ts'
import { LaneChart, SIGNS } from './lane-chart.tsx'
import {
  placeOf,
  ROW_SIZES,
  type Segment,
  type TimeScale,
  type TimeWindow,
  ticksOf,
  timeAt,
  windowAround,
} from './picture-scale.ts'
import { countKinds, describeRun, KINDS, summarizeLane } from './picture-text.ts'

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
  const bars = lanes.flatMap((lane) => lane.bars)
  const timeOf = (call: number | undefined): number | undefined => bars.find(({ number }) => number === call)?.fromMs
  const { scale, lengthMs, centreMs, isZoomed, show, showAll, zoom } = useTimeWindow(totalMs, width)
  /** The number of the call that the pointer or the keyboard is at. */
  const [current, setCurrent] = useState<number>()
  const currentCall = calls.find(({ number }) => number === current)

  const moveTo = (index: number): void => {
    const number = calls[Math.min(calls.length - 1, Math.max(0, index))]?.number
    const atMs = timeOf(number) ?? 0
    setCurrent(number)
    if (atMs < scale.fromMs || atMs > scale.toMs) show(atMs, lengthMs)
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
    '0': showAll,
  }
  /** Zooms with Ctrl, around the pointer. Moves the window with Shift or a wheel that turns sidewards. */
  const turnWheel = (event: WheelEvent): void => {
    const { ctrlKey, shiftKey, deltaX, deltaY, clientX } = event
    const sidewards = shiftKey ? deltaY : deltaX
    if (!ctrlKey && sidewards === 0) return
    event.preventDefault()
    const x = clientX - chart.current!.getBoundingClientRect().left
    if (ctrlKey) zoom(deltaY > 0 ? 1.25 : 0.8, timeAt(x, scale))
    else show(centreMs + (lengthMs * sidewards) / width, lengthMs)
  }
  /** Opens the call of a bar. Several calls in one place are shown apart instead, four times as wide at least. */
  const choose = ({ bars }: Segment): void => {
    const first = bars[0]!
    const last = bars.at(-1)!
    if (bars.length === 1) onOpen?.(first.number)
    else show((first.fromMs + last.toMs) / 2, Math.min(lengthMs / 4, 2 * (last.toMs - first.fromMs)))
  }
  const rowCount = lanes.reduce((sum, { rows }) => sum + rows, 0)
  const rowSize = ROW_SIZES.find(({ maxRows }) => rowCount <= maxRows)!
  return (
    <figure class="picture" style={{ '--hatch': `url(#${hatch})` }}>
      <div class="picture-head">
        <Legend bars={bars} />
        <span class="picture-zoom" role="group" aria-label="Zoom">
          <Button text="+" aria-label="Zoom in" onClick={() => zoom(0.5)} />
          <Button text="−" aria-label="Zoom out" disabled={!isZoomed} onClick={() => zoom(2)} />
          <Button text="Whole run" disabled={!isZoomed} onClick={showAll} />
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
        onWheel={turnWheel}
        onPointerLeave={() => setCurrent(undefined)}
      >
        <Axis scale={scale} hatch={hatch} />
        {lanes.map((lane, index) => (
          <LaneChart
            key={index}
            {...{ lane, scale, rowSize }}
            current={currentCall}
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

/** The part of the run that is shown, and the functions that change it. */
function useTimeWindow(totalMs: number, width: number) {
  /** Undefined for the whole run. */
  const [zoomed, setZoomed] = useState<TimeWindow>()
  const scale = useMemo(() => ({ fromMs: 0, toMs: totalMs, ...zoomed, width }), [totalMs, zoomed, width])
  const lengthMs = scale.toMs - scale.fromMs
  const centreMs = scale.fromMs + lengthMs / 2
  const show = (centreMs: number, lengthMs: number): void =>
    setZoomed(lengthMs >= totalMs ? undefined : windowAround(centreMs, lengthMs, totalMs))
  const showAll = (): void => setZoomed(undefined)
  /** Zooms around a time, which stays where it is. A factor of 0.5 shows half of what is shown now. */
  const zoom = (factor: number, atMs = centreMs): void => show(atMs + (centreMs - atMs) * factor, lengthMs * factor)
  return { scale, lengthMs, centreMs, isZoomed: zoomed !== undefined, show, showAll, zoom }
}

/** The kinds of bars that occur, with their signs and counts. */
const Legend = ({ bars }: { bars: readonly Bar[] }) => (
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
)

/** The times above the lanes, and the pattern that bars with a fault are filled with. @param hatch its id. */
const Axis = ({ scale, hatch }: { scale: TimeScale; hatch: string }) => (
  <svg class="picture-axis" width={scale.width} height={20} aria-hidden="true">
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
)

/** A histogram of the durations of calls: a row for each range. It is a table, so it needs no other text. */
function DurationChart({ calls }: { calls: readonly DrawnCall[] }) {
  const bins = useMemo(() => binDurations(calls), [calls])
  if (bins.length === 0) return null
  const most = Math.max(1, ...bins.map(({ answered, failed }) => answered + failed))
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
