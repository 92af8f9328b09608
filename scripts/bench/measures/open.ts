/**
 * What an open stream costs, beside a bare paced server: the memory with none, with 1,000 and with 5,000 open; the
 * processor time of an event, with 500 streams of 20 tokens a second; and 10,000 streams of 5 tokens a second.
 */
import { EVENT_TIME, MANY_ERROR } from '../goals.ts'
import { canObserve, coreUse } from '../processes.ts'
import { percentile, type Result } from '../results.ts'
import type { Bench } from './bench.ts'
import { settledMb } from './memory.ts'
import { PACED, type Pace, type Paced, PacedStreams, withPaced } from './paced-streams.ts'

const COUNTS = [1000, 5000]
/** Tokens are a minute apart, so that the streams stay open and rest. */
const RESTING: Pace = { first: 0, next: 60_000, tokens: 200 }
const FAST: Pace = { first: 0, next: 50, tokens: 200 }
const FAST_STREAMS = 500
const MEASURED_MS = 6000
const MANY: Pace = { first: 1000, next: 200, tokens: 50 }
const MANY_STREAMS = 10_000
const MANY_SPREAD_MS = 10_000

export async function open({ progress, warn, rounds }: Bench): Promise<readonly Result[]> {
  if (!canObserve) {
    warn('Open streams are not measured: this system has no /proc.')
    return []
  }
  const results = new Map<string, Result & { readonly samples: number[] }>()
  const add = (measure: string, contender: Paced, unit: Result['unit'], sample: number): void => {
    const label = contender === 'mock' ? 'llm-api-mock' : 'bare node:http, paced'
    const result = results.get(`${measure} ${contender}`) ?? {
      measure,
      contender,
      label,
      unit,
      of: 'bare-paced',
      samples: [],
    }
    result.samples.push(sample)
    results.set(`${measure} ${contender}`, result)
  }
  for (let round = 1; round <= rounds; round++) {
    for (const name of PACED) {
      progress(`open streams, round ${round} of ${rounds}, ${name}`)
      const memory = await memoryOf(name)
      for (const [index, mb] of memory.entries()) {
        add(`memory with ${[0, ...COUNTS][index]!.toLocaleString('en')} open streams`, name, 'MB', mb)
      }
      add(EVENT_TIME, name, 'us/event', await eventUs(name))
      const many = await manyStreams(name)
      add(MANY_ERROR, name, 'ms', many.p99)
      add('core used by 10,000 streams', name, '%', many.corePercent)
    }
  }
  return [...results.values()].sort((a, b) => a.measure.localeCompare(b.measure))
}

/** In MB, with no stream and with each count. */
const memoryOf = (name: Paced): Promise<readonly number[]> =>
  withPaced(name, RESTING, async (server) => {
    const all: PacedStreams[] = []
    const openMore = async (count: number): Promise<void> => {
      const streams = new PacedStreams(server, RESTING)
      all.push(streams)
      await streams.connect(count)
      await streams.begin()
    }
    try {
      // What the first call loads belongs to no stream.
      await openMore(1)
      const measured = [await settledMb(server.pid)]
      let opened = 0
      for (const count of COUNTS) {
        await openMore(count - opened)
        opened = count
        measured.push(await settledMb(server.pid))
      }
      return measured
    } finally {
      for (const streams of all) streams.close()
    }
  })

const eventUs = (name: Paced): Promise<number> =>
  withPaced(name, FAST, async (server) => {
    const streams = new PacedStreams(server, FAST)
    try {
      await streams.connect(FAST_STREAMS)
      await streams.begin()
      const before = { events: streams.events, ran: coreUse(server.pid).ranSeconds }
      await new Promise((resolve) => setTimeout(resolve, MEASURED_MS))
      return ((coreUse(server.pid).ranSeconds - before.ran) / (streams.events - before.events)) * 1e6
    } finally {
      streams.close()
    }
  })

interface ManyStreams {
  readonly p99: number
  /** Of the time from the first request to the last event. */
  readonly corePercent: number
}

const manyStreams = (name: Paced): Promise<ManyStreams> =>
  withPaced(name, MANY, async (server) => {
    const streams = new PacedStreams(server, MANY)
    const errors: number[] = []
    try {
      await streams.connect(MANY_STREAMS)
      const start = performance.now()
      const before = coreUse(server.pid).ranSeconds
      await streams.run(MANY_SPREAD_MS, (at, due) => errors.push(Math.abs(at - due)))
      const seconds = (performance.now() - start) / 1000
      const corePercent = (100 * (coreUse(server.pid).ranSeconds - before)) / seconds
      return { p99: percentile(errors, 99), corePercent }
    } finally {
      streams.close()
    }
  })
