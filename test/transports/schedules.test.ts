/** The same seed has the same schedule of faults in every transport, one call after the other or 24 at a time. */
import { describe, expect, test } from 'vitest'
import type { Clock } from '../../src/engine/clock/clock.ts'
import type { ScenarioInput } from '../../src/index.ts'
import { send } from '../support/send.ts'
import { stillMock, type Transport, transports, wakeAtOnce } from '../support/transports.ts'
import { contractCall } from './calls.ts'

const CLIENTS = 24
const SECONDS = [10, 25, 50]
const TRIES = [1, 2]

// Every kind of schedule. What is counted is counted for each key: each client has its own, and waits for its answers.
// States here go by time: which call is the n-th of all is no one's to say when 24 come at once.
const scenario: ScenarioInput = {
  description: 'All schedules together.',
  faults: [
    { fault: 503, bursts: { good: '20s', bad: '20s' }, chance: '50%' },
    { fault: 429, between: ['25s and 30s', '1m and 2m'], attempt: 1, when: { key: 'sk-1*' } },
    { fault: 500, when: { state: 'late', key: '*7' }, times: 1 },
    { fault: 418, every: 4, until: '1m' },
  ],
  states: { early: { lasts: '40s', next: 'late' }, late: {} },
}
const LETTERS: Readonly<Record<number, string>> = { 200: '.', 503: 'o', 429: 'r', 500: 's', 418: 't' }

// Pinned: what is drawn is the same on every version of Node.
const EXPECTED = [
  'oo...ooooo.oo.oo..oo....',
  'ooo.o..oo..ooo.oo.oo..oo',
  'or.oo...ooroororrror.ooo',
  'oo....oo.o.o.o..oooooo.o',
  '..tt.t.s..t......s..t...',
  '....t.t.......t......tt.',
]

/** Sends each client's first try and then its second, at each of the times; a line of letters for each try. */
async function schedule(transport: Transport, inParallel: boolean): Promise<string[]> {
  let now = 1_000_000
  const clock: Clock = { speed: 1, now: () => now, wake: wakeAtOnce }
  await using opened = await transport.open(stillMock(scenario, 'schedules', { clock }))
  const tryAll = async (second: number, client: number): Promise<string[]> => {
    const call = contractCall('a try', {
      key: `sk-${client}`,
      path: '/embeddings',
      body: { model: 'hash-1', input: `at ${second}`, dimensions: 8 },
    })
    const letters: string[] = []
    for (const _ of TRIES) letters.push(LETTERS[(await send(opened.baseUrl, call)).status] ?? '?')
    return letters
  }

  const lines: string[] = []
  for (const second of SECONDS) {
    now = 1_000_000 + second * 1000
    const clients = Array.from({ length: CLIENTS }, (_, client) => client)
    const found: string[][] = []
    if (inParallel) found.push(...(await Promise.all(clients.map((client) => tryAll(second, client)))))
    else for (const client of clients) found.push(await tryAll(second, client))
    for (const index of TRIES.keys()) lines.push(found.map((letters) => letters[index]).join(''))
  }
  return lines
}

describe.each(transports)('over $name', (transport) => {
  test.each([
    ['one after the other', false],
    ['24 at a time', true],
  ])('the same calls fail, %s', { timeout: 60_000 }, async (_, inParallel) => {
    expect(await schedule(transport, inParallel)).toEqual(EXPECTED)
  })
})
