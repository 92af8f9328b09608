/** A modal dialog. It is open as long as it is rendered. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

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
