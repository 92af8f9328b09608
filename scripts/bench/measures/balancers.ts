/**
 * Calls through Debian's HAProxy and nginx with the files of docs/deploy, beside calls to a mock directly: calls per second,
 * the median time of a single call, and the processor time of the balancer and of the mocks. All share the machine, so the
 * processor times are worth more than the calls per second.
 */
import { rmSync } from 'node:fs'
import { BALANCERS, type BalancerName, freePort, writeBalancerFile } from '../../../test/fleet/balancers.ts'
import { PROGRAM, printedUrl } from '../contenders.ts'
import type { Generator } from '../generator.ts'
import { BALANCED } from '../goals.ts'
import { canObserve, ranSecondsOfAll, runs, startAnywhere, stop } from '../processes.ts'
import type { Result } from '../results.ts'
import { type Workload, workloads } from '../workloads.ts'
import type { Bench } from './bench.ts'
import { timeOfCall } from './single-calls.ts'

const REPLICAS = 4
/** Enough for the hash to give each replica some. */
const KEYS = 64
/** The four mocks share it until their code is compiled. */
const WARM_UP_SECONDS = 8
const LIMIT_MS = 20_000
const WORKLOAD: Workload = { ...workloads.chat, keys: KEYS }

interface SetUp {
  readonly name: string
  readonly label: string
  readonly url: string
  readonly mocks: readonly number[]
  readonly balancer?: number
}

interface Sample {
  readonly callsPerSecond: number
  readonly callMs: number
  /** Processor time of a call, in microseconds. */
  readonly mockUs: number
  readonly balancerUs: number
}

export async function balancers(bench: Bench, generator: Generator): Promise<readonly Result[]> {
  if (!canObserve) {
    bench.warn('Balancers are not measured: this system has no /proc.')
    return []
  }
  const clean: (() => unknown)[] = []
  try {
    const setUps = await startSetUps(bench, clean)
    const samples = setUps.map((): Sample[] => [])
    for (const { url } of setUps) await generator.send(url, WORKLOAD, WARM_UP_SECONDS)
    for (let round = 1; round <= bench.rounds; round++) {
      bench.progress(`balancers, round ${round} of ${bench.rounds}`)
      for (const [index, setUp] of setUps.entries())
        samples[index]!.push(await measure(setUp, generator, bench.seconds))
    }
    return setUps.flatMap((setUp, index) => resultsOf(setUp, samples[index]!))
  } finally {
    for (const run of clean.reverse()) await run()
  }
}

async function startSetUps({ warn }: Bench, clean: (() => unknown)[]): Promise<readonly SetUp[]> {
  const mocks: { readonly url: string; readonly pid: number }[] = []
  for (let count = 0; count < REPLICAS; count++) {
    const child = startAnywhere(process.execPath, [PROGRAM, '--port', '0', '--log', 'none'])
    clean.push(() => stop(child))
    mocks.push({ url: await printedUrl(child, 'mock'), pid: child.pid! })
  }
  const setUps: SetUp[] = [{ name: 'direct', label: 'one mock, directly', url: mocks[0]!.url, mocks: [mocks[0]!.pid] }]
  for (const name of Object.keys(BALANCERS) as BalancerName[]) {
    if (!runs(name, '-v')) {
      warn(`${name} is left out: it is not installed.`)
      continue
    }
    for (const count of [1, REPLICAS]) {
      const behind = mocks.slice(0, count)
      const { origin, pid } = await startBalancer(
        name,
        behind.map(({ url }) => new URL(url).origin),
        clean,
      )
      const label = `${name}, ${count === 1 ? 'one mock' : `${count} mocks`}`
      setUps.push({
        name: `${name} ${count}`,
        label,
        url: `${origin}/v1`,
        mocks: behind.map((mock) => mock.pid),
        balancer: pid,
      })
    }
  }
  return setUps
}

/** Starts a balancer before these replicas, and waits until it answers. @param clean is given what ends it */
export async function startBalancer(name: BalancerName, origins: readonly string[], clean: (() => unknown)[]) {
  const port = await freePort()
  const { folder, args } = writeBalancerFile(name, origins, port)
  const child = startAnywhere(name, args)
  // nginx passes this signal on to its workers.
  clean.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => stop(child, 'SIGTERM'),
  )
  const origin = `http://127.0.0.1:${port}`
  const lastLook = performance.now() + LIMIT_MS
  while ((await fetch(`${origin}/health`).catch(() => undefined))?.ok !== true) {
    if (performance.now() > lastLook) throw new Error(`${name} does not answer at ${origin}.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return { origin, pid: child.pid! }
}

async function measure({ url, mocks, balancer }: SetUp, generator: Generator, seconds: number): Promise<Sample> {
  const ofMocks = (): number => mocks.reduce((sum, pid) => sum + ranSecondsOfAll(pid), 0)
  const ofBalancer = (): number => (balancer === undefined ? 0 : ranSecondsOfAll(balancer))
  const before = { mocks: ofMocks(), balancer: ofBalancer() }
  const load = await generator.send(url, WORKLOAD, seconds)
  const perCall = (secondsRan: number): number => (secondsRan / load.calls) * 1e6
  return {
    callsPerSecond: load.calls / load.seconds,
    mockUs: perCall(ofMocks() - before.mocks),
    balancerUs: perCall(ofBalancer() - before.balancer),
    callMs: await timeOfCall(url, WORKLOAD),
  }
}

function resultsOf({ name, label, balancer }: SetUp, samples: readonly Sample[]): readonly Result[] {
  const place = { contender: name, label }
  return [
    { measure: BALANCED, ...place, unit: 'calls/s', samples: samples.map((one) => one.callsPerSecond) },
    { measure: 'time of a single call', ...place, unit: 'ms', samples: samples.map((one) => one.callMs) },
    { measure: 'processor time of the mocks', ...place, unit: 'us/call', samples: samples.map((one) => one.mockUs) },
    ...(balancer === undefined
      ? []
      : [
          {
            measure: 'processor time of the balancer',
            ...place,
            unit: 'us/call' as const,
            samples: samples.map((one) => one.balancerUs),
          },
        ]),
  ]
}
