/** The request headers that decide an answer. A call has no others. */
export type CallHeader =
  | 'authorization'
  | 'api-key'
  | 'content-type'
  | 'origin'
  | 'x-mock-fault'
  | 'x-mock-explain'
  | 'x-mock-session'
  | 'access-control-request-headers'
