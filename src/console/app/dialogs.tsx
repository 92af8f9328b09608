/** Questions and texts that open above the page. */
import { signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { KeysDialog } from './keys.tsx'
import { say } from './notices.tsx'

interface Question {
  readonly title: string
  readonly text: string
  /** The label of the button that answers yes. */
  readonly yes: string
  readonly answer: (isYes: boolean) => void
}

type Open =
  | { readonly kind: 'keys' }
  | { readonly kind: 'copy'; readonly text: string }
  | ({ readonly kind: 'question' } & Question)

const open = signal<Open>()
const close = (): void => {
  open.value = undefined
}

export const showKeys = (): void => {
  open.value = { kind: 'keys' }
}

/** Asks before something is lost; true for yes. */
export function ask(question: Omit<Question, 'answer'>): Promise<boolean> {
  return new Promise((answer) => {
    open.value = { kind: 'question', ...question, answer }
  })
}

/** Copies a text to the clipboard, or shows it for manual copying where the browser forbids that. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(done)
  } catch {
    // Pages over plain HTTP beyond loopback have no clipboard, and the user may have denied it.
    open.value = { kind: 'copy', text }
  }
}

export function Dialogs(): JSX.Element | null {
  const shown = open.value
  if (shown === undefined) return null
  switch (shown.kind) {
    case 'keys':
      return <KeysDialog onClose={close} />
    case 'copy':
      return <CopyDialog text={shown.text} />
    case 'question':
      return <QuestionDialog {...shown} />
  }
}

function QuestionDialog({ title, text, yes, answer }: Question): JSX.Element {
  const finish = (isYes: boolean): void => {
    close()
    answer(isYes)
  }
  const button = (
    <button type="button" class="danger" onClick={() => finish(true)}>
      {yes}
    </button>
  )
  return (
    <Dialog title={title} closeLabel="Cancel" actions={button} onClose={() => finish(false)}>
      <p>{text}</p>
    </Dialog>
  )
}

function CopyDialog({ text }: { text: string }): JSX.Element {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current!.select(), [])
  return (
    <Dialog title="Copy this" onClose={close}>
      <p class="hint">The browser does not allow this page to use the clipboard. Press Ctrl+C to copy.</p>
      <textarea ref={field} readonly rows={12} wrap="off" aria-label="Text to copy" value={text} />
    </Dialog>
  )
}

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** Buttons beside Close. */
  readonly actions?: ComponentChildren
  readonly closeLabel?: string
}

export function Dialog({ title, onClose, children, actions, closeLabel = 'Close' }: Props): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    dialog.current!.showModal()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <div class="dialog-actions">
        {actions}
        <button type="button" onClick={onClose}>
          {closeLabel}
        </button>
      </div>
    </dialog>
  )
}
