/** Answers: the headers every answer carries, an error of the catalogue as a plan, a whole JSON body as a plan. */

import { truncate } from '../../lib/text/wording.ts'
import { type ApiError, envelope } from '../../protocol/errors/error-catalogue.ts'
import type { ProxyPage } from '../../protocol/faults/fault.ts'
import { type Plan, planOf, type Reason } from '../../protocol/plan/plan.ts'
import type { Part } from '../../protocol/plan/text-parts.ts'
import { withHeaders } from '../../protocol/plan/transform.ts'
import type { CallContext } from './call-context.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'

// Those that a page from another origin may read.
const EXPOSED_HEADERS = [
  'x-request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'openai-model',
  'openai-organization',
  'openai-processing-ms',
  'openai-version',
  ...['limit', 'remaining', 'reset'].flatMap((what) => [`x-ratelimit-${what}-requests`, `x-ratelimit-${what}-tokens`]),
  ...['scenario', 'state', 'reason', 'attempt', 'note'].map((what) => `x-mock-${what}`),
].join(', ')

/** Headers of an answer from the service itself. */
export function serviceHeaders(context: CallContext, contentType: string): Record<string, string> {
  return {
    'content-type': contentType,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedTo(context),
    'openai-organization': context.scenario.organization,
    'openai-processing-ms': String(context.ids.processingMs),
    'openai-version': '2020-10-01',
    'x-request-id': context.ids.requestId,
    ...rateLimitHeaders(context),
  }
}

/** A page may read more headers than the real service allows. The list is long, so only pages get it. */
const exposedTo = ({ call }: CallContext): string =>
  call.header('origin') === undefined ? 'x-request-id' : EXPOSED_HEADERS

/** Headers of an answer that is sent before the request is read, such as a 401. It has no header of limits or times. */
function minimalHeaders(context: CallContext): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedTo(context),
    vary: 'Origin',
    'x-request-id': context.ids.requestId,
  }
}

/** A whole JSON body. `tokens` is the number of generated tokens in it. */
export function answerJson(
  context: CallContext,
  body: Part,
  reason: Reason,
  { headers, tokens = 0 }: { readonly headers?: Record<string, string>; readonly tokens?: number } = {},
): Plan {
  const service = serviceHeaders(context, 'application/json')
  return planOf(200, headers === undefined ? service : { ...service, ...headers }, body, reason, tokens)
}

/**
 * An error in the envelope, always with all four keys. 400s, 429s and 5xx have the service's headers, those of limits
 * included; others, such as 401s and 404s, have only the request id.
 */
export function answerError(context: CallContext, error: ApiError, reason: Reason): Plan {
  const isService = error.status === 400 || error.status === 429 || error.status >= 500
  const headers = isService ? serviceHeaders(context, 'application/json') : minimalHeaders(context)
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

/** The answer to a browser's question whether a page may call: always yes, for any header it names. */
export function answerPreflight(context: CallContext): Plan {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': `${context.route.allow ?? 'POST'}, OPTIONS`,
    // With credentials absent, * covers all headers but Authorization, which must be named.
    'access-control-allow-headers':
      context.call.header('access-control-request-headers') ?? 'authorization, content-type',
    'access-control-allow-private-network': 'true',
    'access-control-max-age': '86400',
    vary: 'Origin, Access-Control-Request-Headers',
  }
  return planOf(204, headers, '', { by: 'preflight', name: 'preflight' })
}

/** The plan with its reason in the head, for a call with the header `x-mock-explain`. */
export function withReasonHeaders(plan: Plan, context: CallContext): Plan {
  const why: Record<string, string> = {
    'x-mock-scenario': shownName(context.scenario.name),
    ...(context.state !== undefined && { 'x-mock-state': headerText(context.state.name) }),
    'x-mock-reason': headerText(`${plan.reason.by}: ${plan.reason.name}`),
    'x-mock-attempt': String(context.attempt),
    ...(plan.notes.length > 0 && { 'x-mock-note': headerText(plan.notes.join('; ')) }),
  }
  return withHeaders(plan, why)
}

/**
 * The name of a built-in scenario; `custom` for every other, so that a scenario gives the same bytes from a file, from code
 * and over the control plane. Only built-in names are plain words: paths have a dot or a slash, and the other two a space.
 */
const shownName = (name: string): string => (/^[a-z-]+$/.test(name) ? name : 'custom')

/** A header can hold printable ASCII only, and should not be long. */
export const headerText = (text: string): string => truncate(text, 500).replace(/[^\x20-\x7e]/g, '?')
