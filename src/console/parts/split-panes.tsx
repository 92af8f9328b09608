/** Two panes and a divider that is dragged or moved with the arrow keys. Its position is remembered. */
import type { ComponentChildren, JSX, TargetedKeyboardEvent, TargetedPointerEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'

const STORAGE_KEY = 'llm-api-mock divider'
const MIN_PERCENT = 20
const MAX_PERCENT = 80
const DEFAULT_PERCENT = 52
const STEP = 2

interface Props {
  readonly label: string
  readonly first: ComponentChildren
  /** Without it, the first pane takes all of the width. */
  readonly second: ComponentChildren | undefined
}

export function Split({ label, first, second }: Props): JSX.Element {
  const frame = useRef<HTMLDivElement>(null)
  const [percent, setPercent] = useState(readPercent)
  const move = (wanted: number): void => {
    const next = Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, wanted))
    setPercent(next)
    storePercent(next)
  }
  const drag = ({ currentTarget, pointerId, clientX }: TargetedPointerEvent<HTMLElement>): void => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    const { left, width } = frame.current!.getBoundingClientRect()
    move((100 * (clientX - left)) / width)
  }
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: percent - STEP,
      ArrowRight: percent + STEP,
      Home: MIN_PERCENT,
      End: MAX_PERCENT,
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    move(target)
  }
  if (second === undefined) return <div class="split single">{first}</div>
  return (
    <div class="split" ref={frame} style={{ '--first': `${percent}%` }}>
      {first}
      <div
        class="divider"
        role="separator"
        aria-orientation="vertical"
        aria-label={label}
        aria-valuenow={Math.round(percent)}
        aria-valuemin={MIN_PERCENT}
        aria-valuemax={MAX_PERCENT}
        tabIndex={0}
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.focus()
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={drag}
        onDblClick={() => move(DEFAULT_PERCENT)}
        onKeyDown={onKeyDown}
      />
      {second}
    </div>
  )
}

function readPercent(): number {
  try {
    const stored = Number(localStorage.getItem(STORAGE_KEY))
    return stored >= MIN_PERCENT && stored <= MAX_PERCENT ? stored : DEFAULT_PERCENT
  } catch {
    return DEFAULT_PERCENT
  }
}

function storePercent(percent: number): void {
  try {
    localStorage.setItem(STORAGE_KEY, percent.toFixed(1))
  } catch {
    // The storage is full or forbidden: the divider works, and is not remembered.
  }
}
