/** The keyboard shortcuts of the page, documented in its own dialog and in docs/control-plane.md. */

/** Runs the action of each key. In form fields only Escape is a shortcut. */
export function listenToKeys(keys: Readonly<Record<string, () => void>>): void {
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if (ctrlKey || metaKey || altKey || event.defaultPrevented) return
    if (document.querySelector('dialog[open]') !== null) return
    const isField = target instanceof Element && target.closest('input, select, textarea') !== null
    if (isField && key !== 'Escape') return
    // Enter activates a focused button or link.
    const isPressed = target instanceof Element && target.closest('button, summary, a') !== null
    if (key === 'Enter' && isPressed) return
    if (!Object.hasOwn(keys, key)) return
    event.preventDefault()
    keys[key]!()
  })
}
