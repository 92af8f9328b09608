/** One soak: the built server under a mix of calls, aborts and faults, and what it must show afterwards. */
import { settledMb } from '../bench/measures/memory.ts'
import { canObserve } from '../bench/processes.ts'
import { drive } from './driver.ts'
import { type Sample, Server } from './server.ts'
import { checkStopping } from './stopping.ts'
import { type Check, checkCounts, checkHandles, checkJournal, checkMemory, LEAST_FOR_MEMORY, MB } from './verdict.ts'

const SAMPLES = 40
const FEW_SAMPLES = 2
const MAX_LOOKS = 250

export interface SoakOptions {
  readonly calls: number
  readonly connections: number
  readonly say?: (line: string) => void
}

export async function soak({ calls, connections, say = () => {} }: SoakOptions): Promise<Check[]> {
  const isLong = calls >= LEAST_FOR_MEMORY
  const server = await Server.start()
  // What is loaded at first use is loaded now, and does not count as left open.
  await drive({ url: server.url, calls: 200, connections, every: 200, pause: async () => {} })
  await server.counts()
  const before = await settledAt(server, { sockets: 1, files: null })
  const counted = await server.counts()

  const samples: Sample[] = []
  const began = performance.now()
  const seen = await drive({
    ...{ url: server.url, calls, connections, every: Math.ceil(calls / (isLong ? SAMPLES : FEW_SAMPLES)) },
    pause: async (done) => {
      const sample = await server.sample()
      samples.push(sample)
      const seconds = (performance.now() - began) / 1000
      const memory = `heap ${(sample.heapUsed / MB).toFixed(1)} MB, rss ${(sample.rss / MB).toFixed(1)} MB`
      say(`${done} calls in ${seconds.toFixed(0)} s (${Math.round(done / seconds)}/s), ${memory}`)
    },
  })
  if (isLong && canObserve) {
    // Each sample is taken right after a collection, whose pages are given back seconds later.
    await settledAt(server, before)
    await settledMb(server.pid)
  }
  const after = await settledAt(server, before)
  const counts = new Map([...(await server.counts())].map(([name, count]) => [name, count - (counted.get(name) ?? 0)]))
  return [
    ...(isLong ? checkMemory(samples, after) : []),
    ...checkCounts(seen, counts),
    ...checkJournal(await server.journal()),
    checkHandles(before, after),
    ...(await checkStopping(server)),
  ]
}

/** A sample once the server has no more open than this; the last one if it never comes to that. */
async function settledAt(server: Server, least: Pick<Sample, 'sockets' | 'files'>): Promise<Sample> {
  for (let look = 1; ; look++) {
    const sample = await server.sample()
    const isSettled = sample.sockets <= least.sockets && (least.files === null || (sample.files ?? 0) <= least.files)
    if (isSettled || look === MAX_LOOKS) return sample
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
