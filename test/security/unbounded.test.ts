/**
 * Attack: more than a server can hold: bodies and heads without end, names as long as bodies, a key or a path for each
 * call, waits of years, faults without number.
 * Defence: everything that is read is bounded as it is read, and everything that is kept is bounded in number and in
 * bytes: the journal, the sessions, the labels of the metrics, faults, watchers, cassettes. Every wait is a day at most,
 * and ends when its caller leaves. (test/robustness/bodies.test.ts has bodies of every kind, amplification.test.ts answers
 * that are larger than their requests.)
 */

import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { engineOf } from '../../src/engine/mock.ts'
import { createMock, type ScenarioInput } from '../../src/index.ts'
import { record, upstreamOf } from '../record/recording.ts'
import { errorIn, fetchFrom, GENEROUS_MS, HELLO, requestText, serve, stillAnswers, Wire } from '../support/http.ts'
import { ask, steppingMock } from '../support/stepping.ts'

/** What the program `flooded.ts` says in the end; the code or signal it ended with, when it did not get so far. */
async function flood(kind: string): Promise<unknown> {
  const flags = ['--max-old-space-size=130', '--import', 'tsx']
  const program = spawn(process.execPath, [...flags, resolve(import.meta.dirname, 'flooded.ts'), kind], {
    cwd: resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<unknown>((settle) => program.on('exit', (code, signal) => settle(code ?? signal)))
  const said = await text(program.stdout)
  return (await ended) === 0 ? said.trim() : `ended with ${await ended}`
}

test.each(['models', 'parameters', 'rules'])(
  'forty calls with 4 MB of %s each: the journal keeps none of their payload in memory',
  async (kind) => expect(await flood(kind)).toBe('40 calls'),
  120_000,
)

test('sixteen explanations of 9 MB at once, twice, do not end a server of 128 MB', async () => {
  const server = fork(resolve(import.meta.dirname, '../robustness/unread-server.ts'), ['plain'], {
    cwd: resolve(import.meta.dirname, '../..'),
    execArgv: ['--max-old-space-size=128', '--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  const [port] = (await once(server, 'message')) as [number]
  const body = JSON.stringify({ body: { model: 'm', messages: [{ role: 'user', content: 'ab '.repeat(3_000_000) }] } })
  // Connections stay open after an answer, and are used again.
  const explain = async (): Promise<number> => {
    const answer = await fetch(`http://127.0.0.1:${port}/_mock/explain`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    await answer.arrayBuffer()
    return answer.status
  }
  for (let round = 0; round < 2; round++)
    expect(await Promise.all(Array.from({ length: 16 }, explain))).toEqual(Array(16).fill(200))
}, 400_000)

test('a body of 2 MB for the control plane is refused and not kept', async () => {
  const server = await serve()
  const wire = await Wire.open(server)
  await wire.send(requestText({ path: '/_mock/faults', headers: ['Transfer-Encoding: chunked'], body: null }))
  for (let sent = 0; sent < 64; sent++) await wire.send(`8000\r\n${' '.repeat(0x8000)}\r\n`)
  await wire.send('0\r\n\r\n')
  expect((await wire.answer())?.status).toBe(413)
  await stillAnswers(server)
})

test.each([
  ['one of a megabyte', [`X-A: ${'a'.repeat(1_000_000)}`]],
  ['a hundred thousand', Array.from({ length: 100_000 }, (_, index) => `X-${index}: a`)],
])('headers without end, %s, are refused as they come', async (_, headers) => {
  const server = await serve()
  const wire = await Wire.open(server)
  await wire.send(requestText({ headers }))
  const answer = await wire.answer()
  // A client that goes on sending may lose the answer with the connection.
  if (answer !== undefined) expect([400, 431]).toContain(answer.status)
  await stillAnswers(server)
})

test('a thousand models, keys, paths and callers add no label to the metrics', async () => {
  const server = await serve()
  const metrics = async () => (await fetchFrom(server, { path: '/_mock/metrics' })).text.split('\n').length
  const once = { headers: { 'x-mock-fault': '500' } }
  await fetchFrom(server, once)
  await fetchFrom(server)
  await fetchFrom(server, { path: '/v1/nowhere' })
  const before = await metrics()
  for (let time = 0; time < 250; time++) {
    const body = { ...HELLO, model: `model-${time}`, user: `user-${time}` }
    const key = `sk-${time}`
    await Promise.all([
      fetchFrom(server, { ...once, key, body }),
      fetchFrom(server, { key, body }),
      fetchFrom(server, { key, path: `/v1/nowhere-${time}?a=${time}` }),
    ])
  }
  expect(await metrics()).toBe(before)
})

test('at most ten thousand keys are remembered', async () => {
  const mock = steppingMock({ limits: { requests: '1 per day' } })
  const status = async (key: string) => (await ask(mock, { key })).entry.status
  expect([await status('sk-first'), await status('sk-first')]).toEqual([200, 429])
  for (let time = 0; time < 10_000; time++) await ask(mock, { key: `sk-${time}` })
  expect(await status('sk-first')).toBe(200)
}, 60_000)

test('injected faults are bounded: beyond a maximum, new ones are refused', async () => {
  const server = await serve()
  for (let time = 0; time < 20_000; time++) {
    try {
      server.mock.inject(500, { key: 'sk-never' })
    } catch {
      break
    }
  }
  expect(server.mock.injected.length).toBeLessThanOrEqual(10_000)
  await stillAnswers(server)
})

test('a large injected fault is refused', async () => {
  const server = await serve()
  const answer = await fetchFrom(server, { path: '/_mock/faults', body: { fault: 500, key: 'k'.repeat(100_000) } })
  expect(answer.status).toBe(413)
  errorIn(answer)
})

test.each([
  ['pace', { perToken: '10000h' }],
  ['pace', { firstToken: '2d' }],
  ['replies', [{ answer: { body: '', wait: '25h' } }]],
  ['replies', [{ answer: { events: [{ at: '366d', data: 'x' }] } }]],
  ['faults', [{ fault: 'slow-drip', interval: '10000h' }]],
  ['states', { a: { lasts: '10000h', next: 'a' } }],
])('a wait of more than a day is refused: %s: %j', (field, value) => {
  expect(() => createMock({ description: 'x', [field]: value } as unknown as ScenarioInput)).toThrow(/day|duration/)
})

test.each(['slow-drip; interval=10000h', 'rate-limit; retry-after=10000h', 'bandwidth; bytes-per-second=0.000001'])(
  'a wait of more than a day is refused in a header: %s',
  async (fault) => {
    const server = await serve()
    expect((await fetchFrom(server, { headers: { 'x-mock-fault': fault } })).status).toBe(400)
  },
)

test('calls that hang or wait a day hold no memory after their clients leave', async () => {
  const server = await serve({ description: 'x', pace: { firstToken: '24h' }, limits: { concurrent: 2 } })
  const outcomes: string[] = []
  const over = new Promise<void>((resolve) => {
    server.mock.onExchange(({ outcome }) => {
      if (outcomes.push(outcome) === 2) resolve()
    })
  })
  const begun = new Promise<void>((resolve) => {
    let calls = 0
    engineOf(server.mock).begun.add(() => {
      if (++calls === 2) resolve()
    })
  })
  const leaving = new AbortController()
  for (const fault of [{}, { 'x-mock-fault': 'hang' }]) {
    const headers = { authorization: 'Bearer sk-test', 'content-type': 'application/json', ...fault }
    const init = { method: 'POST', headers, body: JSON.stringify(HELLO), signal: leaving.signal }
    fetch(`${server.url}/chat/completions`, init).catch(() => {})
  }
  await begun
  leaving.abort()
  await over
  expect(outcomes).toEqual(['client-left', 'client-left'])
  expect((await fetchFrom(server, { headers: { 'x-mock-fault': '500' } })).status).toBe(500)
})

test(
  'an endless upstream answer is forwarded and not kept',
  async () => {
    const upstream = await upstreamOf((_, response) => {
      const piece = Buffer.alloc(1_000_000, 'x')
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) {
          // As long as there is room.
        }
      }
      response.on('drain', more)
      more()
    })
    const recording = await record(upstream)
    const response = await fetch(`${recording.origin}/v1/chat/completions`, { method: 'POST', body: '{}' })
    let size = 0
    for await (const chunk of response.body!) {
      size += chunk.length
      if (size > 20_000_000) break
    }
    await recording.over(1)
    expect(recording.calls[0]!.problem).toBe('the client left before the end')
    expect(recording.cassette.answers).toBe(0)
  },
  GENEROUS_MS,
)
