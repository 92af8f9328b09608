/**
 * One lane of the picture of a run, as SVG: the bars of its calls in rows, the waits between a failed call and its retry, and
 * below them the levels of its limits. A lane of thousands of calls has a few elements: one path for all bars of a kind.
 */
import { useMemo } from 'preact/hooks'
import { BAR_KINDS, type BarKind, type DrawnCall, type Lane, type LevelLine } from '../../core/report/run-picture.ts'
import { Paragraphs } from '../parts/elements.tsx'
import { formatMs } from '../parts/format.ts'
import { joinBars, placeOf, type RowSize, type Segment, type TimeScale, ticksOf } from './picture-scale.ts'
import { describeCall, describeLane } from './picture-text.ts'

interface LaneProps {
  readonly lane: Lane
  readonly scale: TimeScale
  readonly rowSize: RowSize
  /** The call that the pointer or the keyboard is at, which may be in another lane. */
  readonly current: DrawnCall | undefined
  /** Called with the call that the pointer is at, or undefined beside all bars. */
  readonly onPoint: (number: number | undefined) => void
  readonly onChoose: (segment: Segment) => void
}

// Sizes in pixels.
const TITLE_HEIGHT = 20
const LEVEL_HEIGHT = 48
/** The distance of a full limit from the top of the chart of its level. */
const FULL_Y = 16
/** The distance at which the pointer is at a bar. */
const REACH = 6
const SIGN_WIDTH = 11
/** The width of a wait that has room for its duration. */
const TEXT_WIDTH = 62
const POPUP_WIDTH = 260

export function LaneChart({ lane, rowSize, current, onPoint, onChoose, scale }: LaneProps) {
  const segments = useMemo(() => joinBars(lane.bars, scale), [lane, scale])
  const waits = useMemo(() => drawWaits(lane, rowSize, scale), [lane, rowSize, scale])
  const bars = useMemo(() => drawBars(segments, rowSize), [segments, rowSize])
  const currentSegment = segments.find((segment) => segment.bars.some(({ number }) => number === current?.number))
  const segmentAt = ({ offsetX, offsetY }: MouseEvent): Segment | undefined => {
    const row = Math.floor(offsetY / rowSize.height)
    const distanceTo = ({ x, width }: Segment): number => Math.max(x - offsetX, offsetX - x - width)
    const near = segments.filter((segment) => segment.row === row && distanceTo(segment) <= REACH)
    return near.sort((a, b) => distanceTo(a) - distanceTo(b))[0]
  }
  return (
    <div class="lane">
      <p class="lane-title">{describeLane(lane)}</p>
      <svg
        width={scale.width}
        height={lane.rows * rowSize.height}
        aria-hidden="true"
        onPointerMove={(event) => onPoint(segmentAt(event)?.bars[0]!.number)}
        onClick={(event) => {
          const segment = segmentAt(event)
          if (segment !== undefined) onChoose(segment)
        }}
      >
        <Grid scale={scale} />
        {waits}
        {bars}
        {currentSegment !== undefined && <path class="bar-current" d={frameAround(currentSegment, rowSize)} />}
      </svg>
      {lane.levels.map((level) => (
        <LevelChart key={`${level.kind} ${level.limit}`} level={level} scale={scale} />
      ))}
      {currentSegment !== undefined && (
        <div class="lane-popup" role="status" style={placeBelow(currentSegment, rowSize, scale)}>
          <Paragraphs texts={describeCall(current!, lane)} />
          {currentSegment.bars.length > 1 && (
            <p class="hint">and {currentSegment.bars.length - 1} more in this place</p>
          )}
        </div>
      )}
    </div>
  )
}

/** The place of the popup on a segment: below its bar, and within the lane. */
const placeBelow = ({ x, row }: Segment, { height }: RowSize, { width }: TimeScale) => ({
  left: `${Math.max(0, Math.min(x, width - POPUP_WIDTH))}px`,
  top: `${TITLE_HEIGHT + (row + 1) * height + 4}px`,
})

/** The middle of a row, in pixels from the top. */
const middleOf = (row: number, { height }: RowSize): number => (row + 0.5) * height

/** A box as a path. @param half half of its height. */
const box = (x: number, y: number, width: number, half: number): string =>
  `M${x} ${y - half}h${width}v${2 * half}h${-width}z`

/** The frame of the current segment, a little larger than its bar. */
const frameAround = ({ x, row, width }: Segment, rowSize: RowSize): string =>
  box(x - 3, middleOf(row, rowSize), width + 6, rowSize.height / 2 - 1)

/** The bars, as a path for each kind, and their signs. A short bar with a sign is the sign alone. */
function drawBars(segments: readonly Segment[], rowSize: RowSize) {
  const bars: Partial<Record<BarKind, string>> = {}
  const signs: Partial<Record<BarKind, string>> = {}
  /** The place of the last sign of each row: signs do not overlap. */
  const lastSigns: number[] = []
  for (const { kind, row, x, width } of segments) {
    const y = middleOf(row, rowSize)
    const isLong = width > SIGN_WIDTH
    const hasRoom = rowSize.isRoomy && x - (lastSigns[row] ?? -SIGN_WIDTH) >= SIGN_WIDTH
    const hasSign = kind !== 'answered' && hasRoom
    if (hasSign) {
      lastSigns[row] = x
      const middle = x + SIGN_WIDTH / 2 + (isLong ? 2 : 0)
      signs[kind] = `${signs[kind] ?? ''}M${middle} ${y}${SIGNS[kind]}`
    }
    if (isLong || !hasSign) bars[kind] = (bars[kind] ?? '') + box(x, y, width, rowSize.halfBar)
  }
  return (
    <>
      {BAR_KINDS.map((kind) => bars[kind] && <path key={kind} class={`bar-${kind}`} d={bars[kind]} />)}
      {BAR_KINDS.map((kind) => signs[kind] && <path key={kind} class={`sign-${kind}`} d={signs[kind]} />)}
    </>
  )
}

/** The waits as dashed lines. Long ones end in an arrow, and have their duration in the middle. */
function drawWaits(lane: Lane, rowSize: RowSize, scale: TimeScale) {
  const places = lane.waits.map(({ row, fromMs, toMs }) => ({
    from: Math.max(0, placeOf(fromMs, scale)),
    to: Math.min(scale.width, placeOf(toMs, scale)),
    y: middleOf(row, rowSize),
    text: formatMs(toMs - fromMs),
  }))
  // Waits outside of the window have no length in it, and those below two pixels would not be seen.
  const waits = places.filter(({ from, to }) => to - from >= 2)
  const long = rowSize.isRoomy ? waits.filter(({ from, to }) => to - from > TEXT_WIDTH) : []
  return (
    <>
      <path class="wait" d={waits.map(({ from, to, y }) => `M${from} ${y}H${to}`).join('')} />
      <path class="wait-end" d={long.map(({ to, y }) => `M${to - 5} ${y - 4}l5 4l-5 4`).join('')} />
      {long.map(({ from, to, y, text }) => (
        <text key={`${from} ${y}`} class="wait-text" x={(from + to) / 2} y={y + 4}>
          {text}
        </text>
      ))}
    </>
  )
}

/** The sign of each kind, from its middle; of colours alone, some people would see no difference. */
export const SIGNS: Readonly<Record<BarKind, string>> = {
  answered: 'm-6-5h12v10h-12z',
  fault: 'm-4-4l8 8m0-8l-8 8',
  limit: 'm0-5l5 5l-5 5l-5-5z',
  error: 'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0',
  left: 'm4-5l-8 5l8 5z',
  open: 'm-3-4l6 4l-6 4',
}

function Grid({ scale }: { scale: TimeScale }) {
  const lines = ticksOf(scale).map((ms) => `M${placeOf(ms, scale)} 0v9999`)
  return <path class="grid" d={lines.join('')} />
}

/** The share of a limit that is used, with the full limit as a line at the top. */
function LevelChart({ level: { kind, limit, points }, scale }: { level: LevelLine; scale: TimeScale }) {
  const { width } = scale
  const bottom = LEVEL_HEIGHT - 4
  const places = points.map(([ms, share]) => [placeOf(ms, scale), bottom - share * (bottom - FULL_Y)] as const)
  const line = places.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')
  return (
    <svg width={width} height={LEVEL_HEIGHT} aria-hidden="true">
      <Grid scale={scale} />
      <path class="level-full" d={`M0 ${FULL_Y}H${width}`} />
      <path class="level-area" d={`M${places[0]![0]} ${bottom}L${line}V${bottom}z`} />
      <path class="level-line" d={`M${line}`} />
      <text class="level-text" x={8} y={FULL_Y - 4}>
        limit of {limit.toLocaleString('en')} {kind}
      </text>
    </svg>
  )
}
