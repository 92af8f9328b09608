/** The hunt against every set of at most two faults on the first three calls of three apps, with those that never end. */
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { FAULT_CLASS_NAMES } from '../../src/hunt/search/fault-classes.ts'
import { type FaultSet, hasAll, type PlannedFault } from '../../src/hunt/search/fault-set.ts'
import type { SeenCall } from '../../src/hunt/search/known-runs.ts'
import { HuntError, hunt } from '../../src/hunt.ts'
import { pairsOf, tryAllSets } from '../clients/hunt/brute-force.ts'
import type { HuntedApp } from '../clients/hunt/hunted-app.ts'

const ask = async (client: OpenAI, content: string, model = 'gpt-4o') => {
  const { choices } = await client.chat.completions.create({ model, messages: [{ role: 'user', content }] })
  if (choices[0]!.finish_reason !== 'stop') throw new Error('half an answer')
  return choices[0]!.message.content
}

const clientOf = ({ baseURL, key }: { readonly baseURL: string; readonly key: string }, maxRetries = 0) =>
  new OpenAI({ baseURL, apiKey: key, maxRetries })

const APPS: readonly Pick<HuntedApp, 'name' | 'scenario' | 'use'>[] = [
  {
    name: 'three models, and nothing when all are down',
    scenario: {},
    async use(mock) {
      const client = clientOf(mock)
      const tell = (model: string) => ask(client, 'one two three', model).catch(() => undefined)
      const answers = [await tell('gpt-4o'), await tell('gpt-4.1'), await tell('gpt-4o-mini')]
      if (answers.every((answer) => answer === undefined)) throw new Error('nothing to show')
    },
  },
  {
    name: 'a conversation that is tried again and books twice',
    scenario: {},
    async use(mock) {
      const client = clientOf(mock)
      let bookings = 0
      const converse = async () => {
        await ask(client, 'plan')
        await ask(client, 'book')
        bookings++
        await ask(client, 'say goodbye')
      }
      await converse()
        .catch(converse)
        .catch(() => {})
      if (bookings > 1) throw new Error('booked twice')
    },
  },
  {
    name: 'steps of which two may be missing, but not the first two',
    scenario: {},
    async use(mock) {
      const client = clientOf(mock, 1)
      const missing: string[] = []
      for (const content of ['search', 'rank', 'answer']) await ask(client, content).catch(() => missing.push(content))
      if (missing.includes('search') && missing.includes('rank')) throw new Error('answered from nothing')
    },
  },
]

const ONCE_AND_OUTAGES = ['once', 'every', 'all', 'model'] as const

function listSets(calls: readonly SeenCall[]): readonly FaultSet[] {
  const faultsWith = (extents: readonly (typeof ONCE_AND_OUTAGES)[number][]): PlannedFault[] =>
    calls.slice(0, 3).flatMap(({ id: call, positions = [] }) =>
      extents.flatMap((extent) =>
        FAULT_CLASS_NAMES.map((fault): PlannedFault => {
          const attempts = {
            once: 1,
            every: 'every',
            all: `from ${positions[0]}`,
            model: `from ${positions[1]}`,
          } as const
          return { call, attempt: attempts[extent], fault }
        }),
      ),
    )
  // Of two outages, one would hide the other.
  const pairs = pairsOf(faultsWith(['once', 'all'])).filter((pair) => pair.some(({ attempt }) => attempt === 1))
  return [...faultsWith(ONCE_AND_OUTAGES).map((one) => [one]), ...pairs]
}

describe.each(APPS)('$name', ({ scenario, use }) => {
  const huntIt = async () => {
    const app = (mock: { baseURL: string; scenario: { exampleKey: string } }) =>
      use({ baseURL: mock.baseURL, key: mock.scenario.exampleKey }, 'buggy')
    const error = await hunt(scenario, app).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(HuntError)
    return error as HuntError
  }

  test('the hunt misses no set that fails, what it finds fails, and no part of that does', async () => {
    const { findings, message } = await huntIt()
    expect(message.match(/^FAILS/gm)).toHaveLength(1)
    const tried = await tryAllSets({ scenario, use }, 'buggy', listSets)
    expect(tried.some(({ hasFailed }) => hasFailed)).toBe(true)
    const parts = findings.flatMap(({ faults }) => faults.map((_, index) => faults.toSpliced(index, 1)))
    const sets = [...findings.map(({ faults }) => faults), ...parts.filter(({ length }) => length > 0)]
    const again = await tryAllSets({ scenario, use }, 'buggy', () => sets)
    const isFound = (faults: FaultSet): boolean => findings.some((one) => hasAll(faults, one.faults))
    const found = new Set([...tried, ...again].flatMap((one) => (isFound(one.faults) ? [one.transcript] : [])))
    const missed = tried.filter(({ hasFailed, transcript }) => hasFailed && !found.has(transcript))
    expect(missed.map(({ faults }) => faults)).toEqual([])

    const passing = again.slice(0, findings.length).filter(({ hasFailed }) => !hasFailed)
    expect(passing.map(({ faults }) => faults)).toEqual([])
    expect(again.slice(findings.length).filter(({ hasFailed }) => hasFailed)).toEqual([])
  })
})
