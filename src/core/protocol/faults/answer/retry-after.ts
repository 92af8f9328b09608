/** The option `retryAfter`, which every answer fault has that clients retry. */
import { type ApiError, retryAfterHeaders } from '../../errors/catalogue.ts'
import type { CallFacts, ProxyPage } from '../fault.ts'

export const RETRY_AFTER = {
  kind: 'duration',
  summary: 'the wait in retry-after and retry-after-ms; 0 for a retry at once',
} as const

/** The answer with the headers that name a wait; without one, the answer as it is. */
export function withRetryAfter(
  answer: ApiError | ProxyPage,
  { realMs }: CallFacts,
  retryAfter: number | undefined,
): ApiError | ProxyPage {
  if (retryAfter === undefined) return answer
  return { ...answer, headers: { ...answer.headers, ...retryAfterHeaders({ waitMs: realMs(retryAfter) }) } }
}
