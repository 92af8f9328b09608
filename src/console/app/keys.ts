/**
 * Keyboard shortcuts. A component registers the actions of its keys while it is shown, `useKeys({ Escape: close })`; of
 * several actions for a key, that of the latest component runs.
 */
import { useEffect, useRef } from 'preact/hooks'

/** Actions by the names of keys, as `KeyboardEvent.key` has them. */
type KeyActions = Readonly<Record<string, () => void>>

/**
 * All keys besides those that open a view (`VIEWS` in mock-page.tsx has them), for the dialog that lists them;
 * docs/control-plane.md has the same list. In a report that is a file there is no mock, so the dialog leaves out the keys
 * with `needsMock`.
 */
export const KEYS: readonly { readonly keys: string; readonly action: string; readonly needsMock?: true }[] = [
  { keys: 'j k', action: 'next call, previous call; also the arrow keys in the list' },
  { keys: 'Enter', action: 'open the call' },
  { keys: 'Escape', action: 'close the call; in a filter, clear the filters' },
  { keys: '/', action: 'filter by text' },
  { keys: '[ ]', action: 'previous tab, next tab' },
  { keys: 'c', action: 'copy the open call as curl' },
  { keys: 'r', action: 'copy the open call as a rule' },
  { keys: 'x', action: 'fail the next call like the open one', needsMock: true },
  { keys: 'a', action: 'add a rule from the open call', needsMock: true },
  { keys: 'Ctrl+Enter', action: 'in the editor, apply the text; in Try it, send the call', needsMock: true },
  { keys: 'Ctrl+S', action: 'save the text in the editor to the file', needsMock: true },
  { keys: '?', action: 'this list' },
]

/**
 * The actions of the components that are shown; those of the latest one come last. They are in references, as a component
 * has other actions each time it is drawn.
 */
const registered: { readonly current: KeyActions }[] = []

/** Registers shortcuts while a component is shown. */
export function useKeys(actions: KeyActions): void {
  const own = useRef(actions)
  own.current = actions
  useEffect(() => {
    registered.push(own)
    return () => void registered.splice(registered.indexOf(own), 1)
  }, [])
}

/** Runs the registered actions. In form fields only Escape is a shortcut. */
export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, defaultPrevented } = event
    if (hasModifier(event) || defaultPrevented) return
    // An open dialog has all keys for itself, an open menu has Escape.
    const open = key === 'Escape' ? 'dialog[open], :popover-open' : 'dialog[open]'
    if (document.querySelector(open) !== null) return
    const isWithin = (selector: string): boolean => target instanceof Element && target.closest(selector) !== null
    if (key !== 'Escape' && isWithin('input, select, textarea, [contenteditable="true"]')) return
    // Enter activates a focused button or link.
    if (key === 'Enter' && isWithin('button, summary, a')) return
    const action = registered.findLast(({ current }) => Object.hasOwn(current, key))?.current[key]
    if (action === undefined) return
    event.preventDefault()
    action()
  })
}

/** A handler for the keys of one element: while it has the focus, they are no shortcuts of the page. */
export const onKeys = (actions: KeyActions) => (event: KeyboardEvent) => {
  const { key, target } = event
  // Enter activates a focused button.
  const isForButton = key === 'Enter' && target instanceof HTMLButtonElement
  if (hasModifier(event) || isForButton || !Object.hasOwn(actions, key)) return
  event.preventDefault()
  event.stopPropagation()
  actions[key]!()
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey
