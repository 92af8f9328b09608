/** Keyboard shortcuts: views register what their keys do, and a dialog lists all keys. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { embedded } from '../report/embedded.ts'
import { Dialog } from './dialogs.tsx'

type Actions = Readonly<Record<string, () => void>>

/** All keys, for the dialog; docs/control-plane.md has the same list. */
export const KEYS: readonly (readonly [keys: string, action: string, needs?: 'a mock'])[] = [
  ['j k', 'next call, previous call; also the arrow keys in the list'],
  ['Enter', 'open the call'],
  ['Escape', 'close the call; in a filter, clear the filters'],
  ['/', 'filter by text'],
  ['[ ]', 'previous tab, next tab of the open call'],
  ['c', 'copy the open call as curl'],
  ['r', 'copy the open call as a rule'],
  ['x', 'fail the next call like the open one', 'a mock'],
  ['a', 'add a rule from the open call', 'a mock'],
  ['l', 'calls'],
  ['f', 'faults', 'a mock'],
  ['s', 'scenario'],
  ['t', 'try it', 'a mock'],
  ['n', 'now', 'a mock'],
  ['o', 'report'],
  ['?', 'this list'],
]

/** The actions in use, the latest last: it comes first. */
const active: { readonly current: Actions }[] = []

/** Registers shortcuts while a component is shown. */
export function useKeys(actions: Actions): void {
  const entry = useRef(actions)
  entry.current = actions
  useEffect(() => {
    active.push(entry)
    return () => void active.splice(active.indexOf(entry), 1)
  }, [])
}

/** Runs the action of each key. In form fields only Escape is a shortcut. */
export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event
    if (ctrlKey || metaKey || altKey || defaultPrevented) return
    if (document.querySelector('dialog[open]') !== null) return
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

export function KeysDialog({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="keys">
        {KEYS.filter(([, , needs]) => needs === undefined || embedded === undefined).map(([keys, action]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
