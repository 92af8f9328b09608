/** The keys of the page; they are documented in its own dialog and in docs/control-plane.md. */

/** What each key does. In a field of a form letters are letters, and only Escape is a key. */
export function listenToKeys(keys: Readonly<Record<string, () => void>>): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if (ctrlKey || metaKey || altKey || event.defaultPrevented) return
    if (document.querySelector('dialog[open]') !== null) return
    const isField = target instanceof Element && target.closest('input, select, textarea') !== null
    if (isField && key !== 'Escape') return
    // Enter on a button or a summary presses it.
    const isPressed = target instanceof Element && target.closest('button, summary, a') !== null
    if (key === 'Enter' && isPressed) return
    if (!Object.hasOwn(keys, key)) return
    event.preventDefault()
    keys[key]!()
  })
}
