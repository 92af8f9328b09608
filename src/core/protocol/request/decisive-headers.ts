/** The request headers that can decide an answer, and the trace for the journal. A call has no others. */

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

/** The headers of a call by their lower-case names; one that came several times is joined by commas. */
export type CallHeaders = { readonly [Name in (typeof CALL_HEADERS)[number]]?: string | undefined }
