/** Concurrent calls get the same bytes as sequential ones. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { realClock } from '../../src/engine/clock/clock.ts'
import { type Answer, type Sendable, send } from '../support/send.ts'
import { stillMock, transports } from '../support/transports.ts'
import { contractCall } from './calls.ts'

const COUNT = 64

// Everything that draws: ids, times, chances, obfuscation, vectors; nothing that is state by nature.
const scenario = {
  description: 'Chances, and a pace that lets streams overlap.',
  faults: [{ when: { user: 'perhaps' }, fault: 'server-error', chance: '50%' }],
  pace: { firstToken: '3ms', perToken: '1ms' },
} as const

function callOf(index: number): Sendable {
  const messages = [{ role: 'user', content: `${index % 3 === 0 ? 'perhaps' : 'surely'} number ${index}` }]
  const options = { stream: true, stream_options: { include_obfuscation: true } }
  const name = String(index)
  // Half of them share a key, so that calls of one session pass each other too.
  const key = index % 2 === 0 ? 'sk-shared' : `sk-own-${index}`
  switch (index % 4) {
    case 0:
      return contractCall(name, { key, path: '/embeddings', body: { model: 'hash-1', input: name, dimensions: 32 } })
    case 1:
      return contractCall(name, { key, body: { model: 'echo-1', messages } })
    default:
      return contractCall(name, { key, body: { model: 'echo-1', messages, ...options } })
  }
}

const calls = Array.from({ length: COUNT }, (_, index) => callOf(index))
const freshMock = () => stillMock(scenario, 'order', { clock: realClock() })

describe.each(transports)('over $name', (transport) => {
  test('64 concurrent calls get the same bytes as sequential calls, in any order', { timeout: 60_000 }, async () => {
    const oneByOne: Answer[] = []
    {
      await using opened = await transport.open(freshMock())
      for (const call of calls) oneByOne.push(await send(opened.baseUrl, call))
    }
    const statuses = new Set(oneByOne.map(({ status }) => status))
    expect(statuses).toEqual(new Set([200, 500]))

    const order = fc.shuffledSubarray([...calls.keys()], { minLength: COUNT })
    await fc.assert(
      fc.asyncProperty(order, async (indices) => {
        await using opened = await transport.open(freshMock())
        const answers = await Promise.all(indices.map((index) => send(opened.baseUrl, calls[index]!)))
        for (const [place, index] of indices.entries()) expect(answers[place]).toEqual(oneByOne[index])
      }),
      { numRuns: 3 },
    )
  })
})
