/** Answers: the headers every answer carries, an error of the catalogue as a plan, a whole JSON body as a plan. */

import { MAX_BYTES_PER_UNIT } from '../../lib/text/bytes.ts'
import { maskKeysIn } from '../../lib/text/mask-keys.ts'
import { truncate } from '../../lib/text/wording.ts'
import { type ApiError, apiError, envelope } from '../../protocol/errors/error-catalogue.ts'
import type { AnswerMutator } from '../../protocol/faults/answer-mutator.ts'
import type { ProxyPage } from '../../protocol/faults/fault.ts'
import type { EventList } from '../../protocol/plan/event-list.ts'
import { type Plan, planOf, type Reason, type Send } from '../../protocol/plan/plan.ts'
import { processingMs, type ResponseIds } from '../../protocol/plan/response-ids.ts'
import { byteLengthOf, type Part } from '../../protocol/plan/text-parts.ts'
import { withHeaders } from '../../protocol/plan/transform.ts'
import type { CachedPrompt } from '../../protocol/turn/reply.ts'
import type { Effect } from '../state/apply-effects.ts'
import type { CacheEntry } from '../state/mock-state.ts'
import type { Call } from './call.ts'
import type { CallContext } from './call-context.ts'
import { type ReservedTokens, rateLimitHeaders } from './limit-headers.ts'

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
  const kind = status >= 400 ? 'short' : contentType.startsWith('text/event-stream') ? 'stream' : answered
  const ms = String(processingMs(kind, ids.processingRank, tokens))
  const headers = commonHeaders(call, ids, contentType)
  headers['openai-organization'] = scenario.organization
  headers['openai-processing-ms'] = ms
  headers['openai-project'] = scenario.project
  headers['openai-version'] = '2020-10-01'
  headers['x-envoy-upstream-service-time'] = ms
  headers['x-openai-proxy-wasm'] = 'v0.1'
  return Object.assign(headers, rateLimitHeaders(context))
}

/** The time that the service took before its head. */
export const processingHeaders = (ms: number) => ({
  'openai-processing-ms': String(ms),
  'x-envoy-upstream-service-time': String(ms),
})

/** A whole JSON body. `tokens` is the number of generated tokens in it. */
export function answerJson(
  context: CallContext,
  body: Part,
  reason: Reason,
  { headers, tokens = 0 }: { readonly headers?: Record<string, string>; readonly tokens?: number } = {},
): Plan {
  const service = serviceHeaders(context, 'application/json', 200, tokens)
  return planOf(200, headers === undefined ? service : { ...service, ...headers }, body, reason, tokens)
}

/** A stream of server-sent events. */
export function answerStream(context: CallContext, events: readonly Send[], reason: Reason): Plan {
  const service = serviceHeaders(context, 'text/event-stream; charset=utf-8')
  const head = { type: 'head', status: 200, headers: { ...service, 'cache-control': 'no-cache' } } as const
  return { events: [head, ...events, { type: 'end' }], reason, isStream: true, notes: [] }
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

/** The answer of a proxy in place of the service: without the service's headers, but readable by a page. */
export function answerPage({ status, contentType, page, headers = {} }: ProxyPage, reason: Reason): Plan {
  const exposed = Object.keys(headers).join(', ')
  return planOf(
    status,
    {
      'content-type': contentType,
      'access-control-allow-origin': '*',
      ...(exposed !== '' && { 'access-control-expose-headers': exposed }),
      ...headers,
    },
    page,
    reason,
  )
}

/** The plan with its reason in the head, for a call with the header `x-mock-explain`. */
export function withReasonHeaders(plan: Plan, context: CallContext): Plan {
  const { name } = context.scenario
  const why: Record<string, string> = {
    // `custom` for every other than a built-in one, so that a scenario gives the same bytes from a file, from code and over
    // the control plane. Only built-in names are plain words: paths have a dot or a slash, and the other two a space.
    'x-mock-scenario': /^[a-z-]+$/.test(name) ? name : 'custom',
    ...(context.state !== undefined && { 'x-mock-state': headerText(context.state.name) }),
    'x-mock-reason': headerText(`${plan.reason.by}: ${plan.reason.name}`),
    'x-mock-attempt': String(context.attempt),
    ...(plan.notes.length > 0 && { 'x-mock-note': headerText(plan.notes.join('; ')) }),
  }
  return withHeaders(plan, why)
}

/** A header can hold printable ASCII only, and should not be long. */
export const headerText = (text: string): string => truncate(text, 500).replace(/[^\x20-\x7e]/g, '?')

/** Tokens of a request and of its whole answer. */
export interface Usage {
  readonly prompt: number
  readonly completion: number
  /** The part of the completion that no event of a stream carries, such as reasoning and the names of tool calls. */
  readonly unstreamed: number
  /** True if the answer ends at the most tokens that it may have. */
  readonly isCut?: boolean
  /** The part of the completion that is reasoning; undefined where nothing is known about it. */
  readonly reasoning?: number
  /** Undefined where prompts are not cached, and for a short prompt. */
  readonly cache?: CachedPrompt | undefined
}

export interface Answer {
  readonly plan: Plan
  /** Undefined for an answer that uses no tokens, such as an error. */
  readonly usage?: Usage | undefined
  /** The sequence that the answer took its turn from; it advances by one. */
  readonly sequence?: string | undefined
  /** Prefixes of the prompt that the call writes to the cache. */
  readonly cacheEntries?: readonly CacheEntry[] | undefined
  /** The tokens that the limits reserve; undefined for a call that they do not count. */
  readonly reserved?: ReservedTokens | undefined
  /** The end of the answer, for a pace that serves calls together. */
  readonly endsAt?: number | undefined
  /** Its other changes of the state. */
  readonly effects?: readonly Effect[] | undefined
}

/** An answer with notes before its own. Most calls have none, and a copy of each answer would cost every call. */
export const addNotes = (draft: Answer, notes: readonly string[] = []): Answer =>
  notes.length === 0 ? draft : { ...draft, plan: { ...draft.plan, notes: [...notes, ...draft.plan.notes] } }

const MAX_NOTE_LENGTH = 500

/** The answer to a call that something refuses. */
export function refuse(context: CallContext, by: Reason['by'], error: ApiError): Answer {
  return { plan: answerError(context, error, { by, name: error.name }) }
}

/** Refuses a call with a session or a fault that the mock cannot use. The note says why in the log, which shows no bodies. */
export function refuseForMock(context: CallContext, error: ApiError): Answer {
  const note = truncate(maskKeysIn(error.body.message, context.key), MAX_NOTE_LENGTH)
  return addNotes(refuse(context, 'request', error), [note])
}

/**
 * The error of an answer that is too large; undefined for one that is not.
 * @param remedy what to change in the request, as a sentence without its end.
 */
export function checkAnswerSize(context: CallContext, answer: Part | EventList, remedy: string): ApiError | undefined {
  const { answerLimit } = context
  if (typeof answer === 'string' && answer.length * MAX_BYTES_PER_UNIT <= answerLimit) return undefined
  if (typeof answer === 'object' && 'maxBytes' in answer) {
    if (answer.maxBytes <= answerLimit) return undefined
    // Without this, measuring a stream of millions of events would take seconds.
    if (answer.minBytes > answerLimit) return answerTooLarge(context, answer.minBytes, remedy)
  }
  const bytes = byteLengthOf(answer)
  return bytes <= answerLimit ? undefined : answerTooLarge(context, bytes, remedy)
}

export const answerTooLarge = ({ answerLimit }: CallContext, bytes: number, remedy: string): ApiError =>
  apiError('answer-too-large', { bytes, limit: answerLimit, remedy })

export interface EndpointDefinition {
  /** The first problem of a request whose body is JSON with a known model in it; in the order of the real service. */
  readonly check: (context: CallContext) => ApiError | undefined
  /** Notes about a request, whether it is accepted or not. */
  readonly notes?: (context: CallContext) => readonly string[]
  /**
   * Answers a request that passed every check.
   * @param mutator the semantic fault that changes the answer, or NO_MUTATION.
   */
  readonly answer: (context: CallContext, mutator: AnswerMutator) => Answer
}
