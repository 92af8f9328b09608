/** Serves calls of the data plane: reads the request, lets the engine decide, and plays the plan. The hot path has no promise. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Call } from '../core/decide/call/call-context.ts'
import type { Address } from '../core/protocol/request/address.ts'
import { Arrivals, type Engine, type Exchange } from '../engine/index.ts'
import { Rehearsals } from '../engine/node.ts'
import { isStale } from './connections.ts'
import { LargeRequests } from './large-requests.ts'
import { type Serving, start } from './play-http.ts'
import { readBody } from './read-body.ts'
import { sendBug } from './send-error.ts'
import { UnreadAnswers } from './unread-answers.ts'

/** @param unreadLimit the most bytes of answers that clients do not read, over all connections. */
export function createServing(engine: Engine, unreadLimit?: number): Serving {
  engine.rehearsals ??= new Rehearsals()
  return {
    engine,
    arrivals: new Arrivals(),
    unread: new UnreadAnswers(unreadLimit),
    requests: new LargeRequests(),
  }
}

/** Answers one call to the data plane. */
export function serve(serving: Serving, request: IncomingMessage, response: ServerResponse, address: Address): void {
  if (isStale(request.socket)) return void request.socket.resetAndDestroy()
  const { engine, arrivals } = serving
  const { bodyLimit } = engine
  const receive = (body: string | undefined, decided?: () => void): void => {
    const fail = (error: unknown): void => sendBug(response, error)
    try {
      const { method = 'GET', url = '', headers } = request
      const queryStart = url.indexOf('?')
      const call: Call = {
        method,
        path: address.path,
        session: address.session,
        deployment: address.deployment,
        acceptsApiKey: address.acceptsApiKey,
        query: queryStart < 0 ? undefined : url.slice(queryStart + 1),
        header: (name) => {
          const value = headers[name]
          return Array.isArray(value) ? value.join(', ') : value
        },
        body,
        bodyLimit,
        now: engine.clock.now(),
        speed: engine.clock.speed,
        transport: 'http',
        keepsAlive: response.shouldKeepAlive,
      }
      const begun = (exchange: Exchange): void => {
        decided?.()
        start(exchange, serving, response)
      }
      arrivals.add(() => engine.receive(call, begun, fail))
    } catch (error) {
      fail(error)
    }
  }
  serving.requests.admit(response, bodyLimit, (decided) =>
    readBody(request, bodyLimit, (body) => receive(body, decided)),
  )
}
