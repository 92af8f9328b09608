/** The driver of a hunt: how many runs happen at once, and what is known when it is stopped. */
import { expect, test } from 'vitest'
import { type AppPlayer, type DriveOptions, drive } from '../../src/hunt/drive.ts'
import { type FaultSet, faultFinder } from '../../src/hunt/search/fault-set.ts'
import type { KnownCall } from '../../src/hunt/search/known-calls.ts'
import type { JournalEntry } from '../../src/index.ts'
import type { Played } from '../../src/play/played-run.ts'

/** An app that makes two calls and fails when the second one has a fault. */
function play(faults: FaultSet): Played {
  const entries = ['plan', 'answer'].map((request) => {
    const fault = faultFinder(faults)(request, 1)
    const reason =
      fault === undefined ? { by: 'reply', name: 'replies[0]' } : { by: 'fault', name: `${fault} (faults[0])` }
    const body = { messages: [{ role: 'user', content: request }] }
    return {
      request,
      attempt: 1,
      method: 'POST',
      endpoint: 'chat',
      status: 200,
      body,
      reason,
    } as unknown as JournalEntry
  })
  const isPassed = faultFinder(faults)('answer', 1) === undefined
  return { isPassed, entries, ...(!isPassed && { error: new Error('no answer') }) }
}

const hunt = ({ jobs, onProgress, ...player }: Partial<AppPlayer & DriveOptions> = {}) =>
  drive(
    { play: async (faults) => play(faults), known: new Map<string, KnownCall>(), ...player },
    {
      hunted: { name: 'the app', callsHint: '', option: String },
      faults: ['server-error', 'hang'],
      depth: 1,
      jobs,
      ...(onProgress !== undefined && { onProgress }),
    },
  )

test('as many runs happen at once as there are jobs', async () => {
  let running = 0
  let most = 0
  const slow = async (faults: FaultSet): Promise<Played> => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    return play(faults)
  }
  const { findings } = await hunt({ play: slow, jobs: 3 })
  expect(most).toBe(3)
  expect(findings).toEqual((await hunt()).findings)
})

test('the calls have the same numbers, whichever run ends first', async () => {
  const known = new Map<string, KnownCall>()
  let left = 10
  const turned = async (faults: FaultSet): Promise<Played> => {
    for (let wait = left--; wait > 0; wait--) await Promise.resolve()
    return play(faults)
  }
  await hunt({ play: turned, jobs: 8, known })
  expect([...known.keys()]).toEqual(['plan', 'answer'])
})

test('a hunt that is stopped returns what it has found, without the runs that were under way', async () => {
  const stopping = new AbortController()
  const result = await hunt({
    signal: stopping.signal,
    play: async (faults) => {
      const played = play(faults)
      if (faults[0]?.fault === 'hang') stopping.abort()
      return played
    },
  })
  const { findings, report, isCutShort } = result
  expect(findings.map(({ faults, failures, tries }) => [faults[0]!.fault, failures, tries])).toEqual([
    ['server-error', 2, 2],
  ])
  const hangs = report.table.rows.map(({ cells }) => cells[1]!.outcome)
  expect([report.runs, hangs]).toEqual([9, ['not tried', 'not tried']])
  expect(isCutShort).toBe(true)
  expect(findings[0]!.error).toEqual(new Error('no answer'))
})

test('a hunt that is stopped before its first run rejects with the reason', async () => {
  await expect(hunt({ signal: AbortSignal.abort('stopped') })).rejects.toBe('stopped')
})

test('an app that fails when it runs a second time is not hunted', async () => {
  let runs = 0
  const run = hunt({
    play: async (faults) => ({ ...play(faults), isPassed: ++runs === 1, error: new Error('no port') }),
  })
  await expect(run).rejects.toThrow(
    'the app fails without faults when it runs a second time. Make it pass first.\n  no port',
  )
})

test('progress is reported before each run, without faults too', async () => {
  const seen: string[] = []
  await hunt({
    onProgress: ({ tried, found, left }, now) => seen.push(`${tried} ${found} ${left} ${now[0]!.length}`),
  })
  expect(seen.slice(0, 4)).toEqual(['0 0 0 0', '0 0 0 0', '0 0 36 1', '1 0 34 1'])
})
