/**
 * Messages to the user: notices at the lower edge of the page, which go away after a while, and dialogs.
 *
 *     say('Copied as curl.')
 *     if (await ask({ title: 'Reset the mock?', text: 'This clears the journal.', yes: 'Reset' })) …
 */
import { signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button, IconButton, Table } from '../parts/elements.tsx'
import { embedded } from '../report/embedded.ts'
import { KEYS } from './keys.ts'
import type { View } from './router.ts'

/** Times after which a notice goes away; that of a problem stays longer. */
const SHOWN_MS = 6000
const PROBLEM_SHOWN_MS = 15_000
/** The most notices at a time; the oldest go first. */
const MAX_NOTICES = 3

interface Notice {
  readonly id: number
  readonly text: string
  readonly isProblem?: boolean
  /** A button of the message, such as Undo. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** The notices on the page, the oldest first. */
const notices = signal<readonly Notice[]>([])
/** The id of the latest notice. */
let lastId = 0

/** Shows a message on the page and to screen readers. The same text is shown once. */
export function say(text: string, options: Omit<Notice, 'id' | 'text'> = {}): void {
  const id = ++lastId
  const others = notices.value.filter((notice) => notice.text !== text)
  notices.value = [...others, { id, text, ...options }].slice(-MAX_NOTICES)
  // A notice stays while the pointer or the focus is on one.
  const dismissUnlessRead = (): void => {
    if (document.querySelector('.notices:is(:hover, :focus-within)') !== null) return
    clearInterval(timer)
    dismiss(id)
  }
  const timer = setInterval(dismissUnlessRead, options.isProblem ? PROBLEM_SHOWN_MS : SHOWN_MS)
}

function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

export const Notices = () => (
  <div class="notices" role="status">
    {notices.value.map(({ id, text, isProblem, action }) => (
      <div key={id} class={isProblem ? 'notice bad' : 'notice'}>
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
        <IconButton label="Dismiss" text="×" onClick={() => dismiss(id)} />
      </div>
    ))}
  </div>
)

/** The open dialog; undefined for none. A new one takes its place. */
export const dialog = signal<JSX.Element>()

function closeDialog(): void {
  dialog.value = undefined
}

/** Asks before something is lost; true for yes. @param question `yes` is the label of the button that answers yes. */
export function ask({ title, text, yes }: { title: string; text: string; yes: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (isYes: boolean): void => {
      closeDialog()
      resolve(isYes)
    }
    const button = <Button class="danger" text={yes} onClick={() => answer(true)} />
    dialog.value = (
      <Dialog title={title} closeLabel="Cancel" actions={button} onClose={() => answer(false)}>
        <p>{text}</p>
      </Dialog>
    )
  })
}

/** Copies a text to the clipboard, or shows it for manual copying where the browser forbids that. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(done)
  } catch {
    // Pages over plain HTTP beyond loopback have no clipboard, and the user may have denied it.
    dialog.value = (
      <Dialog title="Copy this" onClose={closeDialog}>
        <p class="hint">The browser does not allow this page to use the clipboard. Press Ctrl+C to copy.</p>
        <textarea
          ref={(field) => field?.select()}
          readonly
          rows={12}
          wrap="off"
          aria-label="Text to copy"
          value={text}
        />
      </Dialog>
    )
  }
}

/** A button that copies a text. */
export const CopyButton = ({ label = 'Copy', text, done }: { label?: string; text: string; done: string }) => (
  <Button text={label} onClick={() => void copyText(text, done)} />
)

/** Shows the list of keyboard shortcuts. */
export function showKeys(views: readonly View[]): void {
  const pageKeys = KEYS.filter(({ needsMock }) => !needsMock || embedded === undefined)
  const rows = [...pageKeys, ...views.map(({ key, title }) => ({ keys: key, action: title }))]
  dialog.value = (
    <Dialog title="Keyboard shortcuts" onClose={closeDialog}>
      <Table
        class="keys"
        rows={rows.map(({ keys, action }) => [keys.split(' ').map((key) => <kbd key={key}>{key}</kbd>), action])}
      />
    </Dialog>
  )
}

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
  /** Buttons beside Close. */
  readonly actions?: ComponentChildren
  readonly closeLabel?: string
}

/** A modal dialog. It is open as long as it is rendered. */
function Dialog({ title, onClose, children, actions, closeLabel = 'Close' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => element.current!.showModal(), [])
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <div class="dialog-actions">
        {actions}
        <Button text={closeLabel} onClick={onClose} />
      </div>
    </dialog>
  )
}
