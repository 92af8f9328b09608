/**
 * Parses and hashes the body of a call.
 *
 * Tests, retries and load tests send the same body again and again, so parsed bodies are cached. A parsed body is a
 * function of the text alone, so the cache changes no answer.
 */

import { MemoCache } from '../../lib/cache/memo-cache.ts'
import { hash32 } from '../../lib/random/hash.ts'
import { hashInSteps, type TwoHashes } from '../../lib/random/hash-steps.ts'
import { isMissing, isObject, type JsonObject, parseJson } from '../../lib/text/json.ts'
import { jsonParts } from '../../lib/text/long/json-parts.ts'
import { countJsonValues } from '../../lib/text/long/json-steps.ts'
import { AT_ONCE, type Preparation } from '../../lib/work/preparation.ts'
import { finish, type Steps, UNITS_PER_TURN } from '../../lib/work/steps.ts'
import { type ApiError, apiError } from '../errors/error-catalogue.ts'
import type { CallHeader } from './decisive-headers.ts'
import type { EndpointRoute } from './endpoint-route.ts'
import { MODEL_ENDPOINTS } from './endpoints.ts'

const MAX_CACHED = 256
const MAX_CACHED_LENGTH = 8192
/** Up to this many characters, a body is parsed and hashed at once. */
const MAX_LENGTH_AT_ONCE = 20_000
/** JSON.parse takes time for each value, and much more for each text or name. 300,000 tokens to embed are allowed. */
const MAX_VALUES = { values: 400_000, texts: 50_000 }

const NOTHING: JsonObject = {}

/** The part of a call that its parsed body depends on. */
interface BodySource {
  readonly method: string
  readonly path: string
  readonly deployment?: string | undefined
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
  #derived: Map<unknown, unknown> | undefined

  constructor(route: number, body: JsonObject, { low, high }: TwoHashes, error?: ApiError) {
    this.body = body
    this.error = error
    this.#route = route
    this.low = low
    this.high = high
  }

  /** The hashes without how the answer is sent: a request gets the same words with and without a stream. */
  *contentHashSteps(): Steps<TwoHashes> {
    const { stream, stream_options, ...content } = this.body
    if (stream === undefined && stream_options === undefined) return this
    return yield* hashSteps(jsonParts(content), this.#route)
  }

  /**
   * The result of a function of the body, which runs once. It must depend on nothing but the body and `key`, and nobody may
   * change its result.
   */
  once<Value>(derive: (body: JsonObject) => Value, key: unknown = derive): Value {
    this.#derived ??= new Map()
    const known = this.#derived.get(key)
    if (known !== undefined || this.#derived.has(key)) return known as Value
    const derived = derive(this.body)
    this.#derived.set(key, derived)
    return derived
  }
}

export class BodyCache {
  readonly #byEndpoint = new Map(
    MODEL_ENDPOINTS.map((name) => [name as string, new MemoCache<ParsedBody>(MAX_CACHED, MAX_CACHED_LENGTH)]),
  )

  /** The parsed body of a call, from the cache if it is there. A large one is prepared. */
  of(call: BodySource, route: EndpointRoute, preparation: Preparation = AT_ONCE): ParsedBody {
    const { body } = call
    if (body === undefined) return finish(unreadSteps(call, '', apiError('body-too-large', { limit: call.bodyLimit })))
    if (!route.parsesBody) return preparation.of('unread', body, () => unreadSteps(call, body))
    const contentType = call.header('content-type')
    const isPlainJson = contentType === undefined || contentType === 'application/json'
    if (!isPlainJson && !/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)) {
      const shown = contentType.split(';')[0]!.trim()
      return preparation.of('unread', body, () =>
        unreadSteps(call, body, apiError('unsupported-content-type', { contentType: shown })),
      )
    }
    if (body.length > MAX_LENGTH_AT_ONCE) return preparation.of('body', body, () => parseSteps(call, body))
    // With a deployment, the parsed body depends on more than the text.
    const cache = call.deployment === undefined ? this.#byEndpoint.get(route.endpoint) : undefined
    return cache === undefined ? finish(parseSteps(call, body)) : cache.of(body, () => finish(parseSteps(call, body)))
  }
}

const routeHash = ({ method, path }: BodySource): number => hash32(`${method} ${path}`, 0)
const hashSteps = (parts: Iterable<string>, route: number): Steps<TwoHashes> => hashInSteps(parts, route + 1, route + 2)

/** What there is of a body that is not parsed. */
function* unreadSteps(call: BodySource, text: string, error?: ApiError): Steps<ParsedBody> {
  const route = routeHash(call)
  return new ParsedBody(route, NOTHING, yield* hashSteps([text], route), error)
}

/** Hashes what the parsed body is as JSON, so that white space makes no difference. */
function* parseSteps(call: BodySource, text: string): Steps<ParsedBody> {
  const isLarge = text.length > MAX_VALUES.texts
  if (isLarge) {
    const { values, texts } = yield* countJsonValues(text, MAX_VALUES)
    if (values > MAX_VALUES.values || texts > MAX_VALUES.texts)
      return yield* unreadSteps(call, text, apiError('too-many-values', MAX_VALUES))
    // JSON.parse can't be divided, so it fills a turn.
    yield UNITS_PER_TURN
  }
  const parsed = parseJson(text)
  if (isLarge) yield UNITS_PER_TURN
  if (!isObject(parsed)) return yield* unreadSteps(call, text, apiError('invalid-json'))
  const body = withModel(parsed, call.deployment)
  const route = routeHash(call)
  try {
    return new ParsedBody(route, body, yield* hashSteps(jsonParts(body), route))
  } catch (error) {
    // It is nested too deeply to be written.
    if (!(error instanceof RangeError)) throw error
    return yield* unreadSteps(call, text, apiError('invalid-json'))
  }
}

const withModel = (body: JsonObject, deployment: string | undefined): JsonObject =>
  deployment !== undefined && isMissing(body.model) ? { ...body, model: deployment } : body
