/** Workers begin and end with the mock they serve: together, and none of them for good before it. */
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMock, type Mock } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'
import { fetchFrom, GENEROUS_MS, requestText, serve, Wire } from '../../support/http.ts'
import { WORKERS } from '../../support/workers.ts'

const eventually = (check: () => unknown): Promise<void> =>
  vi.waitFor(async () => void (await check()), { timeout: GENEROUS_MS })

/** The workers of this process: of all its servers. */
const workers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
const openCalls = (mock: Mock): number => mock.journal.filter(({ outcome }) => outcome === 'open').length
const SLOW = { description: 'a slow world', pace: { firstToken: '1h' } } as const

/** Calls that get no answer yet, each on a connection of its own. */
async function hangingCalls(server: { readonly port: number; readonly mock: Mock }, count: number): Promise<Wire[]> {
  const wires = await Promise.all(Array.from({ length: count }, () => Wire.open(server)))
  for (const wire of wires) await wire.send(requestText())
  await eventually(() => expect(server.mock.journal).toHaveLength(count))
  return wires
}

test('a crashed worker loses only its own calls, frees their concurrency slots, and is replaced', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => said.mockRestore())
  const server = await serve({ ...SLOW, limits: { concurrent: 4 } }, { listen: { workers: WORKERS } })
  await hangingCalls(server, 4)
  expect(openCalls(server.mock)).toBe(4)

  const [victim] = workers()
  victim!.process.kill('SIGKILL')
  await eventually(() => expect(said).toHaveBeenCalled())
  // Node hands connections to whichever worker is free: each has about half of them.
  const left = openCalls(server.mock)
  expect(left).toBeLessThan(4)
  const outcomes = server.mock.journal.map(({ outcome }) => outcome)
  expect(outcomes.filter((outcome) => outcome === 'client-left')).toHaveLength(4 - left)
  const calls = left === 3 ? '1 call' : `${4 - left} calls`
  expect(said).toHaveBeenCalledExactlyOnceWith(
    `api-mock: worker ${victim!.process.pid} ended with SIGKILL and ${calls} in flight. Starting another one.`,
  )
  if (left > 0) expect(server.mock.limitUsage).toMatchObject([{ limits: [{ used: left }] }])

  server.mock.use({ description: 'a fast world' })
  await eventually(() => expect(workers().filter((worker) => worker.isConnected())).toHaveLength(WORKERS))
  for (let time = 0; time < 4; time++) expect((await fetchFrom(server)).status).toBe(200)
})

test('the server listens at the same port again after all workers crash at once', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => said.mockRestore())
  const server = await serve('default', { listen: { workers: WORKERS } })
  for (const worker of workers()) worker.process.kill('SIGKILL')
  await eventually(() => expect(said).toHaveBeenCalledTimes(WORKERS))
  await eventually(async () => expect((await fetchFrom(server)).status).toBe(200))
})

test('a closing server finishes the calls in flight of all workers and accepts no new calls', async () => {
  const server = await serve({ ...SLOW, pace: { firstToken: '500ms' } }, { listen: { workers: WORKERS } })
  const wires = await hangingCalls(server, 4)
  const closed = server.close(GENEROUS_MS)
  const answers = await Promise.all(wires.map((wire) => wire.answer()))
  expect(answers.map((answer) => answer?.status)).toEqual([200, 200, 200, 200])
  await closed
  expect(server.mock.journal.map(({ outcome }) => outcome)).toEqual(Array(4).fill('complete'))
  expect(workers()).toEqual([])
  await expect(fetchFrom(server)).rejects.toThrow('fetch failed')
})

test('a server that closes without a grace period aborts its calls, and the journal has their end before close resolves', async () => {
  const server = await serve(SLOW, { listen: { workers: WORKERS } })
  const wires = await hangingCalls(server, 4)
  await server.close(0)
  expect(server.mock.journal.map(({ outcome }) => outcome)).toEqual(Array(4).fill('client-left'))
  await Promise.all(wires.map((wire) => wire.closed()))
})

test('a disconnect from the control plane reaches the primary, and open connections end when the server closes', async () => {
  const server = await serve('default', { listen: { workers: WORKERS } })
  const events = `${server.controlUrl}/events`
  const watchers: AbortController[] = []
  // Until there are too many.
  for (let status = 200; status === 200; ) {
    const watcher = new AbortController()
    status = (await fetch(events, { signal: watcher.signal })).status
    watchers.push(watcher)
  }
  for (const watcher of watchers) watcher.abort()
  await eventually(async () => {
    const { status, body } = await fetch(events)
    await body?.cancel()
    expect(status).toBe(200)
  })
  await Promise.all(watchers.map(() => fetch(events, { signal: AbortSignal.timeout(1) }).catch(() => {})))
  const { body } = await fetch(events)
  await server.close()
  expect(await new Response(body).text()).toContain('event: hello')
})

test('a port in use gives one error, the same as without workers, and leaves no worker process', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo
  await expect(listen(createMock(), { port, workers: WORKERS })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is in use. Stop the other program, or choose another port: --port ${port + 1}`,
  )
  expect(workers()).toEqual([])
})

test('two mocks in one process have separate workers', async () => {
  const [one, other] = await Promise.all(
    ['one', 'other'].map((say) => serve({ description: say, replies: [{ say }] }, { listen: { workers: WORKERS } })),
  )
  for (let time = 0; time < 3; time++) {
    expect((await fetchFrom(one!)).json.choices[0].message.content).toBe('one')
    expect((await fetchFrom(other!)).json.choices[0].message.content).toBe('other')
  }
  await expect(listen(createMock(), { port: one!.port, workers: WORKERS })).rejects.toThrow('is in use')
})

test.each([0, -1, 1.5, 33, Number.NaN])('%d workers are refused', async (count) => {
  await expect(listen(createMock(), { port: 0, workers: count })).rejects.toThrow(
    `listen: expected workers to be a whole number from 1 to 32, got ${count}.`,
  )
})

test('a mock with a manual clock refuses workers', async () => {
  await expect(listen(createMock('default', { clock: 'manual' }), { port: 0, workers: 2 })).rejects.toThrow(
    'Failed to listen with 2 workers: workers wait in real time, but this mock has another clock.',
  )
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await expect(listen(createMock(), { port: 0, workers: 2 })).rejects.toThrow('workers wait in real time')
})

test('workers run at the speed of the mock', async () => {
  const server = await serve(SLOW, { speed: 1_000_000, listen: { workers: WORKERS } })
  expect((await fetchFrom(server)).status).toBe(200)
})
