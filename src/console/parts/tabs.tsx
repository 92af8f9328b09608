/** Tabs by the ARIA pattern: the arrow keys move between them, and one panel is visible. */
import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'
import { useId } from 'preact/hooks'

interface Tab {
  readonly name: string
  readonly title: string
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly shown: string
  readonly onShow: (name: string) => void
  /** The panel of the shown tab. */
  readonly children: ComponentChildren
}

export function Tabs({ label, tabs, shown, onShow, children }: TabsProps) {
  const id = useId()
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    const next = neighbourOfTab(tabs, shown, by)
    onShow(next)
    document.getElementById(`${id}-${next}`)?.focus()
  }
  return (
    <>
      <div role="tablist" aria-label={label} class="tabs" onKeyDown={onKeyDown}>
        {tabs.map(({ name, title }) => (
          <button
            type="button"
            role="tab"
            key={name}
            id={`${id}-${name}`}
            aria-selected={name === shown}
            aria-controls={`${id}-panel`}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => onShow(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`} class="tab-panel" tabIndex={0}>
        {children}
      </div>
    </>
  )
}

/** The name of the tab beside the shown one; after the last comes the first. */
export const neighbourOfTab = (tabs: readonly Tab[], shown: string, by: 1 | -1): string =>
  tabs.at((tabs.findIndex(({ name }) => name === shown) + by) % tabs.length)!.name
