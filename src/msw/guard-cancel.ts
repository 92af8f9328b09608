/** What msw 2 needs so that a client can cancel a response. This file can go with msw 2. */
import { nodeHttpClientOf } from './client-signal.ts'

type EventSource = {
  on(
    event: 'response:mocked' | 'response:bypass',
    listener: (event: { request: Request; response?: Response }) => void,
  ): unknown
}

/**
 * msw 2 keeps a clone of every response for its events, and a body with an unread clone can't be cancelled: a
 * client that drops a 429 before it retries would wait forever. Cancelling the clone frees it.
 * A client of node:http reads the very body that the event holds, so it must not be cancelled.
 */
export function guardCancel({ events }: { readonly events: unknown }): void {
  for (const name of ['response:mocked', 'response:bypass'] as const) {
    ;(events as EventSource).on(name, ({ request, response }) => {
      if (nodeHttpClientOf(request) === undefined) response?.body?.cancel().catch(() => {})
    })
  }
}
