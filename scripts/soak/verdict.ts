/** What a soak must show: memory that stays, books that add up, nothing left open. */
import type { Seen } from './driver.ts'
import type { Sample } from './server.ts'

export interface Check {
  readonly name: string
  readonly found: string
  readonly isRight: boolean
}

/** Fewer calls than these do not even fill the journal and warm up the engine: their memory says nothing. */
export const LEAST_FOR_MEMORY = 100_000
const MAX_GROWTH = 1.1
const MAX_RSS_MB = 150
/** As in the benchmark. */
export const MB = 1_048_576

/**
 * The last tenth of the run against the second to the fourth: the heap after a collection, by its median; what the
 * system has given by its peak, as the engine takes and returns a fifth of it all the time.
 *
 * The bound is for what the server keeps once the calls have ended: under load, V8 lets garbage grow with the heap.
 * @param after the sample once nothing is under way any more.
 */
export function checkMemory(samples: readonly Sample[], after: Sample): Check[] {
  const tenth = samples.length / 10
  const measures = [
    ['heapUsed', median],
    ['rss', (values: readonly number[]): number => Math.max(...values)],
  ] as const
  const growth = measures.map(([name, whole]) => {
    const values = samples.map((sample) => sample[name])
    const before = whole(values.slice(Math.floor(tenth), Math.ceil(4 * tenth)))
    const after = whole(values.slice(Math.floor(9 * tenth)))
    const found = `${(before / MB).toFixed(1)} -> ${(after / MB).toFixed(1)} MB`
    return { name: `${name} is flat`, found, isRight: after <= before * MAX_GROWTH }
  })
  const peakMb = Math.max(...samples.slice(Math.floor(9 * tenth)).map(({ rss }) => rss)) / MB
  const afterMb = after.rss / MB
  const bound = {
    name: `rss after the calls is at most ${MAX_RSS_MB} MB`,
    found: `${afterMb.toFixed(1)} MB; under load up to ${peakMb.toFixed(1)} MB`,
    isRight: afterMb <= MAX_RSS_MB,
  }
  return [...growth, bound]
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** All that was sent was counted, by status; of what was left at once or broke, the client can't know the status. */
export function checkCounts(seen: Seen, counts: ReadonlyMap<string, number>): Check[] {
  const counted = new Map<string, number>()
  let total = 0
  for (const [name, count] of counts) {
    const [endpoint, status] = name.split(' ')
    total += count
    counted.set(`${endpoint} ${status}`, (counted.get(`${endpoint} ${status}`) ?? 0) + count)
  }
  const isKnown = (name: string): boolean => !/ (?:0|200)$/.test(name)
  const names = [...new Set([...seen.statuses.keys(), ...counted.keys()])].filter(isKnown)
  const unseen = (name: string): number => (counted.get(name) ?? 0) - (seen.statuses.get(name) ?? 0)
  const allUnseen = names.reduce((sum, name) => sum + unseen(name), 0)
  const wrong = names.filter((name) => unseen(name) < 0 || (unseen(name) > 0 && allUnseen > seen.leftAtOnce))
  const lost = seen.sent - total
  return [
    {
      name: 'every call is counted',
      found: `${seen.sent} sent, ${total} counted, ${seen.leftAtOnce} left at once`,
      isRight: lost >= 0 && lost <= seen.leftAtOnce,
    },
    {
      name: 'every status is counted',
      found:
        wrong.map((name) => `${name}: ${seen.statuses.get(name)} seen, ${counted.get(name)} counted`).join('; ') ||
        `${names.length} statuses agree, but for ${allUnseen} of calls left at once`,
      isRight: wrong.length === 0,
    },
    {
      name: 'nothing failed that should not',
      found:
        [...seen.problems].map(([name, count]) => `${count} x ${name}`).join('; ') || `${seen.broken} broken as asked`,
      isRight: seen.problems.size === 0,
    },
  ]
}

export function checkJournal({
  numbers,
  open,
}: {
  readonly numbers: readonly number[]
  readonly open: number
}): Check[] {
  const gaps = numbers.filter((number, index) => index > 0 && number !== numbers[index - 1]! + 1)
  return [
    {
      name: 'journal numbers follow each other',
      found: `${numbers[0]} to ${numbers.at(-1)}, ${gaps.length} gaps`,
      isRight: gaps.length === 0,
    },
    { name: 'no call is under way', found: `${open} open`, isRight: open === 0 },
  ]
}

/** As many sockets and files as before the first call. */
export function checkHandles(before: Sample, after: Sample): Check {
  const isRight = after.sockets <= before.sockets && (after.files ?? 0) <= (before.files ?? 0)
  const found = `sockets ${before.sockets} -> ${after.sockets}, files ${before.files ?? '?'} -> ${after.files ?? '?'}`
  return { name: 'nothing is left open', found, isRight }
}
