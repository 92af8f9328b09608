/**
 * What the body of a call says: parsed, hashed and understood.
 *
 * Tests, retries and load send the same text again and again. So that only the first of them pays for it, a bounded
 * number of readings is kept; one is a function of its text alone, and keeping it changes no answer.
 */

import { MemoCache } from '../cache/memo-cache.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import { hash32 } from '../random/hash.ts'
import { isObject, type JsonObject } from '../text/json.ts'
import type { CallHeader } from './decisive-headers.ts'
import { MODEL_ENDPOINTS } from './endpoints.ts'
import type { Route } from './route.ts'

const MAX_KEPT = 256
const MAX_KEPT_LENGTH = 8192

const NOTHING: JsonObject = {}

/** What of a call its reading depends on. */
interface Text {
  readonly method: string
  readonly path: string
  readonly header: (name: CallHeader) => string | undefined
  readonly body: string | undefined
  readonly bodyLimit: number
}

export class ParsedBody {
  /** The parsed body; empty when there is none or it was not readable: then `error` says why. */
  readonly body: JsonObject
  readonly error: ApiError | undefined
  /** Two hashes of method, path and body: the same for the same request, however it was spaced. */
  readonly low: number
  readonly high: number
  #made: Map<(body: JsonObject) => unknown, unknown> | undefined

  /** @param text what names the request. */
  constructor({ method, path }: Text, body: JsonObject, text: string, error?: ApiError) {
    const place = hash32(`${method} ${path}`, 0)
    this.body = body
    this.error = error
    this.low = hash32(text, place + 1)
    this.high = hash32(text, place + 2)
  }

  /** What a function makes of the body: it is asked once. It must go by the body alone, and what it makes may not be changed. */
  once<Value>(make: (body: JsonObject) => Value): Value {
    this.#made ??= new Map()
    if (!this.#made.has(make)) this.#made.set(make, make(this.body))
    return this.#made.get(make) as Value
  }
}

export class BodyCache {
  readonly #byEndpoint = new Map(
    MODEL_ENDPOINTS.map((name) => [name as string, new MemoCache<ParsedBody>(MAX_KEPT, MAX_KEPT_LENGTH)]),
  )

  /** The reading of a call: one that is kept, or a new one. */
  of(call: Text, route: Route): ParsedBody {
    const { body } = call
    if (body === undefined) {
      return new ParsedBody(call, NOTHING, '', apiError('body-too-large', { limit: call.bodyLimit }))
    }
    if (!route.readsBody) return new ParsedBody(call, NOTHING, '')
    const contentType = call.header('content-type')
    const isPlainJson = contentType === undefined || contentType === 'application/json'
    if (!isPlainJson && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)) {
      const shown = contentType.split(';')[0]!.trim()
      return new ParsedBody(call, NOTHING, body, apiError('unsupported-content-type', { contentType: shown }))
    }
    return this.#byEndpoint.get(route.endpoint)!.of(body, () => parseJson(call, body))
  }
}

/** The body is written anew to name the request, so that spaces make no difference; unreadable, it stays as it came. */
function parseJson(call: Text, text: string): ParsedBody {
  try {
    const body: unknown = JSON.parse(text)
    if (isObject(body)) return new ParsedBody(call, body, JSON.stringify(body))
  } catch {
    // Not JSON, or nested too deep to write anew: answered like any unreadable body.
  }
  return new ParsedBody(call, NOTHING, text, apiError('invalid-json'))
}
