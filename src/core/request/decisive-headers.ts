/** The request headers that decide an answer. A shell hands on these and no others, so the list is all a call has. */
export const CALL_HEADERS = [
  'authorization',
  'content-type',
  'origin',
  'x-mock-fault',
  'x-mock-explain',
  'access-control-request-headers',
] as const

export type CallHeader = (typeof CALL_HEADERS)[number]
