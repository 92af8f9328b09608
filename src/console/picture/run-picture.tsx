/**
 * The picture of a run: calls as bars over time, a lane for each key or session, with the waits before retries and the
 * levels of limits; and a histogram of the durations. It is plain SVG: uPlot would add 52 kB to the 105 kB of the HTML
 * report and Observable Plot 293 kB, and neither draws lanes, waits or signs without code like this.
 */
import { useId, useMemo, useRef, useState } from 'preact/hooks'
import { BAR_KINDS, type DrawnCall, drawRun, type Lane } from '../../core/report/run-picture.ts'
import { useSize } from '../calls/list-rows.ts'
import { Button, Table } from '../parts/elements.tsx'
import { formatMs } from '../parts/format.ts'
import { DurationChart } from './duration-chart.tsx'
import { LaneChart, Sign } from './lane-chart.tsx'
import { placeOf, type TimeWindow, ticksOf, timeAt, windowAround } from './picture-scale.ts'
import { countKinds, describeCall, describeLane, describeRun, KINDS } from './picture-text.ts'

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
  const byNumber = useMemo(() => new Map(calls.map((call) => [call.number, call])), [calls])
  const [zoomed, setWindow] = useState<TimeWindow>()
  const [current, setCurrent] = useState<number>()
  const [selection, setSelection] = useState<readonly [from: number, to: number]>()
  const rowHeight = heightOfRow(lanes.reduce((sum, { rows }) => sum + rows, 0))
  const window = useMemo(() => zoomed ?? { fromMs: 0, toMs: totalMs }, [zoomed, totalMs])
  const length = window.toMs - window.fromMs
  const centre = window.fromMs + length / 2

  const show = (centreMs: number, lengthMs: number): void =>
    setWindow(lengthMs >= totalMs ? undefined : windowAround(centreMs, lengthMs, totalMs))
  /** Keeps the time at `atMs` where it is. */
  const zoom = (factor: number, atMs = centre): void => show(atMs + (centre - atMs) * factor, length * factor)
  const go = (number: number | undefined): void => {
    const bar = lanes.flatMap(({ bars }) => bars).find((one) => one.number === number)
    if (bar === undefined) return
    setCurrent(number)
    if (bar.fromMs < window.fromMs || bar.fromMs > window.toMs) show(bar.fromMs, length)
  }
  const moveBy = (by: number): void => {
    const index = calls.findIndex(({ number }) => number === current)
    go(calls[index < 0 ? 0 : Math.min(calls.length - 1, Math.max(0, index + by))]?.number)
  }
  /** To the nearest call in time of another lane. */
  const moveLane = (by: number): void => {
    const from = lanes.findIndex(({ bars }) => bars.some(({ number }) => number === current))
    const at = lanes[from]?.bars.find(({ number }) => number === current)?.fromMs ?? 0
    const bars = lanes[Math.min(lanes.length - 1, Math.max(0, from + by))]?.bars ?? []
    go(bars.toSorted((a, b) => Math.abs(a.fromMs - at) - Math.abs(b.fromMs - at))[0]?.number)
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => moveBy(1),
    ArrowLeft: () => moveBy(-1),
    ArrowDown: () => moveLane(1),
    ArrowUp: () => moveLane(-1),
    Home: () => go(calls[0]?.number),
    End: () => go(calls.at(-1)?.number),
    Enter: () => current !== undefined && onOpen?.(current),
    '+': () => zoom(0.5),
    '-': () => zoom(2),
    '0': () => setWindow(undefined),
  }
  const xOf = (event: MouseEvent): number => event.clientX - chart.current!.getBoundingClientRect().left
  return (
    <figure class="picture">
      <div class="picture-head">
        <Legend calls={calls} />
        <span class="picture-zoom" role="group" aria-label="Zoom">
          <Button text="+" aria-label="Zoom in" onClick={() => zoom(0.5)} />
          <Button text="−" aria-label="Zoom out" disabled={zoomed === undefined} onClick={() => zoom(2)} />
          <Button text="Whole run" disabled={zoomed === undefined} onClick={() => setWindow(undefined)} />
        </span>
      </div>
      <div
        ref={chart}
        class="picture-chart"
        role="application"
        aria-roledescription="picture"
        aria-label={`${describeRun(calls, totalMs)} Arrow keys move between calls, Enter opens one, + and - zoom, 0 shows the whole run.`}
        tabIndex={0}
        onKeyDown={(event) => {
          const run = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
          if (run === undefined) return
          event.preventDefault()
          event.stopPropagation()
          run()
        }}
        onBlur={() => setCurrent(undefined)}
        onWheel={(event) => {
          const by = event.shiftKey ? event.deltaY : event.deltaX
          if (event.ctrlKey) zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(xOf(event), window, width))
          else if (by === 0) return
          else show(centre + (by / width) * length, length)
          event.preventDefault()
        }}
        onPointerDown={(event) => event.button === 0 && setSelection([xOf(event), xOf(event)])}
        onPointerMove={(event) => {
          if (selection !== undefined && event.buttons === 1) setSelection([selection[0], xOf(event)])
        }}
        onPointerUp={() => {
          if (isDragged(selection)) {
            const [from, to] = selection.map((x) => timeAt(x, window, width)) as [number, number]
            show((from + to) / 2, Math.abs(to - from))
          }
          setSelection(undefined)
        }}
        onPointerLeave={() => {
          setSelection(undefined)
          setCurrent(undefined)
        }}
      >
        <TimeAxis window={window} width={width} hatch={hatch} />
        {lanes.map((lane, index) => (
          <LaneChart
            key={index}
            lane={lane}
            title={describeLane(lane)}
            window={window}
            width={width}
            rowHeight={rowHeight}
            hatch={hatch}
            current={current}
            textOf={(number) => describeCall(byNumber.get(number)!, lane)}
            onPoint={setCurrent}
            onChoose={({ bars: [first, ...others] }) => {
              if (isDragged(selection)) return
              const last = others.at(-1)
              if (last === undefined) onOpen?.(first!.number)
              // A click on several calls in one place shows them apart.
              else show((first!.fromMs + last.toMs) / 2, Math.min(length / 4, 2 * (last.toMs - first!.fromMs)))
            }}
          />
        ))}
        {isDragged(selection) && (
          <div
            class="picture-selection"
            style={{ left: `${Math.min(...selection)}px`, width: `${Math.abs(selection[1] - selection[0])}px` }}
          />
        )}
      </div>
      <DurationChart calls={calls} />
      <LaneTable lanes={lanes} byNumber={byNumber} />
    </figure>
  )
}

/** Many rows are lower, so that a run with many calls at a time still fits. */
const heightOfRow = (rows: number): number => (rows <= 30 ? 20 : rows <= 100 ? 13 : rows <= 200 ? 7 : 4)

/** A click moves the pointer a little. */
const isDragged = (selection: readonly [number, number] | undefined): selection is readonly [number, number] =>
  selection !== undefined && Math.abs(selection[1] - selection[0]) > 5

const Legend = ({ calls }: Pick<RunPictureProps, 'calls'>) => {
  const counts = countKinds(calls)
  return (
    <ul class="picture-legend">
      {BAR_KINDS.filter((kind) => counts[kind] > 0).map((kind) => (
        <li key={kind}>
          <svg width="18" height="14" viewBox="-9 -7 18 14" aria-hidden="true">
            <Sign kind={kind} />
          </svg>{' '}
          {counts[kind].toLocaleString('en')} {KINDS[kind]}
        </li>
      ))}
    </ul>
  )
}

function TimeAxis({ window, width, hatch }: { window: TimeWindow; width: number; hatch: string }) {
  return (
    <svg class="picture-axis" width={width} height={20} aria-hidden="true">
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="hatch-ground" width="5" height="5" />
        <rect class="hatch-line" width="2" height="5" />
      </pattern>
      {ticksOf(window, width).map((ms) => (
        <text key={ms} x={placeOf(ms, window, width)} y={14} text-anchor={ms === 0 ? 'start' : 'middle'}>
          {ms === 0 ? '0' : formatMs(ms)}
        </text>
      ))}
    </svg>
  )
}

/** The picture in words, for those who cannot see it. */
const LaneTable = ({ lanes, byNumber }: { lanes: readonly Lane[]; byNumber: ReadonlyMap<number, DrawnCall> }) => (
  <details>
    <summary>The picture as a table</summary>
    <div class="wide-table" role="region" aria-label="The picture as a table" tabIndex={0}>
      <Table
        columns={[
          'Key or session',
          'Calls',
          ...BAR_KINDS.map((kind) => KINDS[kind]),
          'Retries',
          'Longest wait',
          'Fullest limit',
        ]}
        numbers={[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}
        rows={lanes.map((lane) => {
          const counts = countKinds(lane.bars.map(({ number }) => byNumber.get(number)!))
          const waits = lane.waits.map(({ fromMs, toMs }) => toMs - fromMs)
          const shares = lane.levels.flatMap(({ points }) => points.map(([, share]) => share))
          return {
            cells: [
              describeLane(lane),
              lane.bars.length,
              ...BAR_KINDS.map((kind) => counts[kind]),
              waits.length,
              waits.length === 0 ? '' : formatMs(waits.reduce((a, b) => Math.max(a, b))),
              shares.length === 0 ? '' : `${Math.round(100 * shares.reduce((a, b) => Math.max(a, b)))} %`,
            ],
          }
        })}
      />
    </div>
  </details>
)
