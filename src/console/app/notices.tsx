/** Short messages at the edge of the page. They leave after a while, except under the pointer or the focus. */
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../parts/elements.tsx'

const SHOWN_MS = 6000
const PROBLEM_SHOWN_MS = 15_000
const MAX_NOTICES = 3

interface Notice {
  readonly id: number
  readonly text: string
  readonly isProblem?: boolean
  /** A button of the message, such as Undo. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

const notices = signal<readonly Notice[]>([])
let lastId = 0

/** Shows a message on the page and to screen readers. The same text is shown once. */
export function say(text: string, options: Omit<Notice, 'id' | 'text'> = {}): void {
  const others = notices.value.filter((notice) => notice.text !== text)
  notices.value = [...others, { id: ++lastId, text, ...options }].slice(-MAX_NOTICES)
}

function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

export function Notices() {
  return (
    <div class="notices" role="status">
      {notices.value.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function NoticeLine({ notice: { id, text, isProblem = false, action } }: { notice: Notice }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(id), isProblem ? PROBLEM_SHOWN_MS : SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id, isHeld, isProblem])
  return (
    <div
      class={isProblem ? 'notice bad' : 'notice'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusCapture={() => setHeld(true)}
      onBlurCapture={() => setHeld(false)}
    >
      <p>{text}</p>
      {action !== undefined && (
        <Button
          text={action.label}
          onClick={() => {
            dismiss(id)
            action.run()
          }}
        />
      )}
      <Button class="plain" aria-label="Dismiss" text="×" onClick={() => dismiss(id)} />
    </div>
  )
}
