/** Settings in the browser's storage, which may be full, or forbidden in a frame: then they last as long as the page. */

type Kind = 'localStorage' | 'sessionStorage'

export function readStored(kind: Kind, key: string): string {
  try {
    return globalThis[kind].getItem(key) ?? ''
  } catch {
    return ''
  }
}

export function store(kind: Kind, key: string, value: string): void {
  try {
    globalThis[kind].setItem(key, value)
  } catch {
    // Not remembered.
  }
}
