/** Limits that four processes share through Debian's redis-server: exact without affinity, also when a process or the store is killed. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { LeakyBucket } from '../../src/core/decide/state/leaky-bucket.ts'
import type { SessionId } from '../../src/core/decide/state/session-id.ts'
import { compileLimits, type Limits } from '../../src/core/scenario/compile/limits.ts'
import { engineOf } from '../../src/engine/mock.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { loadStoreModules } from '../../src/limit-store/load-store-modules.ts'
import { RedisLimitStore } from '../../src/limit-store/redis-store.ts'
import { intercept } from '../../src/node.ts'
import {
  freePort,
  type MockProcess,
  pause,
  Running,
  runProgram,
  startMock,
  startMocks,
  startRedis,
} from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'api-mock-shared-'))
let redis: Awaited<ReturnType<typeof startRedis>>
beforeAll(async () => {
  redis = await startRedis()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await redis.running.stop('SIGKILL')
})

let files = 0
function scenarioFile(limits: object, more: object = {}): string {
  const path = join(folder, `scenario-${files++}.json`)
  writeFileSync(path, JSON.stringify({ description: 'Shared limits.', limits, ...more }))
  return path
}

async function startFleet(scenario: string, count = 4) {
  const replicas = await startMocks(count, ['--scenario', scenario])
  const close = async (): Promise<void> => {
    for (const { running } of replicas) await running.stop('SIGKILL')
  }
  return { replicas, [Symbol.asyncDispose]: close }
}

const post = (replica: MockProcess, path: string, body: object, signal?: AbortSignal): Promise<Response> =>
  fetch(`${replica.origin}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-shared', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  })
const embeddings = (replica: MockProcess, tokens = 1): Promise<Response> =>
  post(replica, 'embeddings', { model: 'hash-1', input: Array(tokens).fill(1), dimensions: 1 })
const HELLO = { model: 'echo-1', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 20 }

/** So many calls at once, one process after the other; how many got each status. */
async function countStatuses(
  replicas: readonly MockProcess[],
  count: number,
  send: (replica: MockProcess) => Promise<Response>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  const one = async (index: number): Promise<void> => {
    const response = await send(replicas[index % replicas.length]!)
    await response.arrayBuffer()
    counts[response.status] = (counts[response.status] ?? 0) + 1
  }
  await Promise.all(Array.from({ length: count }, (_, index) => one(index)))
  return counts
}

const shared = (): string => redis.url

test('a limit on requests admits exactly its amount over four processes with 200 connections each', async () => {
  await using fleet = await startFleet(scenarioFile({ shared: shared(), requests: '500 per day' }))
  const first = await countStatuses(fleet.replicas, 800, embeddings)
  const second = await countStatuses(fleet.replicas, 800, embeddings)
  expect([first, second]).toEqual([{ 200: 500, 429: 300 }, { 429: 800 }])
  const reset = await fetch(`${fleet.replicas[0]!.origin}/_mock/reset`, { method: 'POST' })
  expect(reset.ok).toBe(true)
  expect(await countStatuses(fleet.replicas, 800, embeddings)).toEqual({ 200: 500, 429: 300 })
})

test('mocks in process share limits, too', async () => {
  const scenario = { limits: { shared: shared(), requests: '3 per day' } } as const
  const [one, other] = [createMock(scenario), createMock(scenario, { baseURL: 'https://other.example.com/v1' })]
  using _one = intercept(one)
  using _other = intercept(other)
  const ask = async (mock: Mock): Promise<number> => {
    const body = JSON.stringify({ model: 'hash-1', input: 'hello' })
    const headers = { authorization: 'Bearer sk-shared', 'content-type': 'application/json' }
    return (await fetch(`${mock.baseURL}/embeddings`, { method: 'POST', headers, body })).status
  }
  const statuses: number[] = []
  for (const mock of [one, other, one, other]) statuses.push(await ask(mock))
  for (const mock of [one, other]) await engineOf(mock).storedLimits.close()
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('a limit on tokens admits exactly its amount', async () => {
  await using fleet = await startFleet(scenarioFile({ shared: shared(), tokens: '5000 per day', concurrent: 1_000 }))
  const counts = await countStatuses(fleet.replicas, 800, (replica) => embeddings(replica, 10))
  expect(counts).toEqual({ 200: 500, 429: 300 })
})

test('after all calls have ended, what is used is what they really used', async () => {
  const amount = 10_000
  await using fleet = await startFleet(
    scenarioFile({ shared: shared(), tokens: `${amount} per day`, charge: 'answer' }),
  )
  const startedAt = performance.now()
  let used = 0
  await countStatuses(fleet.replicas, 200, async (replica) => {
    const response = await post(replica, 'chat/completions', HELLO)
    const { usage } = (await response.clone().json()) as { usage: { total_tokens: number } }
    used += usage.total_tokens
    return response
  })
  const drained = (): number => Math.ceil(((performance.now() - startedAt) * amount) / 86_400_000)
  // The last calls are settled after their clients have their answers.
  await vi.waitFor(async () => {
    const left = Number((await embeddings(fleet.replicas[0]!)).headers.get('x-ratelimit-remaining-tokens'))
    used++
    expect(left).toBeGreaterThanOrEqual(amount - used)
    expect(left).toBeLessThanOrEqual(amount - used + drained())
  })
})

test('calls in flight reach the limit over four processes and are never above it', async () => {
  const scenario = scenarioFile({ shared: shared(), concurrent: 50 }, { pace: { firstToken: '1h' } })
  await using fleet = await startFleet(scenario)
  for (let round = 0; round < 2; round++) {
    const leaving = new AbortController()
    let refused = 0
    const calls = Array.from({ length: 800 }, async (_, index) => {
      const response = await post(fleet.replicas[index % 4]!, 'chat/completions', HELLO, leaving.signal)
      expect(response.status).toBe(429)
      refused++
    })
    const all = Promise.allSettled(calls)
    await vi.waitFor(() => expect(refused).toBe(750), { timeout: 60_000 })
    expect(placesTaken(50)).toBe(50)
    leaving.abort()
    const left = (await all).filter(({ status }) => status === 'rejected')
    expect(left).toHaveLength(50)
    await vi.waitFor(() => expect(placesTaken(50)).toBe(0), { timeout: 60_000 })
  }
})

/** The calls in flight under a limit of so many, as the store has them. */
function placesTaken(most: number): number {
  const script = `local count = 0
    for _, key in ipairs(redis.call('KEYS', '*|concurrent|${most}')) do count = count + redis.call('ZCARD', key) end
    return count`
  return Number(execFileSync('redis-cli', ['-p', String(redis.port), 'EVAL', script, '0'], { encoding: 'utf8' }))
}

test('the places of a process that was killed are free when its leases have ended', async () => {
  const scenario = scenarioFile(
    { shared: shared(), concurrent: 3 },
    { models: { 'echo-1': { pace: { firstToken: '1h' } }, '*': {} } },
  )
  await using fleet = await startFleet(scenario, 2)
  const [killed, other] = fleet.replicas as [MockProcess, MockProcess]
  const hanging = Promise.allSettled([1, 2, 3].map(() => post(killed, 'chat/completions', HELLO)))
  await vi.waitFor(() => expect(placesTaken(3)).toBe(3), { timeout: 60_000 })
  await killed.running.stop('SIGKILL')
  await hanging
  expect((await embeddings(other)).status).toBe(429)
  // A lease is 30 seconds.
  await vi.waitFor(async () => expect((await embeddings(other)).status).toBe(200), { timeout: 100_000, interval: 500 })
})

test('a call in flight keeps its place for longer than its lease', async () => {
  const limits = compileLimits({ concurrent: 1 }, 'scenario')
  const [holder, other] = [storeOf(300), storeOf(300)]
  const { reservationId } = await holder.reserve('renewed', request(limits, 0))
  await pause(1000)
  expect((await other.reserve('renewed', request(limits, 0))).reservationId).toBeUndefined()
  holder.settle(reservationId!, 0)
  await holder.close()
  expect((await other.reserve('renewed', request(limits, 0))).reservationId).toBeDefined()
  await other.close()
})

const storeOf = (leaseMs?: number): RedisLimitStore =>
  new RedisLimitStore(shared(), () => {}, loadStoreModules(), leaseMs)
const request = (limits: Limits, tokens: number) => ({ sessionId: 'sk-a' as SessionId, limits, tokens })

test('the store decides as a leaky bucket does, and its levels follow from the calls before', async () => {
  const store = storeOf()
  const windows = fc.constantFrom('second', 'minute', 'hour', 'day')
  const rate = fc
    .tuple(fc.integer({ min: 1, max: 1_000 }), windows)
    .map(([amount, window]) => `${amount} per ${window}`)
  const steps = fc.array(fc.tuple(fc.nat(50), fc.nat(50), fc.constantFrom('settle', 'release', 'keep')), {
    minLength: 1,
    maxLength: 25,
  })
  const property = fc.asyncProperty(rate, rate, steps, async (requests, tokens, calls) => {
    const space = `property-${files++}`
    const limits = compileLimits({ requests, tokens }, 'scenario')
    const rates = [...limits.requests, ...limits.tokens]
    let expected = [0, 0]
    let lookedAt = performance.now()
    for (const [count, used, end] of calls) {
      const { reservationId, levels } = await store.reserve(space, request(limits, count))
      const maxDrainMs = performance.now() - lookedAt + 2
      lookedAt = performance.now() - maxDrainMs
      const counts = [1, count]
      const fits = rates.map((one, index) => {
        const level = levels.rates[index]!
        const drained = expected[index]! - level
        expect(drained).toBeGreaterThanOrEqual(0)
        if (level > 0) expect(drained % one.amount).toBe(0)
        if (level > 0) expect(drained / one.amount).toBeLessThanOrEqual(maxDrainMs)
        const bucket = new LeakyBucket(one)
        bucket.load(level, 5)
        return bucket.waitMs(counts[index]!, 5) === 0
      })
      expect(reservationId !== undefined).toBe(fits.every(Boolean))
      const change =
        reservationId === undefined ? [0, 0] : end === 'release' ? [0, 0] : end === 'keep' ? counts : [1, used]
      if (reservationId !== undefined && end === 'settle') store.settle(reservationId, used)
      if (reservationId !== undefined && end === 'release') store.settle(reservationId)
      expected = rates.map(({ windowMs }, index) => levels.rates[index]! + change[index]! * windowMs)
    }
  })
  await fc.assert(property, { numRuns: 30 })
  // Kept reservations have no end.
  await store.close()
})

test.each([
  ['refuse', 503],
  ['allow', 200],
] as const)(
  'while the store is away, unavailable: %s answers %d, and limits hold again when it is back',
  async (unavailable, status) => {
    const store = await startRedis()
    const scenario = scenarioFile({ shared: { url: store.url, unavailable }, requests: '2 per day' })
    const mock = await startMock(['--scenario', scenario])
    try {
      expect((await embeddings(mock)).status).toBe(200)
      await store.running.stop('SIGKILL')
      const away = await embeddings(mock)
      expect(away.status).toBe(status)
      if (unavailable === 'refuse') expect(await away.text()).toContain(`${store.url} does not answer`)
      expect(await countStatuses([mock], 20, embeddings)).toEqual({ [status]: 20 })

      await using _back = (await startRedis(store.port)).running
      await vi.waitFor(() => expect(mock.running.output).toContain(`${store.url} is back.`), { timeout: 60_000 })
      // It has lost its counters.
      expect(await countStatuses([mock], 3, embeddings)).toEqual({ 200: 2, 429: 1 })
      const reports = mock.running.output.split('\n').filter((line) => line.startsWith('limits.shared: '))
      expect(reports).toHaveLength(2)
    } finally {
      await mock.running.stop('SIGKILL')
      await store.running.stop('SIGKILL')
    }
  },
)

test('a store that accepts connections and never answers is away, and only the first calls wait for it', async () => {
  const store = await startRedis()
  const mock = await startMock(['--scenario', scenarioFile({ shared: store.url, requests: '1000 per day' })])
  try {
    expect((await embeddings(mock)).status).toBe(200)
    store.running.process.kill('SIGSTOP')
    expect(await countStatuses([mock], 50, embeddings)).toEqual({ 503: 50 })
    expect(mock.running.output).toContain('no answer within 2000 ms')
    store.running.process.kill('SIGCONT')
    await vi.waitFor(async () => expect((await embeddings(mock)).status).toBe(200), { timeout: 60_000 })
  } finally {
    await mock.running.stop('SIGKILL')
    await store.running.stop('SIGKILL')
  }
})

test('a call that a stopped store did not answer costs nothing when the store goes on', async () => {
  const store = await startRedis()
  const scenario = scenarioFile({ shared: store.url, requests: '3 per day', concurrent: 1 })
  const mock = await startMock(['--scenario', scenario])
  try {
    store.running.process.kill('SIGSTOP')
    expect((await embeddings(mock)).status).toBe(503)
    store.running.process.kill('SIGCONT')
    await vi.waitFor(() => expect(mock.running.output).toContain('is back.'), { timeout: 60_000 })
    const { status, headers } = await embeddings(mock)
    expect([status, headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '2'])
  } finally {
    await mock.running.stop('SIGKILL')
    await store.running.stop('SIGKILL')
  }
})

test('a reset while the store does not answer is made once, when it is back', async () => {
  const store = await startRedis()
  const { replicas, ...fleet } = await startFleet(scenarioFile({ shared: store.url, requests: '9 per day' }), 2)
  const [one, other] = replicas as [MockProcess, MockProcess]
  try {
    expect((await embeddings(one)).status).toBe(200)
    store.running.process.kill('SIGSTOP')
    await fetch(`${one.origin}/_mock/reset`, { method: 'POST' })
    await vi.waitFor(() => expect(one.running.output).toContain('does not answer'), { timeout: 60_000 })
    store.running.process.kill('SIGCONT')
    await vi.waitFor(() => expect(one.running.output).toContain('is back.'), { timeout: 60_000 })
    const remaining: (string | null)[] = []
    for (const mock of [other, other, one])
      remaining.push((await embeddings(mock)).headers.get('x-ratelimit-remaining-requests'))
    expect(remaining).toEqual(['8', '7', '6'])
  } finally {
    await fleet[Symbol.asyncDispose]()
    await store.running.stop('SIGKILL')
  }
})

test('a store that another one replaces disconnects when its calls have ended', async () => {
  const limits = compileLimits({ concurrent: 7 }, 'scenario')
  const store = storeOf(300)
  const { reservationId } = await store.reserve('replaced', request(limits, 0))
  const retired = store.retire()
  await pause(1000)
  expect(placesTaken(7)).toBe(1)
  store.settle(reservationId!, 0)
  await retired
  expect(placesTaken(7)).toBe(0)
})

test('a reservation that is under way when its store is replaced is settled, and its place is free', async () => {
  const limits = compileLimits({ concurrent: 8 }, 'scenario')
  const store = storeOf(300)
  const reserving = store.reserve('replaced', request(limits, 0))
  const retired = store.retire()
  const { reservationId } = await reserving
  expect(placesTaken(8)).toBe(1)
  store.settle(reservationId!, 0)
  await retired
  await pause(500)
  expect(placesTaken(8)).toBe(0)
})

test('a call that ends after its store was closed is settled, and the store disconnects again', async () => {
  const limits = compileLimits({ concurrent: 9 }, 'scenario')
  const store = storeOf(60_000)
  const { reservationId } = await store.reserve('closed', request(limits, 0))
  const countClients = (): number => cli('CLIENT', 'LIST').length
  const connected = countClients()
  await store.close()
  expect(countClients()).toBe(connected - 1)
  expect(placesTaken(9)).toBe(1)
  store.settle(reservationId!, 0)
  await vi.waitFor(() => expect([placesTaken(9), countClients()]).toEqual([0, connected - 1]))
})

test('a server that is not Redis is away, and its answers admit nothing', async () => {
  const server = createServer((socket) => socket.on('data', () => socket.write('+OK\r\n'.repeat(20))))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const lines: string[] = []
  const url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = new RedisLimitStore(url, (line) => lines.push(line), loadStoreModules())
  try {
    const limits = compileLimits({ requests: '1 per day' }, 'scenario')
    for (let count = 0; count < 3; count++) {
      await expect(store.reserve('none', request(limits, 0))).rejects.toThrow(`${url} does not answer`)
      await pause(300)
    }
    expect(lines).toHaveLength(1)
  } finally {
    await store.close()
    server.close()
  }
})

test('a server that closes settles its calls and disconnects', async () => {
  const scenario = scenarioFile({ shared: shared(), concurrent: 50 }, { pace: { firstToken: '1h' } })
  const mock = await startMock(['--scenario', scenario])
  const hanging = post(mock, 'chat/completions', HELLO).catch(() => undefined)
  await vi.waitFor(() => expect(placesTaken(50)).toBe(1), { timeout: 60_000 })
  await mock.running.stop('SIGTERM')
  await hanging
  expect(mock.running.process.exitCode).toBe(0)
  expect(placesTaken(50)).toBe(0)
})

/** A proxy before the store that can lose the answers of the store. */
async function startLossyProxy() {
  const proxy = { losesAnswers: false, url: '', close: () => {} }
  const server = createServer((socket) => {
    const upstream = connect(redis.port, '127.0.0.1')
    socket.pipe(upstream)
    upstream.on('data', (bytes) => proxy.losesAnswers || socket.write(bytes))
    for (const [one, other] of [[socket, upstream] as const, [upstream, socket] as const])
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  proxy.url = `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy.close = () => server.close()
  return proxy
}

test('reservations whose answers were lost are given back once, and those that were answered stay', async () => {
  const proxy = await startLossyProxy()
  const lines: string[] = []
  const [lossy, direct] = [new RedisLimitStore(proxy.url, (line) => lines.push(line), loadStoreModules()), storeOf()]
  const limits = compileLimits({ requests: '9 per day', tokens: '900 per day', concurrent: 6 }, 'scenario')
  const space = `lost-${files++}`
  const ask = (store: RedisLimitStore) => store.reserve(space, request(limits, 100))
  const used = async (): Promise<number[]> => {
    const { reservationId, levels } = await ask(direct)
    if (reservationId !== undefined) direct.settle(reservationId)
    return [...levels.rates.map((level) => Math.ceil(level / 86_400_000)), ...levels.concurrent]
  }
  try {
    await ask(lossy)
    expect(await used()).toEqual([1, 100, 1])
    proxy.losesAnswers = true
    for (const result of await Promise.allSettled([1, 2, 3].map(() => ask(lossy))))
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { message: expect.stringContaining('does not answer') },
      })
    expect(await used()).toEqual([4, 400, 4])
    // What gives them back is lost too, and is sent again.
    await pause(2_500)
    proxy.losesAnswers = false
    await vi.waitFor(() => expect(lines.at(-1)).toContain('is back.'), { timeout: 60_000 })
    await vi.waitFor(async () => expect(await used()).toEqual([1, 100, 1]))
    // Only what was lost is remembered.
    await ask(lossy)
    expect(await used()).toEqual([2, 200, 2])
    const [left] = cli('EVAL', `return redis.call('KEYS', '*${space}*unread:*')`, '0')
    expect(cli('HVALS', left!).filter((epoch) => epoch === '0').length).toBeLessThanOrEqual(2)
  } finally {
    proxy.close()
    lossy.close()
    await direct.close()
  }
})

const cli = (...args: readonly string[]): string[] =>
  execFileSync('redis-cli', ['-p', String(redis.port), ...args], { encoding: 'utf8' })
    .trim()
    .split('\n')

test('a reservation that runs after it was given back is refused', async () => {
  const [prefix, id] = ['late:', 'process-1']
  const scripts = await import('../../src/limit-store/scripts.ts')
  const deadline = String(Date.now() * 2)
  const rate = ['1', 'rate', '9', '86400000']
  const settle = () => cli('EVAL', scripts.SETTLE, '1', 'late:epoch', deadline, prefix, 'owner', id, '', ...rate, '-1')
  expect(settle()).toEqual(['0'])
  const args = [deadline, prefix, 'owner', id, '', '1000', ...rate, '1']
  expect(cli('EVAL', scripts.RESERVE, '1', 'late:epoch', ...args)[0]).toContain('LATE the call has ended')
  expect(settle()).toEqual(['0'])
  expect(cli('KEYS', 'late:0:*')).toEqual([''])
})

test('when the clock of the store was put back, rates drain and the places of killed processes are freed as before', async () => {
  const limits = compileLimits({ requests: '10 per second', concurrent: 1 }, 'scenario')
  const space = `clock-${files++}`
  const [killed, other] = [storeOf(5_000), storeOf(5_000)]
  const rates = compileLimits({ requests: '10 per second' }, 'scenario')
  for (let count = 0; count < 9; count++) await killed.reserve(space, request(rates, 0))
  expect((await killed.reserve(space, request(limits, 0))).reservationId).toBeDefined()
  // It renews nothing any more.
  await killed.close()
  // As if all of this were of an hour later.
  cli(
    'EVAL',
    `for _, key in ipairs(redis.call('KEYS', '*${space}*')) do
      redis.call('PERSIST', key)
      if redis.call('TYPE', key).ok == 'zset' then
        for _, place in ipairs(redis.call('ZRANGE', key, 0, -1)) do redis.call('ZINCRBY', key, 3600000, place) end
      elseif string.find(key, '|requests|', 1, true) then
        local parts, at = string.match(redis.call('GET', key), '(%d+) (%d+)')
        redis.call('SET', key, string.format('%.0f %.0f', parts, at + 3600000))
      end
    end
    return 1`,
    '0',
  )
  const first = await other.reserve(space, request(limits, 0))
  expect(first.reservationId).toBeUndefined()
  await vi.waitFor(async () => expect((await other.reserve(space, request(limits, 0))).reservationId).toBeDefined(), {
    timeout: 30_000,
    interval: 200,
  })
  await other.close()
})

test.each([
  [
    'cluster',
    ['--cluster-enabled', 'yes'],
    'it is a node of a Redis Cluster, which is not supported. Use a single server',
  ],
  ['sentinel', ['--sentinel'], 'it is a Sentinel, which is not supported. Use the address of the primary'],
  ['replica', ['--replicaof', '127.0.0.1', '1'], 'it is a replica, which cannot write. Use the address of the primary'],
])('a server that is a %s is refused with advice', async (mode, args, advice) => {
  const file = join(folder, `${mode}.conf`)
  writeFileSync(file, '')
  const port = await freePort()
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
  await using running = new Running('redis-server', [file, ...options, ...args])
  await vi.waitFor(() => expect(running.output).toMatch(/Ready to accept|Sentinel ID/), { timeout: 60_000 })
  const lines: string[] = []
  const store = new RedisLimitStore(`redis://127.0.0.1:${port}`, (line) => lines.push(line), loadStoreModules())
  const limits = compileLimits({ requests: '1 per day' }, 'scenario')
  await expect(store.reserve('mode', request(limits, 0))).rejects.toThrow(advice)
  await pause(500)
  expect(lines).toHaveLength(1)
  await store.close()
})

test('the address comes from a secret, and no answer, message or log has its password', async () => {
  const store = await startRedis()
  execFileSync('redis-cli', ['-p', String(store.port), 'ACL', 'SETUSER', 'mock', 'on', '>hunter-2', '~*', '+@all'])
  const url = `redis://mock:hunter-2@127.0.0.1:${store.port}`
  const scenario = scenarioFile({ requests: '3 per day' })
  // A file of a secret often ends with a line feed.
  const env = { API_MOCK_SHARED_LIMITS: `${url}\n` }
  const [one, other] = await Promise.all(
    [1, 2].map(() => startMock(['--scenario', scenario, '--log', 'json'], undefined, env)),
  )
  try {
    expect(await countStatuses([one!, other!], 5, embeddings)).toEqual({ 200: 3, 429: 2 })
    const inScenario = { description: 'x', limits: { shared: { url, unavailable: 'allow' }, requests: '1 per day' } }
    const edit = (text: string) => fetch(`${one!.origin}/_mock/scenario?edited=true`, { method: 'PUT', body: text })
    const put = await (await edit(JSON.stringify(inScenario))).text()
    const read = await (await fetch(`${one!.origin}/_mock/scenario`)).text()
    const { source, text } = JSON.parse(read)
    expect(source.limits.shared.url).toBe(`redis://mock:****@127.0.0.1:${store.port}`)
    // The text of the page keeps the password that it does not show.
    expect((await edit(`${text.slice(0, -1)}, "seed": 2}`)).status).toBe(200)
    expect(await countStatuses([one!], 2, embeddings)).toEqual({ 200: 1, 429: 1 })
    await store.running.stop('SIGKILL')
    const away = await (await embeddings(other!)).text()
    expect(away).toContain('redis://mock:****@127.0.0.1')
    await vi.waitFor(() => expect(one!.running.output).toContain('store-down'))
    const events = one!.running.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const message = expect.stringContaining(`redis://mock:****@127.0.0.1:${store.port} does not answer (`)
    expect(events.find(({ event }) => event === 'store-down')).toMatchObject({ time: expect.any(String), message })
    const stream = await fetch(`${other!.origin}/_mock/events`)
    const reader = stream.body!.getReader()
    let status = ''
    while (!status.includes('storeProblem')) status += Buffer.from((await reader.read()).value!).toString()
    expect(status).toMatch(/"storeProblem":"redis:\/\/mock:\*{4}@/)
    await reader.cancel()
    const metrics = await (await fetch(`${other!.origin}/_mock/metrics`)).text()
    expect(metrics).toContain('llm_api_mock_store_up 0\n')
    expect(metrics).toMatch(/^llm_api_mock_store_latency_seconds_count [1-9]\d*$/m)
    const output = one!.running.output + other!.running.output
    for (const shown of [put, read, away, status, output]) expect(shown).not.toContain('hunter-2')
  } finally {
    for (const mock of [one!, other!]) await mock.running.stop('SIGKILL')
    await store.running.stop('SIGKILL')
  }
})

test('a wrong address from a secret is refused and not repeated', async () => {
  const { code, stderr } = await runProgram(['--port', '0'], { API_MOCK_SHARED_LIMITS: 'mock:hunter-2@host' })
  expect(code).toBe(1)
  expect(stderr).toContain('API_MOCK_SHARED_LIMITS: expected the address of a Redis or Valkey server')
  expect(stderr).not.toContain('hunter-2')
})
