/**
 * Long streams through Debian's HAProxy and nginx to one mock: the processor time of an event, of the balancer and of the
 * mock, with 200 streams of 20 tokens a second; and the memory of the balancer for an open stream, from 1,000 that rest.
 */
import { BALANCERS, type BalancerName } from '../../../test/fleet/balancers.ts'
import { canObserve, ranSecondsOfAll, residentMbOfAll, runs } from '../processes.ts'
import type { Result } from '../results.ts'
import { startBalancer } from './balancers.ts'
import type { Bench } from './bench.ts'
import { type Pace, PacedStreams, withPaced } from './paced-streams.ts'

const FAST: Pace = { first: 0, next: 50, tokens: 400 }
const FAST_STREAMS = 200
const MEASURED_MS = 10_000
const RESTING: Pace = { first: 0, next: 60_000, tokens: 200 }
const RESTING_STREAMS = 1000
const BATCH = 100

export async function balancedStreams({ progress, warn, rounds }: Bench): Promise<readonly Result[]> {
  if (!canObserve) {
    warn('Streams through balancers are not measured: this system has no /proc.')
    return []
  }
  const results: Result[] = []
  for (const name of (Object.keys(BALANCERS) as BalancerName[]).filter((one) => runs(one, '-v'))) {
    const events: { balancerUs: number; mockUs: number }[] = []
    const megabytes: number[] = []
    for (let round = 1; round <= rounds; round++) {
      progress(`streams through ${name}, round ${round} of ${rounds}`)
      events.push(await eventThrough(name))
      megabytes.push(await memoryThrough(name))
    }
    const place = { contender: `${name} streams`, label: `${name}, one mock` }
    results.push(
      { measure: 'event of the balancer', ...place, unit: 'us/event', samples: events.map((one) => one.balancerUs) },
      { measure: 'event of the mock', ...place, unit: 'us/event', samples: events.map((one) => one.mockUs) },
      { measure: 'memory of the balancer for 1,000 streams', ...place, unit: 'MB', samples: megabytes },
    )
  }
  return results
}

interface Through {
  /** Makes streams through the balancer, which end with it. */
  readonly streams: () => PacedStreams
  readonly balancer: number
  readonly mock: number
}

/** Starts a balancer before a mock of this pace, and connects to it. */
const through = <Value>(name: BalancerName, pace: Pace, use: (through: Through) => Promise<Value>): Promise<Value> =>
  withPaced('mock', pace, async (mock) => {
    const clean: (() => unknown)[] = []
    try {
      const { origin, pid } = await startBalancer(name, [new URL(mock.url).origin], clean)
      const streams = (): PacedStreams => {
        const made = new PacedStreams({ ...mock, url: `${origin}/v1` }, pace)
        clean.push(() => made.close())
        return made
      }
      return await use({ streams, balancer: pid, mock: mock.pid })
    } finally {
      for (const run of clean.reverse()) await run()
    }
  })

const eventThrough = (name: BalancerName) =>
  through(name, FAST, async ({ streams: make, balancer, mock }) => {
    const streams = make()
    await streams.connect(FAST_STREAMS)
    await streams.begin()
    const before = { events: streams.events, balancer: ranSecondsOfAll(balancer), mock: ranSecondsOfAll(mock) }
    await new Promise((resolve) => setTimeout(resolve, MEASURED_MS))
    const events = streams.events - before.events
    return {
      balancerUs: ((ranSecondsOfAll(balancer) - before.balancer) / events) * 1e6,
      mockUs: ((ranSecondsOfAll(mock) - before.mock) / events) * 1e6,
    }
  })

const memoryThrough = (name: BalancerName): Promise<number> =>
  through(name, RESTING, async ({ streams, balancer }) => {
    const before = residentMbOfAll(balancer)
    // In batches: nginx gives up a connection to the mock after two seconds.
    for (let opened = 0; opened < RESTING_STREAMS; opened += BATCH) {
      const batch = streams()
      await batch.connect(BATCH)
      await batch.begin()
      if (batch.events < BATCH) throw new Error(`${name} has opened only some of ${BATCH} streams.`)
    }
    return residentMbOfAll(balancer) - before
  })
