/** The request headers that decide an answer. A call has no others. */
export type CallHeader =
  | 'authorization'
  | 'content-type'
  | 'origin'
  | 'x-mock-fault'
  | 'x-mock-explain'
  | 'access-control-request-headers'
