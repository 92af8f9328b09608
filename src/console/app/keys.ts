/** Keyboard shortcuts: views register the actions of their keys. */
import { useEffect, useRef } from 'preact/hooks'

type KeyActions = Readonly<Record<string, () => void>>

/** All keys, for the dialog; docs/control-plane.md has the same list. */
export const KEYS: readonly (readonly [keys: string, action: string, needs?: 'a mock'])[] = [
  ['j k', 'next call, previous call; also the arrow keys in the list'],
  ['Enter', 'open the call'],
  ['Escape', 'close the call; in a filter, clear the filters'],
  ['/', 'filter by text'],
  ['[ ]', 'previous tab, next tab'],
  ['c', 'copy the open call as curl'],
  ['r', 'copy the open call as a rule'],
  ['x', 'fail the next call like the open one', 'a mock'],
  ['a', 'add a rule from the open call', 'a mock'],
  ['Ctrl+Enter', 'in the editor, apply the text; in Try it, send the call', 'a mock'],
  ['Ctrl+S', 'save the text in the editor to the file', 'a mock'],
  ['l', 'calls'],
  ['p', 'picture', 'a mock'],
  ['f', 'faults', 'a mock'],
  ['s', 'scenario'],
  ['t', 'try it', 'a mock'],
  ['n', 'now', 'a mock'],
  ['o', 'report'],
  ['?', 'this list'],
]

/** The registered actions. The latest come first. */
const active: { readonly current: KeyActions }[] = []

/** Registers shortcuts while a component is shown. */
export function useKeys(actions: KeyActions): void {
  const entry = useRef(actions)
  entry.current = actions
  useEffect(() => {
    active.push(entry)
    return () => void active.splice(active.indexOf(entry), 1)
  }, [])
}

/** A handler for the keys of an element, which are then no shortcuts of the page. Keys with Ctrl, Alt or Meta are left alone. */
export const onKeys = (actions: KeyActions) => (event: KeyboardEvent) => {
  const { key, ctrlKey, metaKey, altKey, target } = event
  // Enter presses a focused button.
  const isOther = ctrlKey || metaKey || altKey || (key === 'Enter' && target instanceof HTMLButtonElement)
  if (isOther || !Object.hasOwn(actions, key)) return
  event.preventDefault()
  event.stopPropagation()
  actions[key]!()
}

/** Runs the action of each key. In form fields only Escape is a shortcut. */
export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event
    if (ctrlKey || metaKey || altKey || defaultPrevented) return
    // Escape closes an open menu.
    if (document.querySelector(key === 'Escape' ? 'dialog[open], :popover-open' : 'dialog[open]') !== null) return
    const within = (selector: string): boolean => target instanceof Element && target.closest(selector) !== null
    if (key !== 'Escape' && within('input, select, textarea, [contenteditable="true"]')) return
    // Enter activates a focused button or link.
    if (key === 'Enter' && within('button, summary, a')) return
    const action = active.findLast(({ current }) => Object.hasOwn(current, key))?.current[key]
    if (action === undefined) return
    event.preventDefault()
    action()
  })
}
