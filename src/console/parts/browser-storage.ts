/** Settings in the browser's storage, which may be full, or forbidden in a frame: then they last as long as the page. */

type StorageKind = 'localStorage' | 'sessionStorage'

const PREFIX = 'llm-api-mock '

export function readStored(kind: StorageKind, key: string): string {
  try {
    return globalThis[kind].getItem(PREFIX + key) ?? ''
  } catch {
    return ''
  }
}

export function store(kind: StorageKind, key: string, value: string): void {
  try {
    globalThis[kind].setItem(PREFIX + key, value)
  } catch {
    // Not remembered.
  }
}
