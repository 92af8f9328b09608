/** The answer faults, in the order of their statuses: one row each, and no file of its own unless it needs more. */
import { type ApiError, apiError } from '../../errors/catalogue.ts'
import type { AnswerFault, CallFacts, Fault } from '../fault.ts'
import { limitFault } from './limit-fault.ts'
import { proxyFault } from './proxy-fault.ts'

const error = (
  name: string,
  summary: string,
  answer: (call: CallFacts) => ApiError,
  bareStatus?: number,
): AnswerFault => ({
  kind: 'answer',
  name,
  summary,
  options: {},
  answer,
  ...(bareStatus !== undefined && { bareStatus }),
})

const invalidRequest = ({ endpoint }: CallFacts): ApiError =>
  endpoint === 'embeddings'
    ? apiError('invalid-input')
    : apiError('missing-content', { path: 'messages.[0].content', got: 'null' })

export const errorFaults: readonly Fault[] = [
  error('invalid-request', '400: the request is not valid.', invalidRequest, 400),
  error('context-length', '400: the messages are longer than the context of the model.', () =>
    apiError('context-length', { limit: 8192, tokens: 9000 }),
  ),
  error('missing-key', '401: the request has no API key.', () => apiError('missing-key')),
  error(
    'invalid-key',
    '401: the API key is not accepted.',
    ({ maskedKey }) => apiError('invalid-key', { maskedKey }),
    401,
  ),
  error('forbidden-region', '403: the region is not supported.', () => apiError('forbidden-region'), 403),
  error('not-found', '404: the model does not exist.', ({ model }) => apiError('unknown-model', { model }), 404),
  error('conflict', '409: another request changed the resource first.', () => apiError('conflict'), 409),
  error(
    'unprocessable',
    '422: the request is well formed but cannot be processed.',
    () => apiError('unprocessable'),
    422,
  ),
  limitFault({
    name: 'rate-limit',
    summary: '429: too many requests per minute.',
    bareStatus: 429,
    error: 'requests-limit',
    unit: 'requests per min (RPM)',
    limit: 3,
    used: 3,
    requested: 1,
  }),
  limitFault({
    name: 'rate-limit-tokens',
    summary: '429: too many tokens per minute.',
    error: 'tokens-limit',
    unit: 'tokens per min (TPM)',
    limit: 200_000,
    used: 195_869,
    requested: 4_412,
  }),
  error('quota', "429: the quota is used up; waiting won't help.", () => apiError('quota-exceeded')),
  error(
    'server-error',
    '500: the server had an error.',
    ({ requestId }) => apiError('server-error', { requestId }),
    500,
  ),
  proxyFault({
    name: 'bad-gateway',
    summary: '502: a proxy in front of the service answers with its own page, not in the error envelope.',
    status: 502,
    title: 'Bad Gateway',
    sentence: 'The proxy got no valid answer from the server behind it.',
  }),
  error('overloaded', '503: the model is overloaded.', ({ requestId }) => apiError('overloaded', { requestId }), 503),
  proxyFault({
    name: 'gateway-timeout',
    summary: '504: a proxy in front of the service timed out and answers with its own page.',
    status: 504,
    title: 'Gateway Time-out',
    sentence: 'The server behind the proxy took too long to answer.',
  }),
]
