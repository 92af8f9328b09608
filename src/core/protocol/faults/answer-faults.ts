/**
 * The answer faults, in the order of their statuses: one entry each. The functions before the list declare them.
 *
 *     failure     an error of the catalogue, or the page of a proxy
 *     retryable   one that clients retry, with the option `retryAfter`
 *     limit       a 429 that says how long to wait
 *     proxy       the page of a proxy, not in the error envelope
 */

import { goDuration } from '../../lib/text/duration.ts'
import { objectsIn } from '../../lib/text/json.ts'
import {
  type ApiError,
  apiError,
  type ErrorName,
  type RateLimitDetail,
  retryAfterHeaders,
} from '../errors/error-catalogue.ts'
import { type AnswerFault, type Fault, type FaultedCall, faultWith, type ProxyPage } from './fault.ts'

/** The option of every answer fault that clients retry. */
const RETRY_AFTER = {
  kind: 'duration',
  summary: 'the wait in retry-after and retry-after-ms; 0 for a retry at once',
} as const

/**
 * A failure of the service or of a proxy in front of it.
 * @param answer the answer, or the name of an error. The message of that error may show the key and the request id, and nothing else.
 * @param bareStatus the status that names this fault.
 */
function failure(
  name: string,
  summary: string,
  answer: ErrorName | ((call: FaultedCall) => ApiError | ProxyPage),
  bareStatus?: number,
): AnswerFault {
  return {
    kind: 'answer',
    name,
    summary,
    options: {},
    bareStatus,
    // The name stands for any whose message needs fields of the call, or none.
    answer: (call) => (typeof answer === 'function' ? answer(call) : apiError(answer as 'server-error', call)),
  }
}

/** A failure that clients retry. */
function retryable(...args: Parameters<typeof failure>): Fault {
  const fault = failure(...args)
  return faultWith({
    ...fault,
    options: { retryAfter: RETRY_AFTER },
    answer: (call, { retryAfter }) => withRetryAfter(fault.answer(call, {}), call, retryAfter),
  })
}

/** Adds the headers of a wait, if there is one. */
function withRetryAfter(
  answer: ApiError | ProxyPage,
  { realMs }: FaultedCall,
  retryAfter: number | undefined,
): ApiError | ProxyPage {
  if (retryAfter === undefined) return answer
  return { ...answer, headers: { ...answer.headers, ...retryAfterHeaders({ waitMs: realMs(retryAfter) }) } }
}

/** An error of the responses endpoint alone. */
const ofResponses = (...args: Parameters<typeof failure>): Fault => ({ ...failure(...args), endpoints: ['responses'] })

/** True for an endpoint whose errors are worded as those of responses. */
const isOfResponses = ({ endpoint }: FaultedCall): boolean => endpoint === 'responses' || endpoint === 'input-tokens'

/** A 429 that says how long to wait. `unit` is what the limit counts, as the message names it. */
const limit = (
  name: string,
  summary: string,
  errorName: 'requests-limit' | 'tokens-limit',
  numbers: Pick<RateLimitDetail, 'unit' | 'limit' | 'used' | 'requested'>,
  bareStatus?: number,
): Fault =>
  faultWith({
    kind: 'answer',
    name,
    summary,
    bareStatus,
    options: { retryAfter: { ...RETRY_AFTER, default: 1000 } },
    answer: ({ model, organization, realMs }, { retryAfter }) => {
      const waitMs = realMs(retryAfter)
      return apiError(errorName, { model, organization, ...numbers, waitMs, waitText: goDuration(waitMs) })
    },
  })

const REQUESTS = { unit: 'requests per min (RPM)', limit: 3, used: 3, requested: 1 }
const TOKENS = { unit: 'tokens per min (TPM)', limit: 200_000, used: 195_869, requested: 4_412 }

/** The page of a proxy in front of the service, without the error envelope. */
const proxy = (name: string, summary: string, status: number, title: string, sentence: string): Fault => {
  const page =
    `<!DOCTYPE html>\n<html>\n<head><title>${status} ${title}</title></head>\n` +
    `<body>\n<h1>${status} ${title}</h1>\n<p>${sentence}</p>\n</body>\n</html>\n`
  return retryable(name, summary, () => ({ status, page }), status)
}

/** Any status from 400 to 599 in the error envelope. A bare status that belongs to another fault means that fault. */
export const status = faultWith({
  kind: 'answer',
  name: 'status',
  summary: 'Any status from 400 to 599, in the error envelope.',
  options: {
    status: { kind: 'status', default: 500, summary: 'the status of the response' },
    shouldRetry: { kind: 'choice', of: ['true', 'false'], summary: 'the value of the header x-should-retry' },
    retryAfter: RETRY_AFTER,
  },
  answer: (call, { status, shouldRetry, retryAfter }) =>
    withRetryAfter(apiError('status-on-demand', { status, shouldRetry }), call, retryAfter),
})

export const answerFaults: readonly Fault[] = [
  failure(
    'invalid-request',
    '400: the request is not valid.',
    (call) => {
      if (call.endpoint === 'embeddings') return apiError('invalid-input')
      if (!isOfResponses(call)) return apiError('missing-content', { path: 'messages.[0].content', got: 'null' })
      const expected = 'one of an array of objects or string'
      return apiError('invalid-type', { path: 'input[0].content', expected, got: 'null' })
    },
    400,
  ),
  failure('context-length', '400: the messages are longer than the context of the model.', (call) =>
    isOfResponses(call) ? apiError('context-window') : apiError('context-length', { limit: 8192, tokens: 9000 }),
  ),
  ofResponses(
    'organization-not-verified',
    '400: the organization may not have summaries of the reasoning.',
    'organization-not-verified',
  ),
  ofResponses(
    'zero-data-retention',
    '400: the organization stores nothing, so there is no previous response.',
    'zero-data-retention',
  ),
  ofResponses('invalid-encrypted-content', '400: encrypted reasoning cannot be read.', () =>
    apiError('invalid-encrypted-content', { shown: 'gAAA...Rg==' }),
  ),
  failure('missing-key', '401: the request has no API key.', 'missing-key'),
  failure('invalid-key', '401: the API key is not accepted.', 'invalid-key', 401),
  failure('forbidden-region', '403: the region is not supported.', 'forbidden-region', 403),
  failure('not-found', '404: the model does not exist.', ({ model }) => apiError('unknown-model', { model }), 404),
  ofResponses('item-not-found', '404: an item of the input is not stored.', ({ body }) => {
    const ids = objectsIn(body.input).flatMap(({ id }) => (typeof id === 'string' ? [id] : []))
    // An id of another form could be an API key, which no answer repeats.
    const id =
      ids.find((sent) => /^[a-z]+_[0-9a-f]+$/.test(sent)) ?? 'rs_00000000000000000000000000000000000000000000000000'
    return apiError('item-not-found', { id })
  }),
  retryable('conflict', '409: another request changed the resource first.', 'conflict', 409),
  failure('unprocessable', '422: the request is well formed but cannot be processed.', 'unprocessable', 422),
  limit('rate-limit', '429: too many requests per minute.', 'requests-limit', REQUESTS, 429),
  limit('rate-limit-tokens', '429: too many tokens per minute.', 'tokens-limit', TOKENS),
  retryable('quota', "429: the quota is used up; waiting won't help.", 'quota-exceeded'),
  retryable('server-error', '500: the server had an error.', 'server-error', 500),
  proxy(
    'bad-gateway',
    '502: a proxy in front of the service answers with its own page, not in the error envelope.',
    502,
    'Bad Gateway',
    'The proxy got no valid answer from the server behind it.',
  ),
  retryable('overloaded', '503: the model is overloaded.', 'overloaded', 503),
  proxy(
    'gateway-timeout',
    '504: a proxy in front of the service timed out and answers with its own page.',
    504,
    'Gateway Time-out',
    'The server behind the proxy took too long to answer.',
  ),
  status,
]
