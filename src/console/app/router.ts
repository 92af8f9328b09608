/**
 * The addresses of the page: the first part below `/_mock/` names the view, the rest belongs to the view. `/_mock/calls/17`
 * is call 17 in the view of calls. The report in a file has no paths of its own, so there it is `#/calls/17`.
 */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { embedded } from '../report/embedded.ts'

const BASE = embedded === undefined ? '/_mock/' : '#/'

export interface View {
  /** The first part of its address below `/_mock/`. The server lists these too: src/server/console-routes.ts. */
  readonly name: string
  readonly title: string
  /** The keyboard shortcut. */
  readonly key: string
  readonly component: ComponentType
}

/**
 * Reads the path of an address: `/_mock/calls/17` is the view `calls` with the rest `['17']`. The name of the first view may
 * be ''.
 */
export function readRoute(path: string, base = BASE): { readonly view: string; readonly rest: readonly string[] } {
  const below = path.startsWith(base) ? path.slice(base.length) : ''
  const [view = '', ...rest] = below.split('/').map((part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      // It was not encoded, such as `100%`.
      return part
    }
  })
  return { view, rest: rest.filter((part) => part !== '') }
}

/** The path of a view: `pathTo('calls', 17, 'timeline')` is `/_mock/calls/17/timeline`. */
export const pathTo = (view: string, ...rest: readonly (string | number)[]): string =>
  BASE + [view, ...rest].map((part) => encodeURIComponent(part)).join('/')

/** The path of the address that the browser shows. */
const currentPath = (): string => (embedded === undefined ? location.pathname : location.hash)

/**
 * The route of the address that the page shows. Links, `navigate`, back and forward change it. In a test without a browser,
 * it is that of the first view.
 */
export const route = signal(readRoute(globalThis.location === undefined ? BASE : currentPath()))

/** Opens an address of the page. @param replace true if the way back skips the present address. */
export function navigate(path: string, { replace = false } = {}): void {
  if (path !== currentPath()) history[replace ? 'replaceState' : 'pushState'](null, '', path)
  route.value = readRoute(path)
}

/** Keeps the route up to date: on back and forward, and when a link to a view is clicked. */
export function listenToAddress(): void {
  addEventListener('popstate', () => {
    // The link "Skip to the content" is no address of a view.
    if (embedded === undefined || location.hash !== '#main') route.value = readRoute(currentPath())
  })
  // In a file, the browser itself follows links after the #.
  if (embedded !== undefined) return
  document.addEventListener('click', (event) => {
    const { ctrlKey, metaKey, shiftKey, altKey, target, defaultPrevented } = event
    // A click that opens another tab or window is the browser's, and so is the link "Skip to the content".
    if (ctrlKey || metaKey || shiftKey || altKey || defaultPrevented) return
    const link = target instanceof Element ? target.closest('a') : null
    if (link === null || link.hash !== '') return
    event.preventDefault()
    navigate(link.pathname)
  })
}
