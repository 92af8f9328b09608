/**
 * Limits in Debian's redis-server beside limits of each process: calls per second, the median time of a single call, and the
 * processor time of the mocks and of the store. All share the machine, so the processor times are worth more than the others.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../test/fleet/balancers.ts'
import { PROGRAM, printedUrl } from '../contenders.ts'
import { canObserve, coreUse, runs, startAnywhere, stop } from '../processes.ts'
import type { Result } from '../results.ts'
import type { Workload } from '../workloads.ts'
import type { Bench } from './bench.ts'
import { callsPerSecond, timeOfCall } from './single-calls.ts'

const CONNECTIONS = 64
const KEYS = 64
const WARM_UP_MS = 3_000
const SINGLE_CALLS = 200
const STORE = 'redis-server'
/** Never reached, but counted. */
const LIMITS = { requests: '1000000 per minute', tokens: '1000000 per minute', concurrent: 10_000 }

interface SetUp {
  readonly label: string
  readonly urls: readonly string[]
  readonly keys: number
  /** The processes of the mocks. */
  readonly mocks: readonly number[]
  /** The process of the store; undefined for limits of each process. */
  readonly store: number | undefined
}

export async function sharedLimits(bench: Bench): Promise<readonly Result[]> {
  if (!canObserve || !runs(STORE, '--version')) {
    bench.warn(`Shared limits are not measured: this system has no /proc, or no ${STORE}.`)
    return []
  }
  const clean: (() => unknown)[] = []
  try {
    const setUps = await startSetUps(clean)
    for (const { urls, keys } of setUps) await callsPerSecond(urls, workloadOf(keys), CONNECTIONS, WARM_UP_MS)
    const results = setUps.map(({ label }) => resultsOf(label))
    for (let round = 1; round <= bench.rounds; round++) {
      bench.progress(`shared limits, round ${round} of ${bench.rounds}`)
      for (const [index, setUp] of setUps.entries()) {
        const values = await measure(setUp, bench.seconds * 1000)
        for (const [place, value] of values.entries()) results[index]![place]!.samples.push(value)
      }
    }
    // Without a store, it takes no time.
    return results.flat().filter(({ samples }) => !samples.every(Number.isNaN))
  } finally {
    for (const run of clean.reverse()) await run()
  }
}

async function startSetUps(clean: (() => unknown)[]): Promise<readonly SetUp[]> {
  const folder = mkdtempSync(join(tmpdir(), 'llm-api-mock-bench-'))
  clean.push(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const store = startAnywhere(STORE, ['--port', String(port), '--bind', '127.0.0.1', '--save', ''])
  clean.push(() => stop(store))
  await new Promise<void>((ready, failed) => {
    store.stdout!.on('data', (text) => String(text).includes('Ready to accept') && ready())
    store.once('error', failed).once('exit', () => failed(new Error(`${STORE} does not start.`)))
  })
  const setUps: SetUp[] = []
  for (const count of [1, 4]) {
    for (const isShared of [false, true]) {
      const scenario = join(folder, `${isShared ? 'shared' : 'own'}.json`)
      const limits = isShared ? { ...LIMITS, shared: `redis://127.0.0.1:${port}` } : LIMITS
      writeFileSync(scenario, JSON.stringify({ description: 'Limits.', limits }))
      const mocks = Array.from({ length: count }, () =>
        startAnywhere(process.execPath, [PROGRAM, '--port', '0', '--log', 'none', '--scenario', scenario]),
      )
      for (const mock of mocks) clean.push(() => stop(mock))
      const urls = await Promise.all(mocks.map((mock) => printedUrl(mock, 'mock')))
      const label = `${count === 1 ? 'one process' : `${count} processes`}, ${isShared ? 'shared limits' : 'limits per process'}`
      const all = { urls, mocks: mocks.map(({ pid }) => pid!), store: isShared ? store.pid : undefined }
      for (const keys of [KEYS, 1])
        setUps.push({ label: `${label}, ${keys === 1 ? 'one key' : `${keys} keys`}`, keys, ...all })
    }
  }
  return setUps
}

/** Calls per second, the milliseconds of a single call, and microseconds of the mocks and of the store per call. */
async function measure({ urls, keys, mocks, store }: SetUp, ms: number): Promise<readonly number[]> {
  const ofMocks = (): number => mocks.reduce((sum, pid) => sum + coreUse(pid).ranSeconds, 0)
  const ofStore = (): number => (store === undefined ? Number.NaN : coreUse(store).ranSeconds)
  const before = { mocks: ofMocks(), store: ofStore() }
  const { calls, perSecond } = await callsPerSecond(urls, workloadOf(keys), CONNECTIONS, ms)
  const perCall = (seconds: number): number => (seconds / calls) * 1e6
  const used = [perCall(ofMocks() - before.mocks), perCall(ofStore() - before.store)]
  return [perSecond, await timeOfCall(urls[0]!, workloadOf(keys), SINGLE_CALLS), ...used]
}

const workloadOf = (keys: number): Workload => ({
  path: '/embeddings',
  bodies: [JSON.stringify({ model: 'hash-1', input: [1], dimensions: 1 })],
  keys,
  problem: () => undefined,
})

const resultsOf = (label: string): (Result & { readonly samples: number[] })[] => [
  { measure: 'calls with limits', contender: label, label, unit: 'calls/s', samples: [] },
  { measure: 'time of a single call', contender: label, label, unit: 'ms', samples: [] },
  { measure: 'processor time of the mocks', contender: label, label, unit: 'us/call', samples: [] },
  { measure: 'processor time of the store', contender: label, label, unit: 'us/call', samples: [] },
]
