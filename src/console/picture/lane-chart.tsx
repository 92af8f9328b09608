/** One lane of the picture of a run: its bars, the waits between them, and the levels of its limits. */
import { useMemo } from 'preact/hooks'
import type { BarKind, Lane, LevelLine } from '../../core/report/run-picture.ts'
import { formatMs } from '../parts/format.ts'
import { joinBars, placeOf, type Segment, type TimeWindow, ticksOf } from './picture-scale.ts'

interface LaneProps {
  readonly lane: Lane
  readonly title: string
  readonly window: TimeWindow
  readonly width: number
  readonly rowHeight: number
  /** The id of the pattern of faults. */
  readonly hatch: string
  /** The call that the pointer or the keyboard is at. */
  readonly current: number | undefined
  readonly textOf: (number: number) => readonly string[]
  readonly onPoint: (number: number | undefined) => void
  readonly onChoose: (segment: Segment) => void
}

const LEVEL_HEIGHT = 48
/** The distance in pixels at which the pointer is at a bar. */
const REACH = 6
const SIGN_WIDTH = 11
const TEXT_WIDTH = 42
const POPUP_WIDTH = 260

export function LaneChart({
  lane,
  title,
  window,
  width,
  rowHeight,
  hatch,
  current,
  textOf,
  onPoint,
  onChoose,
}: LaneProps) {
  const height = lane.rows * rowHeight
  const segments = useMemo(() => joinBars(lane.bars, window, width), [lane, window, width])
  const marks = useMemo(
    () => (
      <LaneMarks lane={lane} segments={segments} window={window} width={width} rowHeight={rowHeight} hatch={hatch} />
    ),
    [segments, rowHeight, hatch],
  )
  const shown = segments.find(({ bars }) => bars.some(({ number }) => number === current))
  const segmentAt = ({ offsetX, offsetY }: MouseEvent): Segment | undefined => {
    const row = Math.floor(offsetY / rowHeight)
    const distance = (one: Segment): number => Math.max(one.x - offsetX, offsetX - one.x - one.width)
    return segments
      .filter((one) => one.row === row && distance(one) <= REACH)
      .sort((a, b) => distance(a) - distance(b))[0]
  }
  return (
    <div class="lane">
      <p class="lane-title">{title}</p>
      <svg
        width={width}
        height={height}
        aria-hidden="true"
        onPointerMove={(event) => onPoint(segmentAt(event)?.bars[0]?.number)}
        onClick={(event) => {
          const segment = segmentAt(event)
          if (segment !== undefined) onChoose(segment)
        }}
      >
        {marks}
        {shown !== undefined && (
          <rect
            class="bar-current"
            x={shown.x - 3}
            y={shown.row * rowHeight + 1}
            width={shown.width + 6}
            height={rowHeight - 2}
          />
        )}
      </svg>
      {lane.levels.map((level) => (
        <LevelChart key={`${level.kind} ${level.limit}`} level={level} window={window} width={width} />
      ))}
      {shown !== undefined && current !== undefined && (
        <div
          class="lane-popup"
          role="status"
          style={{
            left: `${Math.max(0, Math.min(shown.x, width - POPUP_WIDTH))}px`,
            top: `${20 + (shown.row + 1) * rowHeight + 4}px`,
          }}
        >
          {textOf(current).map((line) => (
            <p key={line}>{line}</p>
          ))}
          {shown.bars.length > 1 && <p class="hint">and {shown.bars.length - 1} more in this place</p>}
        </div>
      )}
    </div>
  )
}

interface MarksProps extends Pick<LaneProps, 'lane' | 'window' | 'width' | 'rowHeight' | 'hatch'> {
  readonly segments: readonly Segment[]
}

function LaneMarks({ lane, segments, window, width, rowHeight, hatch }: MarksProps) {
  const middle = (row: number): number => (row + 0.5) * rowHeight
  const barHeight = rowHeight > 15 ? rowHeight - 6 : rowHeight > 10 ? rowHeight - 3 : rowHeight - 1
  const hasText = rowHeight > 10
  /** The place of the last sign of each row. */
  const signs: number[] = []
  return (
    <>
      <Grid window={window} width={width} height={lane.rows * rowHeight} />
      {lane.waits.map(({ failed, row, fromMs, toMs }) => {
        const [from, to] = [placeOf(fromMs, window, width), placeOf(toMs, window, width)]
        if (to < 0 || from > width || to - from < 2) return null
        const [left, right, y] = [Math.max(0, from), Math.min(width, to), middle(row)]
        const centre = (left + right) / 2
        const isWritten = hasText && right - left > TEXT_WIDTH + 20
        return (
          <g key={failed}>
            <path class="wait" d={`M${left} ${y}H${isWritten ? centre - TEXT_WIDTH / 2 : right}`} />
            {isWritten && <path class="wait" d={`M${centre + TEXT_WIDTH / 2} ${y}H${right}`} />}
            {hasText && right - left > 16 && <path class="wait-end" d={`M${right - 5} ${y - 4}l5 4l-5 4`} />}
            {isWritten && (
              <text class="wait-text" x={centre} y={y + 4}>
                {formatMs(toMs - fromMs)}
              </text>
            )}
          </g>
        )
      })}
      {segments.map(({ kind, row, x, width: length, bars }) => {
        const hasSign = hasText && kind !== 'answered' && x - (signs[row] ?? -SIGN_WIDTH) >= SIGN_WIDTH
        if (hasSign) signs[row] = x
        return (
          <g key={bars[0]!.number}>
            {(!hasSign || length > SIGN_WIDTH) && (
              <rect
                class={`bar-${kind}`}
                {...(kind === 'fault' && { fill: `url(#${hatch})` })}
                x={x}
                y={middle(row) - barHeight / 2}
                width={length}
                height={barHeight}
                rx={Math.min(2, length / 2)}
              />
            )}
            {hasSign && (
              <g transform={`translate(${x + Math.min(length / 2, SIGN_WIDTH / 2 + 2)} ${middle(row)})`}>
                <Sign kind={kind} />
              </g>
            )}
          </g>
        )
      })}
    </>
  )
}

const SIGNS: Readonly<Record<BarKind, string>> = {
  answered: 'M-6-5h12v10h-12z',
  fault: 'M-4-4L4 4M4-4L-4 4',
  limit: 'M0-5L5 0L0 5L-5 0z',
  error: 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0',
  left: 'M4-5L-4 0L4 5z',
  open: 'M-3-4L3 0L-3 4',
}

/** The sign of a kind, around 0; of colours alone, some people would see no difference. */
export const Sign = ({ kind }: { kind: BarKind }) => <path class={`sign sign-${kind}`} d={SIGNS[kind]} />

const Grid = ({ window, width, height }: { window: TimeWindow; width: number; height: number }) => (
  <path
    class="grid"
    d={ticksOf(window, width)
      .map((ms) => `M${placeOf(ms, window, width)} 0V${height}`)
      .join('')}
  />
)

/** The share of a limit that is used, with the full limit as a line at the top. */
function LevelChart({ level, window, width }: { level: LevelLine } & Pick<LaneProps, 'window' | 'width'>) {
  const bottom = LEVEL_HEIGHT - 4
  const { kind, limit, per, points } = level
  const line = points
    .map(([ms, share]) => `${placeOf(ms, window, width).toFixed(1)} ${(bottom - share * (bottom - 16)).toFixed(1)}`)
    .join('L')
  const [first, last] = [points[0]!, points.at(-1)!].map(([ms]) => placeOf(ms, window, width).toFixed(1))
  return (
    <svg class="level" width={width} height={LEVEL_HEIGHT} aria-hidden="true">
      <Grid window={window} width={width} height={LEVEL_HEIGHT} />
      <path class="level-full" d={`M0 16H${width}`} />
      <path class="level-area" d={`M${first} ${bottom}L${line}L${last} ${bottom}z`} />
      <path class="level-line" d={`M${line}`} />
      <text class="level-text" x={8} y={12}>
        limit of {limit.toLocaleString('en')} {kind} per {per}
      </text>
    </svg>
  )
}
