/** The prompt cache over every transport: the same conversation has the same usage, journal and report. */
import { expect, test } from 'vitest'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { engineOf } from '../../src/engine/mock.ts'
import { buildMockReport } from '../../src/engine/mock-report.ts'
import { stillMock, transports } from '../support/transports.ts'

const SYSTEM = { role: 'system', content: 'Answer in one short sentence. '.repeat(200) }
const FIRST = [SYSTEM, { role: 'user', content: 'What is the weather in Rome?' }]
const SECOND = [...FIRST, { role: 'assistant', content: 'Sunny.' }, { role: 'user', content: 'And in Oslo?' }]
// More than the engine decides at once.
const LARGE = [{ role: 'user', content: 'word '.repeat(18_000) }]

const turns: readonly (readonly [messages: object[], more?: object])[] = [
  [FIRST],
  [SECOND],
  [SECOND, { stream: true, stream_options: { include_usage: true } }],
  [SECOND, { prompt_cache_key: 'agent-7' }],
  [LARGE],
  [LARGE],
]

async function usagesOver(transport: (typeof transports)[number], scenario: ScenarioSource) {
  const mock = stillMock(scenario, 7)
  await using opened = await transport.open(mock)
  const usages: unknown[] = []
  for (const [messages, more] of turns) {
    const response = await fetch(`${opened.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages, ...more }),
    })
    const text = await response.text()
    const json = more !== undefined && 'stream' in more ? text.split('\n\n').at(-3)!.slice('data: '.length) : text
    usages.push(JSON.parse(json).usage?.prompt_tokens_details)
  }
  return { usages, cached: mock.journal.map(({ cache }) => cache), report: buildMockReport(engineOf(mock).view).cache }
}

test.each(transports)('over $name, each turn reads and writes the same tokens', async (transport) => {
  const { usages, cached, report } = await usagesOver(transport, { description: 'a cache', cache: 'prefixes' })
  const details = (cached_tokens: number) => ({ cached_tokens, audio_tokens: 0 })
  expect(usages).toEqual([0, 1152, 1152, 0, 0, 17920].map(details))
  expect(cached.map((use) => use?.cacheWriteTokens)).toEqual([1152, 0, 0, 1152, 17920, 0])
  expect(cached[1]).toEqual({ cachedTokens: 1152, cacheWriteTokens: 0 })
  expect(report).toEqual({ calls: 6, hits: 3, cachedTokens: 20224, cacheWriteTokens: 20224 })
})

test.each(transports)('over $name, an answer without a cache does not mention one', async (transport) => {
  const { usages, cached, report } = await usagesOver(transport, { description: 'no cache' })
  expect(usages).toEqual(turns.map(() => ({ cached_tokens: 0, audio_tokens: 0 })))
  expect([...cached, report]).toEqual([...turns, undefined].map(() => undefined))
})
