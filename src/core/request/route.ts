/** Routes: which path is which endpoint, what else it could have been, and which methods it takes. */
import { nearest } from '../text/did-you-mean.ts'

export type Endpoint = 'chat' | 'embeddings' | 'models'

interface KnownPath {
  readonly endpoint: Endpoint
  readonly method: 'POST' | 'GET'
}

const PATHS: Readonly<Record<string, KnownPath>> = {
  '/v1/chat/completions': { endpoint: 'chat', method: 'POST' },
  '/v1/embeddings': { endpoint: 'embeddings', method: 'POST' },
  '/v1/models': { endpoint: 'models', method: 'GET' },
}
const ONE_MODEL = '/v1/models/'

/** Where a call goes. */
export interface Route {
  /** Undefined when the path is unknown. */
  readonly endpoint: Endpoint | undefined
  /** The one method it takes besides OPTIONS; undefined when the path is unknown. */
  readonly allow: 'POST' | 'GET' | undefined
  readonly readsBody: boolean
  /** The model of `/v1/models/{model}`. */
  readonly asked?: string
}

export function routeOf(method: string, path: string): Route {
  const known = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined
  if (known !== undefined) {
    return { endpoint: known.endpoint, allow: known.method, readsBody: known.method === 'POST' && method === 'POST' }
  }
  if (path.startsWith(ONE_MODEL) && path.length > ONE_MODEL.length) {
    return { endpoint: 'models', allow: 'GET', readsBody: false, asked: decoded(path.slice(ONE_MODEL.length)) }
  }
  return { endpoint: undefined, allow: undefined, readsBody: false }
}

/** `POST /v1/chat/completions` for a path that nearly is it. */
export function nearestRoute(path: string): string | null {
  const bare = path.replace(/\/+$/, '')
  const withBase = bare.startsWith('/v1/') ? bare : `/v1${bare}`
  const name = nearest(withBase, Object.keys(PATHS), 1)[0]
  return name === undefined ? null : `${PATHS[name]!.method} ${name}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
