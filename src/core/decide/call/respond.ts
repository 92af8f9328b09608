/**
 * Answers as plans: the headers every answer carries, with the rate limits of the call; a whole JSON body, a stream, an error of
 * the catalogue.
 */

import { MAX_BYTES_PER_UNIT } from '../../lib/text/bytes.ts'
import { goDuration } from '../../lib/text/duration.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { truncate } from '../../lib/text/wording.ts'
import { type ApiError, apiError, envelope } from '../../protocol/errors/error-catalogue.ts'
import type { EventList } from '../../protocol/plan/event-list.ts'
import { headOf, type Plan, planOf, type Reason } from '../../protocol/plan/plan.ts'
import { processingMs, type ResponseIds } from '../../protocol/plan/response-ids.ts'
import { byteLengthOf, type Part } from '../../protocol/plan/text-parts.ts'
import { withHeaders } from '../../protocol/plan/transform.ts'
import type { BucketLevel } from '../state/leaky-bucket.ts'
import type { Answer, ReservedTokens } from './answer.ts'
import type { Call } from './call.ts'
import type { CallContext } from './call-context.ts'

// Headers that a page from another origin may read.
const EXPOSED_HEADERS = [
  'x-request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'openai-model',
  'openai-organization',
  'openai-processing-ms',
  'openai-project',
  'openai-version',
  ...['limit', 'remaining', 'reset'].flatMap((what) =>
    ['requests', 'tokens', 'input-images'].map((kind) => `x-ratelimit-${what}-${kind}`),
  ),
  ...['scenario', 'state', 'reason', 'attempt', 'note'].map((what) => `x-mock-${what}`),
].join(', ')

/**
 * Headers of every answer in the form of the service, those of its edge included. One literal and single assignments: each
 * call pays for this, and spreading objects into it took three times as long.
 */
function commonHeaders({ headers: sent }: Call, ids: ResponseIds, contentType: string): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': contentType,
    'access-control-allow-origin': '*',
    // A page may read more than at the service. The list is long, so only pages get it.
    'access-control-expose-headers': sent.origin === undefined ? 'X-Request-ID' : EXPOSED_HEADERS,
    'x-request-id': ids.requestId,
    'x-content-type-options': 'nosniff',
    'cf-ray': ids.rayId,
    'cf-cache-status': 'DYNAMIC',
    server: 'cloudflare',
    'alt-svc': 'h3=":443"; ma=86400',
  }
  // A browser ignores it over http (RFC 6797, 8.1). Behind a proxy with TLS, which says so in x-forwarded-proto, it would
  // refuse http to this host, such as localhost, for a year.
  if (sent['x-forwarded-proto'] !== 'https')
    headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains; preload'
  return headers
}

/**
 * Headers of an answer from the service itself.
 * @param tokens the number of generated tokens, which take time.
 */
export function serviceHeaders(
  context: CallContext,
  contentType: string,
  status = 200,
  tokens = 0,
): Record<string, string> {
  const { call, route, scenario, draws } = context
  const { ids } = draws
  const answered = route.hasMessages ? 'whole' : route.endpoint === 'embeddings' ? 'embeddings' : 'short'
  const answerKind = status >= 400 ? 'short' : contentType.startsWith('text/event-stream') ? 'stream' : answered
  const ms = String(processingMs(answerKind, ids.processingRank, tokens))
  const headers = commonHeaders(call, ids, contentType)
  headers['openai-organization'] = scenario.organization
  headers['openai-processing-ms'] = ms
  headers['openai-project'] = scenario.project
  headers['openai-version'] = '2020-10-01'
  headers['x-envoy-upstream-service-time'] = ms
  headers['x-openai-proxy-wasm'] = 'v0.1'
  return Object.assign(headers, rateLimitHeaders(context))
}

/**
 * The limits shown where the scenario sets none: those of a usual account for a minute, as recorded. They refuse nothing
 * and count nothing: the headers of each call are those of a first call, so its bytes stay the same.
 */
const UNLIMITED = { requests: 10_000, tokens: 10_000_000 } as const
const MINUTE_MS = 60_000

/**
 * The six headers of rate limits, and three more for images.
 * @param reserved what this call is about to take; undefined for a call that limits do not count.
 */
function rateLimitHeaders(context: CallContext, reserved?: ReservedTokens): Record<string, string> {
  const requests = levelOf(context, 'requests', reserved && 1)
  const tokens = levelOf(context, 'tokens', reserved?.tokens)
  const { speed = 1 } = context.call
  const { images } = context.rules.charge
  // The limit of images, as recorded. It refuses nothing.
  const imageLimit = /^gpt-4o(?!-mini)/.test(context.request.model) ? 250_000 : 50_000
  return {
    'x-ratelimit-limit-requests': String(requests.limit),
    'x-ratelimit-limit-tokens': String(tokens.limit),
    'x-ratelimit-remaining-requests': String(requests.remaining),
    'x-ratelimit-remaining-tokens': String(tokens.remaining),
    // Times until a limit is fully free again, in real time, rounded down as the service does.
    'x-ratelimit-reset-requests': goDuration(requests.resetMs / speed),
    'x-ratelimit-reset-tokens': goDuration(tokens.resetMs / speed),
    ...(images > 0 && {
      'x-ratelimit-limit-input-images': String(imageLimit),
      'x-ratelimit-remaining-input-images': String(Math.max(0, imageLimit - images)),
      'x-ratelimit-reset-input-images': goDuration((images * MINUTE_MS) / imageLimit),
    }),
  }
}

/** The plan of a call that limits count: where its head has rate-limit headers, they include the call itself. */
export function withLimitHeaders(plan: Plan, context: CallContext, reserved: ReservedTokens): Plan {
  const headers = headOf(plan.events)?.headers
  return headers !== undefined && 'x-ratelimit-limit-requests' in headers
    ? withHeaders(plan, rateLimitHeaders(context, reserved))
    : plan
}

/**
 * The level of a kind of limit. Of several rates it is the one with the least left: the one that refuses first.
 * @param extra what the call is about to take.
 */
function levelOf(context: CallContext, kind: 'requests' | 'tokens', extra = 0): BucketLevel {
  const rates = context.rules.limits?.[kind] ?? []
  const levels = rates.map((rate) => context.session.bucket(rate).read(context.call.now, extra))
  if (levels.length > 0) return levels.reduce((least, level) => (level.remaining < least.remaining ? level : least))
  const limit = UNLIMITED[kind]
  const used = Math.min(kind === 'tokens' ? context.rules.charge.tokens : Number(context.route.readsBody), limit)
  return { limit, used, remaining: limit - used, resetMs: (used * MINUTE_MS) / limit }
}

/** A whole JSON body. `tokens` is the number of generated tokens in it. */
export function answerJson(context: CallContext, body: Part, reason: Reason, tokens = 0): Plan {
  return planOf(200, serviceHeaders(context, 'application/json', 200, tokens), body, reason, tokens)
}

/** A stream of server-sent events. */
export function answerStream(context: CallContext, stream: EventList, reason: Reason): Plan {
  const headers = serviceHeaders(context, 'text/event-stream; charset=utf-8')
  // Not a spread: V8 would give the headers of each stream a hidden class of their own, of a kilobyte.
  headers['cache-control'] = 'no-cache'
  return { events: stream.eventsAfter({ type: 'head', status: 200, headers }), reason, isStream: true, notes: [] }
}

/**
 * An error in the envelope, always with all four keys. 400s, 429s and 5xx have the service's headers, those of limits
 * included; others, such as 401s and 404s, have only those of every answer.
 */
export function answerError(context: CallContext, error: ApiError, reason: Reason): Plan {
  const isService = error.status === 400 || error.status === 429 || error.status >= 500
  const headers = isService
    ? serviceHeaders(context, 'application/json', error.status)
    : { ...commonHeaders(context.call, context.draws.ids, 'application/json; charset=utf-8'), vary: 'Origin' }
  const body = JSON.stringify(envelope(error.body.message, error.body.type, error.body))
  return planOf(error.status, { ...headers, ...error.headers }, body, reason)
}

/** The most characters of a text in a header or a note. */
const MAX_TEXT_LENGTH = 500

/** A text as the value of a header, which can hold printable ASCII only. */
export const headerText = (text: string): string => truncate(text, MAX_TEXT_LENGTH).replace(/[^\x20-\x7e]/g, '?')

/** An answer with notes before its own. Without any it is not copied: most calls have none. */
export const prependNotes = (draft: Answer, notes: readonly string[] = []): Answer =>
  notes.length === 0 ? draft : { ...draft, plan: { ...draft.plan, notes: [...notes, ...draft.plan.notes] } }

/** The answer to a call that something refuses. */
export function refuse(context: CallContext, by: Reason['by'], error: ApiError): Answer {
  return { plan: answerError(context, error, { by, name: error.name }) }
}

/** Refuses a call with a session or a fault that the mock cannot use. The note says why in the log, which shows no bodies. */
export function refuseForMock(context: CallContext, error: ApiError): Answer {
  const note = truncate(maskKeysIn(error.body.message, context.key), MAX_TEXT_LENGTH)
  return prependNotes(refuse(context, 'request', error), [note])
}

/**
 * The error of an answer that is too large; undefined for one that is not.
 * @param remedy what to change in the request, as a sentence without its end.
 */
export function checkAnswerSize(context: CallContext, answer: Part | EventList, remedy: string): ApiError | undefined {
  const { answerLimit } = context
  // Most answers need not be measured: bounds of their size are known.
  if (typeof answer === 'string') {
    if (answer.length * MAX_BYTES_PER_UNIT <= answerLimit) return undefined
  } else if ('maxBytes' in answer) {
    if (answer.maxBytes <= answerLimit) return undefined
    // Measuring a stream of millions of events would take seconds.
    if (answer.minBytes > answerLimit) return answerTooLarge(context, answer.minBytes, remedy)
  }
  const bytes = byteLengthOf(answer)
  return bytes <= answerLimit ? undefined : answerTooLarge(context, bytes, remedy)
}

/** @param bytes the size of the answer, or a size that it exceeds. */
export const answerTooLarge = ({ answerLimit }: CallContext, bytes: number, remedy: string): ApiError =>
  apiError('answer-too-large', { bytes, limit: answerLimit, remedy })
