/** A button that opens a short list of actions. */
import { useRef } from 'preact/hooks'

export interface MenuItem {
  readonly label: string
  /** The keyboard shortcut, if there is one. */
  readonly key?: string
  readonly run: () => void
}

export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const close = (): void => {
    // An action may have removed the menu.
    if (menu.current !== null) menu.current.open = false
  }
  return (
    <details
      class="menu"
      ref={menu}
      onBlurCapture={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || menu.current?.contains(relatedTarget) !== true) close()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current!.open) return
        event.stopPropagation()
        close()
        menu.current!.querySelector('summary')?.focus()
      }}
    >
      <summary>{label}</summary>
      <ul>
        {items.map(({ label: text, key, run }) => (
          <li key={text}>
            <button
              type="button"
              // So that a click does not blur the menu first.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                close()
                run()
              }}
            >
              {text}
              {key !== undefined && <kbd>{key}</kbd>}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
