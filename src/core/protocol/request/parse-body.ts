/**
 * Parses and hashes the body of a call.
 *
 *     '{"model":"gpt-4o", "messages":[]}'
 *     -> { body: { model: 'gpt-4o', messages: [] }, model: 'gpt-4o', encoding: 'o200k_base', low: 3034791, high: 81273, ... }
 *
 * Tests, retries and load tests send the same body again and again, so parsed bodies are cached. A parsed body is a
 * function of the text alone, so the cache changes no answer.
 */

import { MemoCache } from '../../lib/cache/bounded-maps.ts'
import { Memos } from '../../lib/cache/memos.ts'
import { hash32 } from '../../lib/random/hash.ts'
import { isMissing, isObject, type JsonObject, parseJson } from '../../lib/text/json.ts'
import type { Encoding } from '../../lib/tokenizer/split-words.ts'
import { encodingOf } from '../../lib/tokenizer/tokenizer.ts'
import { type ApiError, apiError } from '../errors/error-catalogue.ts'
import type { CallHeaders } from './decisive-headers.ts'
import { MODEL_ENDPOINTS } from './endpoints.ts'
import type { EndpointRoute } from './request-path.ts'

/** The part of a call that its parsed body depends on. */
interface BodySource {
  readonly method: string
  readonly path: string
  readonly deployment?: string | undefined
  readonly headers: CallHeaders
  readonly body: string | undefined
  readonly bodyLimit: number
}

// Longer bodies seldom come again, and would fill the memory.
const MAX_CACHED = 256
const MAX_CACHED_LENGTH = 8192

/** `application/json`, `application/json; charset=utf-8`, `application/vnd.api+json` */
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

export class BodyCache {
  readonly #byEndpoint = new Map(
    MODEL_ENDPOINTS.map((name) => [name as string, new MemoCache<ParsedBody>(MAX_CACHED, MAX_CACHED_LENGTH)]),
  )

  /**
   * The parsed body of a call, from the cache if it is there.
   * @param memos results of long computations on it, made on a worker thread.
   */
  of(call: BodySource, route: EndpointRoute, memos = new Memos()): ParsedBody {
    const { body: text } = call
    if (text === undefined) return unread(call, '', new Memos(), apiError('body-too-large', { limit: call.bodyLimit }))
    if (!route.parsesBody) return unread(call, text, memos)
    const contentType = call.headers['content-type']
    if (contentType !== undefined && !JSON_TYPE.test(contentType)) {
      const shown = contentType.split(';')[0]!.trim()
      return unread(call, text, memos, apiError('unsupported-content-type', { contentType: shown }))
    }
    // With a deployment, the parsed body depends on more than the text.
    const cache = call.deployment === undefined ? this.#byEndpoint.get(route.endpoint) : undefined
    return cache === undefined ? parse(call, text, memos) : cache.of(text, () => parse(call, text, memos))
  }
}

/** Two hashes of 32 bits. With one alone, two of 100,000 calls would often be taken for the same. */
export interface TwoHashes {
  readonly low: number
  readonly high: number
}

/** A body with its hashes, and what was derived from it. A body that is sent again is the same object. */
export class ParsedBody implements TwoHashes {
  /** Empty without a body, and when the body could not be parsed: then `error` says why. */
  readonly body: JsonObject
  readonly error: ApiError | undefined
  /** The model that the call asks for; '' without one. */
  readonly model: string
  /** The encoding of the model asked for. */
  readonly encoding: Encoding
  /** Two hashes of method, path and body. White space between the values of the body makes no difference. */
  readonly low: number
  readonly high: number
  /** The hash of method and path. */
  readonly #route: number
  /** Results of `keep`, by task, and of `once`, by function. */
  readonly #derived = new Map<unknown, unknown>()

  constructor(route: number, body: JsonObject, { low, high }: TwoHashes, error?: ApiError) {
    this.body = body
    this.error = error
    this.model = typeof body.model === 'string' ? body.model : ''
    this.encoding = encodingOf(this.model)
    this.#route = route
    this.low = low
    this.high = high
  }

  /** Hashes that leave out the stream options, so a request gets the same text with and without a stream. */
  contentHashes(): TwoHashes {
    const { stream, stream_options, ...content } = this.body
    if (stream === undefined && stream_options === undefined) return { low: this.low, high: this.high }
    return hashTwice(JSON.stringify(content), this.#route)
  }

  /** The result of a computation on the body for a model, kept until it runs for another model. */
  readonly keep = <Result>(task: string, model: object | undefined, compute: () => Result): Result => {
    const known = this.#derived.get(task) as { model: object | undefined; result: Result } | undefined
    if (known !== undefined && known.model === model) return known.result
    const result = compute()
    this.#derived.set(task, { model, result })
    return result
  }

  /** The result of a function of the body, which runs once. Nobody may change its result. */
  readonly once = <Value>(derive: (body: JsonObject) => Value): Value => {
    const known = this.#derived.get(derive)
    if (known !== undefined || this.#derived.has(derive)) return known as Value
    const derived = derive(this.body)
    this.#derived.set(derive, derived)
    return derived
  }
}

/** The empty body of a call whose body is not parsed. @param error the reason, if a body was expected. */
function unread(call: BodySource, text: string, memos: Memos, error?: ApiError): ParsedBody {
  const route = routeHash(call)
  const hashes = memos.of('hashes of the text', '', () => hashTwice(text, route))
  return new ParsedBody(route, {}, hashes, error)
}

const CHAT_ROUTE = hash32('POST /v1/chat/completions', 0)

/** A chat that no client has sent, for its hashes. */
export const unsentChat = (body: JsonObject): ParsedBody =>
  new ParsedBody(CHAT_ROUTE, body, hashTwice(JSON.stringify(body), CHAT_ROUTE))

/** JSON.parse takes time for each value, and much more for each text or name. An input of 300,000 token ids fits. */
const MAX_VALUES = { values: 400_000, texts: 50_000 }

/** Parses a body, and hashes it as JSON again, so that white space makes no difference. */
function parse(call: BodySource, text: string, memos: Memos): ParsedBody {
  const { values, texts } = MAX_VALUES
  if (text.length > texts && memos.of('is too large', '', () => exceeds(text, values, texts)))
    return unread(call, text, memos, apiError('too-many-values', MAX_VALUES))
  const parsed = parseJson(text)
  if (!isObject(parsed)) return unread(call, text, memos, apiError('invalid-json'))
  const { deployment } = call
  const body = deployment !== undefined && isMissing(parsed.model) ? { ...parsed, model: deployment } : parsed
  const route = routeHash(call)
  try {
    const hashes = memos.of('hashes', '', () => hashTwice(JSON.stringify(body), route))
    return new ParsedBody(route, body, hashes)
  } catch (error) {
    // The body is nested too deeply for JSON.stringify.
    if (error instanceof RangeError) return unread(call, text, memos, apiError('invalid-json'))
    throw error
  }
}

const routeHash = ({ method, path }: BodySource): number => hash32(`${method} ${path}`, 0)
const hashTwice = (text: string, route: number): TwoHashes => ({
  low: hash32(text, route + 1),
  high: hash32(text, route + 2),
})

/**
 * True if a JSON text has more values than this, counted as commas and opening brackets, or more texts, names included.
 * `["a", {"b": 1}]` has four of the former and two of the latter.
 */
function exceeds(text: string, maxValues: number, maxTexts: number): boolean {
  let values = 0
  let quotes = 0
  let isInText = false
  for (let index = 0; index < text.length && values <= maxValues && quotes <= 2 * maxTexts; index++) {
    const character = text[index]
    if (character === '"') {
      isInText = !isInText
      quotes++
    } else if (character === '\\' && isInText) index++
    else if ((character === ',' || character === '[' || character === '{') && !isInText) values++
  }
  return values > maxValues || quotes > 2 * maxTexts
}
