/** Heavy calls to a server are rehearsed on a worker thread, and answered as they are without one. */
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Memos } from '../../src/core/lib/cache/memos.ts'
import { engineOf } from '../../src/engine/mock.ts'
import { Rehearsals } from '../../src/engine/rehearsals.ts'
import { createMock, type ReplyRequest, type ScenarioInput } from '../../src/index.ts'
import { fetchFrom, HELLO, serve } from '../support/http.ts'

const heavy = (more: object = {}) => ({
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'some words '.repeat(20_000) }],
  ...more,
})
const objectWith = (list: object) => ({ type: 'object', properties: { list }, required: ['list'] })
const listOf = (minItems: number) => ({
  type: 'json_schema',
  json_schema: { name: 'list', schema: objectWith({ type: 'array', minItems, items: { type: 'string' } }) },
})

/** Starts the worker from its source: Node 20 reads no TypeScript, and ignores `--import` for a worker. */
const startFromSource = () =>
  new Worker(
    `import('tsx/esm/api').then(({ register }) => {
      register()
      return import(require('node:worker_threads').workerData)
    })`,
    { eval: true, workerData: new URL('../../src/engine/rehearsal-worker.ts', import.meta.url).href },
  )

/** A server of a scenario, and the rehearsals of its calls: undefined for one without results. */
async function serveHeavy(scenario: Partial<ScenarioInput> = {}) {
  const server = await serve(scenario)
  const engine = engineOf(server.mock)
  engine.rehearsals = new Rehearsals(startFromSource)
  const run = vi.spyOn(engine.rehearsals, 'run')
  onTestFinished(() => engine.close())
  const results = (): Promise<(Memos | undefined)[]> => Promise.all(run.mock.results.map(({ value }) => value))
  return { server, engine, results }
}

test.each<readonly [string, object]>([
  ['a chat', heavy()],
  ['a stream', heavy({ stream: true, stream_options: { include_usage: true } })],
  ['logprobs', heavy({ logprobs: true, top_logprobs: 2 })],
  ['a short request for a long list', { ...HELLO, response_format: listOf(2000) }],
  ['a schema', heavy({ response_format: listOf(100) })],
])('%s is answered with the same bytes as without a rehearsal', async (_, body) => {
  const { server, results } = await serveHeavy()
  const plain = await serve()
  engineOf(plain.mock).rehearsals = undefined
  for (let attempt = 1; attempt <= 2; attempt++) {
    const [rehearsed, direct] = await Promise.all([fetchFrom(server, { body }), fetchFrom(plain, { body })])
    expect(rehearsed.status).toBe(200)
    expect(rehearsed.text === direct.text).toBe(true)
  }
  expect(await results()).toEqual([expect.any(Memos), expect.any(Memos)])
})

test('a scenario with reply functions is rehearsed without them', async () => {
  const replies = [{ say: ({ user }: ReplyRequest) => user.slice(0, 4) }]
  const { server, results } = await serveHeavy({ replies })
  const { json } = await fetchFrom(server, { body: heavy() })
  expect(json.choices[0].message.content).toBe('some')
  expect(await results()).toEqual([expect.any(Memos)])
})

test('a short call after a long conversation is rehearsed with it, and answered with the same bytes', async () => {
  const { server, results } = await serveHeavy()
  const plain = await serve()
  engineOf(plain.mock).rehearsals = undefined
  const path = '/v1/responses'
  const input = 'some words '.repeat(20_000)
  const first = { path, body: { model: 'gpt-4o-mini', input } }
  const [one] = await Promise.all([fetchFrom(server, first), fetchFrom(plain, first)])
  const { id, output } = one.json
  for (const body of [
    { input: 'And now?', previous_response_id: id },
    {
      input: [
        { type: 'item_reference', id: output[0].id },
        { role: 'user', content: 'And now?' },
      ],
      stream: true,
    },
  ]) {
    const call = { path, body: { model: 'gpt-4o-mini', ...body } }
    const [rehearsed, direct] = await Promise.all([fetchFrom(server, call), fetchFrom(plain, call)])
    expect(rehearsed.status).toBe(200)
    expect(rehearsed.text === direct.text).toBe(true)
  }
  const found = await results()
  expect(found).toEqual([expect.any(Memos), expect.any(Memos), expect.any(Memos)])
})

test('a rehearsal computes on the worker what takes long, and the decision finds it', async () => {
  const { server, results } = await serveHeavy()
  await fetchFrom(server, { body: heavy() })
  const [memos] = await results()
  const compute = vi.fn()
  expect(memos!.of('hashes', '', compute)).toEqual({ low: expect.any(Number), high: expect.any(Number) })
  expect(compute).not.toHaveBeenCalled()
})

test('a short call is not rehearsed', async () => {
  const { server, results } = await serveHeavy()
  expect((await fetchFrom(server)).status).toBe(200)
  expect(await results()).toEqual([])
})

test('later calls of a key wait for its heavy call, so the limit refuses the last one', async () => {
  const { server } = await serveHeavy({ limits: { requests: '3 per day' } })
  const first = fetchFrom(server, { body: heavy() })
  await vi.waitFor(() => expect(engineOf(server.mock).rehearsals!.run).toHaveBeenCalled())
  const others = [1, 2, 3].map(() => fetchFrom(server))
  expect((await first).status).toBe(200)
  expect((await Promise.all(others)).map(({ status }) => status).toSorted()).toEqual([200, 200, 429])
  expect(server.mock.journal[0]!.usage).toMatchObject({ promptTokens: 40_008 })
})

test('a reset while a call is rehearsed does not lose the call', async () => {
  const { server, engine } = await serveHeavy()
  const answer = fetchFrom(server, { body: heavy() })
  await vi.waitFor(() => expect(engine.rehearsals!.run).toHaveBeenCalled())
  engine.reset()
  expect((await answer).status).toBe(200)
  expect(server.mock.journal.map(({ attempt }) => attempt)).toEqual([1])
})

test('rehearsals that are closed during a call do not lose it, and later calls are decided without a worker', async () => {
  const { server, engine, results } = await serveHeavy()
  const answer = fetchFrom(server, { body: heavy() })
  await vi.waitFor(() => expect(engine.rehearsals!.run).toHaveBeenCalled())
  await engine.rehearsals!.close()
  expect((await answer).status).toBe(200)
  expect((await fetchFrom(server, { body: heavy() })).status).toBe(200)
  expect(await results()).toEqual([undefined, undefined])
})

test('a call that no worker can take is decided without one', async () => {
  const { scenario } = engineOf(createMock({ description: 'x', replies: [{ say: 'Yes.' }] }))
  const source = { ...scenario.source, description: () => {} } as never
  const call = { transport: 'http', headers: {} } as never
  const stage = {
    scenario: { ...scenario, source },
    answerLimit: undefined,
    startedAt: 0,
    stored: [],
    attempts: new Map(),
  }
  expect(await new Rehearsals(startFromSource).run(call, stage)).toBeUndefined()
})

test('a server that closes starts no other worker for the calls that wait, and decides them all before it has closed', async () => {
  const started: Worker[] = []
  const { server, engine } = await serveHeavy()
  engine.rehearsals = new Rehearsals(() => {
    const worker = startFromSource()
    started.push(worker)
    return worker
  })
  const calls = Array.from({ length: 4 }, () => fetchFrom(server, { body: heavy() }).catch(() => undefined))
  await vi.waitFor(() => expect(started).toHaveLength(1), 10_000)
  await engine.close()
  const decided = server.mock.journal.length
  await Promise.all(calls)
  expect(started).toHaveLength(1)
  expect(started[0]!.threadId).toBe(-1)
  expect(server.mock.journal).toHaveLength(Math.max(4, decided))
})
