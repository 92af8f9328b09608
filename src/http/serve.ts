/** Serves calls of the data plane: reads the request, lets the engine decide, and plays the plan. The hot path has no promise. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Call } from '../core/decide/call/call-context.ts'
import type { Address } from '../core/protocol/request/address.ts'
import type { Engine } from '../engine/engine.ts'
import type { Exchange } from '../engine/exchange.ts'
import { Rehearsals } from '../engine/rehearsals.ts'
import { Arrivals } from '../engine/scheduling/arrivals.ts'
import { isStale } from './connections.ts'
import { LargeRequests } from './large-requests.ts'
import { type Serving, start } from './play-http.ts'
import { readBody } from './read-body.ts'
import { guard, sendBug } from './send-error.ts'
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
export function serve(
  serving: Serving,
  request: IncomingMessage,
  response: ServerResponse,
  { path, session, deployment, acceptsApiKey }: Address,
): void {
  if (isStale(request.socket)) return void request.socket.resetAndDestroy()
  const { engine, requests, arrivals } = serving
  const begin = (body: string | undefined, decided: () => void): void =>
    guard(response, () => {
      const call: Call = {
        method: request.method ?? 'GET',
        path,
        session,
        deployment,
        acceptsApiKey,
        query: queryOf(request.url),
        header: (name) => headerOf(request, name),
        body,
        bodyLimit: engine.bodyLimit,
        now: engine.clock.now(),
        speed: engine.clock.speed,
        transport: 'http',
        keepsAlive: response.shouldKeepAlive,
      }
      const begun = (exchange: Exchange): void => {
        decided()
        guard(response, () => start(exchange, serving, response))
      }
      const decide = (): void => engine.receive(call, begun, (error) => sendBug(response, error))
      arrivals.add(() => guard(response, decide))
    })
  requests.admit(response, engine.bodyLimit, (decided) =>
    readBody(request, engine.bodyLimit, (body) => begin(body, decided)),
  )
}

function queryOf(url = ''): string | undefined {
  const start = url.indexOf('?')
  return start < 0 ? undefined : url.slice(start + 1)
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
