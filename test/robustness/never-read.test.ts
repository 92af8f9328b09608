/** Many clients that never read, on a server with little memory: it keeps running and answers those that read. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fetchFrom, requestText, Wire } from '../support/http.ts'

const PROGRAM = resolve(import.meta.dirname, 'unread-server.ts')
const CLIENTS = 100

test.each([
  ['streams of 5 MB', 'plain', (n: number) => ({ stream: true, messages: message(`${n} ${'word '.repeat(20_000)}`) })],
  [
    'paced streams of 5 MB',
    'paced',
    (n: number) => ({ stream: true, messages: message(`${n} ${'word '.repeat(20_000)}`) }),
  ],
  [
    'whole answers of 10 MB',
    'plain',
    (n: number) => ({ logprobs: true, top_logprobs: 20, messages: message(`${n} ${'word '.repeat(8000)}`) }),
  ],
])(
  'a hundred clients do not read %s: the server answers the next one',
  async (_, kind, bodyOf) => {
    const server = fork(PROGRAM, [kind], {
      cwd: resolve(import.meta.dirname, '../..'),
      execArgv: ['--max-old-space-size=128', '--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    onTestFinished(() => void server.kill('SIGKILL'))
    const ended = once(server, 'exit').then(([code, signal]) => `ended with ${code ?? signal}`)
    const hear = (): Promise<unknown> => Promise.race([once(server, 'message').then(([heard]) => heard), ended])
    const port = (await hear()) as number
    for (let client = 0; client < CLIENTS; client++) {
      const wire = await Wire.open({ port })
      wire.socket.pause()
      wire.socket.on('error', () => {})
      void wire.send(requestText({ body: JSON.stringify({ model: 'echo-1', ...bodyOf(client) }) }))
    }
    let outcomes: unknown
    for (;;) {
      server.send('outcomes')
      outcomes = await hear()
      if (!Array.isArray(outcomes) || outcomes.length >= CLIENTS) break
      await new Promise((wake) => setTimeout(wake, 200))
    }
    expect(outcomes).toHaveLength(CLIENTS)
    const { status } = await fetchFrom({ origin: `http://127.0.0.1:${port}` })
    expect(status).toBe(200)
  },
  400_000,
)

const message = (content: string) => [{ role: 'user', content }]
