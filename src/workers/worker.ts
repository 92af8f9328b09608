/**
 * The program of a worker process: serves the data plane. It loads only what it needs to play plans, obeys the primary,
 * and ends with it.
 */
import type { Server } from 'node:http'
import { closeServer, createHttpServer, createRouter } from '../http/http-server.ts'
import { forwardRequest } from './forward-request.ts'
import type { FromPrimary, FromWorker, Setup } from './messages.ts'
import { RemotePlanner } from './remote-planner.ts'

const tell = (message: FromWorker, sent: () => void = () => {}): void =>
  // With a callback, a dead primary is not an error. The channel then closes, and node:cluster ends this process.
  void process.send!(message, undefined, undefined, sent)

/** Set once the primary has told this worker to listen. */
let active: { readonly mock: RemotePlanner; readonly server: Server } | undefined

function open(setup: Setup): void {
  const mock = new RemotePlanner(setup, (report) => tell({ type: 'report', report }))
  const handle = createRouter(mock, setup.hasHandlers, (request, response) =>
    forwardRequest(request, response, setup.controlSocket),
  )
  const server = createHttpServer(handle)
  server.once('error', ({ code, message }: NodeJS.ErrnoException) => tell({ type: 'failed', code, message }))
  server.listen({ port: setup.port, host: setup.host }, () => tell({ type: 'listening' }))
  active = { mock, server }
}

async function close(graceMs: number): Promise<void> {
  if (active !== undefined) {
    await closeServer(active.server, graceMs)
    // Broken answers note their end in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    active.mock.flush()
  }
  await new Promise<void>((resolve) => tell({ type: 'closed' }, resolve))
  process.disconnect()
}

process.on('message', (message: FromPrimary) => {
  switch (message.type) {
    case 'plans':
      return active!.mock.answer(message.plans)
    case 'listen':
      return open(message.setup)
    case 'settled':
      return active!.mock.settled(message.ids)
    case 'sync':
      return active!.mock.sync(message.syncId)
    case 'reset-lag':
      return active!.mock.lag.reset()
    case 'close':
      return void close(message.graceMs)
    default:
      message satisfies never
  }
})

// A terminal sends Ctrl-C to all processes; the primary decides how they end.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

tell({ type: 'ready' })
