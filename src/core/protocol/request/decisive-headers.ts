/** The request headers that decide an answer, and the trace for the journal. A call has no others. */
export const CALL_HEADERS = [
  'authorization',
  'api-key',
  'content-type',
  'origin',
  'x-forwarded-proto',
  'x-mock-fault',
  'x-mock-explain',
  'x-mock-session',
  'access-control-request-headers',
  'traceparent',
] as const

export type CallHeader = (typeof CALL_HEADERS)[number]
