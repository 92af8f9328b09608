/** The functions of msw that need its root. In bundles for Node, scripts/lazy-modules.ts loads them at the first call. */
import { http } from 'msw'

export { getResponse, passthrough } from 'msw'
export const { all: handleAll } = http
