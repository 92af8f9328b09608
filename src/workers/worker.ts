/**
 * A worker: the data plane in a process of its own. It loads what playing plans needs and no more, does as its owner
 * says, and ends with it.
 */
import type { Server } from 'node:http'
import { closeServer, createHttpServer, routerOf } from '../http/http-server.ts'
import { forwardRequest } from './forward-request.ts'
import type { FromPrimary, FromWorker, Setup } from './messages.ts'
import { RemotePlanner } from './remote-planner.ts'

const tell = (message: FromWorker, sent: () => void = () => {}): void =>
  // With a callback an owner that has just died is no error; then the channel closes, and node:cluster ends us.
  void process.send!(message, undefined, undefined, sent)

/** What there is once the owner has said how to listen. */
let door: { readonly mock: RemotePlanner; readonly server: Server } | undefined

function open(setup: Setup): void {
  const mock = new RemotePlanner(setup, (report) => tell({ type: 'report', report }))
  const handle = routerOf(mock, setup.hasHandlers, (request, response) =>
    forwardRequest(request, response, setup.backDoor),
  )
  const server = createHttpServer(handle)
  server.once('error', ({ code, message }: NodeJS.ErrnoException) => tell({ type: 'failed', code, message }))
  server.listen({ port: setup.port, host: setup.host }, () => tell({ type: 'listening' }))
  door = { mock, server }
}

async function close(graceMs: number): Promise<void> {
  if (door !== undefined) {
    await closeServer(door.server, graceMs)
    // Answers that were broken off note their end in this turn.
    await new Promise((resolve) => setImmediate(resolve))
    door.mock.flush()
  }
  await new Promise<void>((resolve) => tell({ type: 'closed' }, resolve))
  process.disconnect()
}

process.on('message', (message: FromPrimary) => {
  switch (message.type) {
    case 'plans':
      return door!.mock.answer(message.plans)
    case 'listen':
      return open(message.setup)
    case 'sync':
      return door!.mock.sync(message.question)
    case 'reset-lag':
      return door!.mock.lag.reset()
    case 'close':
      return void close(message.graceMs)
    default:
      message satisfies never
  }
})

// A terminal's Ctrl-C goes to all of us: how to end is for the owner to say.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})

tell({ type: 'ready' })
