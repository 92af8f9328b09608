/** A list beside what is chosen from it, and a divider that is dragged or moved with the arrow keys. Its position is remembered. */
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { onKeys } from '../app/keys.ts'
import { readStored, store } from './browser-storage.ts'

/** The width of the list, as a share of the frame. */
const MIN_PERCENT = 20
const MAX_PERCENT = 80
const DEFAULT_PERCENT = 52
/** The share by which an arrow key moves the divider. */
const STEP = 2

/** @param chosen the chosen item of the list; without it, the list takes all of the width. */
export function SplitPanes({ list, chosen }: { list: ComponentChildren; chosen: ComponentChildren }) {
  const frame = useRef<HTMLDivElement>(null)
  const [percent, setPercent] = useState(() => Number(readStored('localStorage', 'divider')) || DEFAULT_PERCENT)
  const move = (wanted: number): void => {
    const next = Math.min(MAX_PERCENT, Math.max(MIN_PERCENT, wanted))
    setPercent(next)
    store('localStorage', 'divider', next.toFixed(1))
  }
  if (!chosen) return <div class="split single">{list}</div>
  return (
    <div class="split" ref={frame} style={{ '--first': `${percent}%` }}>
      {list}
      <div
        class="divider"
        role="separator"
        aria-orientation="vertical"
        aria-label="Width of the list"
        aria-valuenow={Math.round(percent)}
        aria-valuemin={MIN_PERCENT}
        aria-valuemax={MAX_PERCENT}
        tabIndex={0}
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.focus()
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={({ currentTarget, pointerId, clientX }) => {
          if (!currentTarget.hasPointerCapture(pointerId)) return
          const { left, width } = frame.current!.getBoundingClientRect()
          move((100 * (clientX - left)) / width)
        }}
        onKeyDown={onKeys({
          ArrowLeft: () => move(percent - STEP),
          ArrowRight: () => move(percent + STEP),
          Home: () => move(MIN_PERCENT),
          End: () => move(MAX_PERCENT),
        })}
      />
      {chosen}
    </div>
  )
}
