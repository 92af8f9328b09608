/**
 * Parses and hashes the body of a call.
 *
 * Tests, retries and load tests send the same body again and again, so parsed bodies are cached. A parsed body is a
 * function of the text alone, so the cache changes no answer.
 */

import { MemoCache } from '../cache/memo-cache.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'
import { hash32 } from '../random/hash.ts'
import { isObject, type JsonObject } from '../text/json.ts'
import type { CallHeader } from './decisive-headers.ts'
import { MODEL_ENDPOINTS } from './endpoints.ts'
import type { Route } from './route.ts'

const MAX_CACHED = 256
const MAX_CACHED_LENGTH = 8192

const NOTHING: JsonObject = {}

/** The part of a call that its parsed body depends on. */
interface BodySource {
  readonly method: string
  readonly path: string
  readonly header: (name: CallHeader) => string | undefined
  readonly body: string | undefined
  readonly bodyLimit: number
}

export class ParsedBody {
  /** Empty without a body, and when the body could not be parsed: then `error` says why. */
  readonly body: JsonObject
  readonly error: ApiError | undefined
  /** Two hashes of method, path and body. White space between the values of the body makes no difference. */
  readonly low: number
  readonly high: number
  readonly #route: number
  #derived: Map<(body: JsonObject) => unknown, unknown> | undefined

  /** @param text the body as it is hashed. */
  constructor({ method, path }: BodySource, body: JsonObject, text: string, error?: ApiError) {
    const route = hash32(`${method} ${path}`, 0)
    this.body = body
    this.error = error
    this.#route = route
    this.low = hash32(text, route + 1)
    this.high = hash32(text, route + 2)
  }

  /** The hashes without how the answer is sent: a request gets the same words with and without a stream. */
  get contentHashes(): { readonly low: number; readonly high: number } {
    const { stream, stream_options, ...content } = this.body
    if (stream === undefined && stream_options === undefined) return this
    const text = JSON.stringify(content)
    return { low: hash32(text, this.#route + 1), high: hash32(text, this.#route + 2) }
  }

  /** The result of a function of the body, which runs once. It must depend on nothing else, and nobody may change its result. */
  once<Value>(derive: (body: JsonObject) => Value): Value {
    this.#derived ??= new Map()
    if (!this.#derived.has(derive)) this.#derived.set(derive, derive(this.body))
    return this.#derived.get(derive) as Value
  }
}

export class BodyCache {
  readonly #byEndpoint = new Map(
    MODEL_ENDPOINTS.map((name) => [name as string, new MemoCache<ParsedBody>(MAX_CACHED, MAX_CACHED_LENGTH)]),
  )

  /** The parsed body of a call, from the cache if it is there. */
  of(call: BodySource, route: Route): ParsedBody {
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

/** Serialises the parsed body again for the hashes, so that white space makes no difference. */
function parseJson(call: BodySource, text: string): ParsedBody {
  try {
    const body: unknown = JSON.parse(text)
    if (isObject(body)) return new ParsedBody(call, body, JSON.stringify(body))
  } catch {
    // Not JSON, or nested too deep to serialise.
  }
  return new ParsedBody(call, NOTHING, text, apiError('invalid-json'))
}
