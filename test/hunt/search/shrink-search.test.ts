/** Delta debugging of the faults that were applied in a run. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/core/journal/entry.ts'
import type { ScenarioSource } from '../../../src/core/scenario/scenario-source.ts'
import type { SearchResult } from '../../../src/hunt/search/experiments.ts'
import { faultFields } from '../../../src/hunt/search/fault-classes.ts'
import { appliedFaults, withoutFaults } from '../../../src/hunt/search/fault-rules.ts'
import type { FaultSet, PlannedFault } from '../../../src/hunt/search/fault-set.ts'
import type { AppRun } from '../../../src/hunt/search/known-runs.ts'
import { ShrinkSearch } from '../../../src/hunt/search/shrink-search.ts'
import { mockWith } from '../../support/core.ts'

const faultsUpTo = (count: number): FaultSet =>
  Array.from({ length: count }, (_, index): PlannedFault => ({ call: `c${index}`, attempt: 1, fault: 'hang' }))

type Fails = (faults: FaultSet) => boolean

function shrinkAll(applied: FaultSet, fails: Fails, jobs = 1, maxBatches = Number.POSITIVE_INFINITY): SearchResult {
  const steps = new ShrinkSearch({ applied, jobs }).run()
  let step = steps.next()
  for (let batch = 0; step.done !== true; batch++) {
    expect(step.value.length).toBeLessThanOrEqual(jobs)
    const runs = step.value.map((faults): AppRun => ({ isPassed: !fails(faults), calls: [] }))
    step = steps.next(batch < maxBatches ? runs : [])
  }
  return step.value
}

/** Whether the app fails under a set: whether it contains one of these, or as a hash of the set has it. */
const apps = fc.oneof(
  fc
    .array(fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
    .map((causes): Fails => {
      return (faults) => causes.some((cause) => cause.every((index) => faults.some(({ call }) => call === `c${index}`)))
    }),
  fc.func(fc.boolean()).map(
    (draw): Fails =>
      (faults) =>
        faults.length === 12 || draw(faults.map(({ call }) => call)),
  ),
)

test('what is left fails, and without any one of its faults it does not', () => {
  fc.assert(
    fc.property(apps, fc.integer({ min: 1, max: 4 }), (fails, jobs) => {
      const { findings, isCutShort } = shrinkAll(faultsUpTo(12), fails, jobs)
      const { faults, failures, tries } = findings[0]!
      expect([fails(faults), failures, tries, isCutShort]).toEqual([true, 2, 2, false])
      for (const left of faults)
        if (faults.length > 1) expect(fails(faults.filter((fault) => fault !== left))).toBe(false)
      expect(shrinkAll(faultsUpTo(12), fails, jobs).findings).toEqual(findings)
    }),
    { numRuns: 200, seed: 15 },
  )
})

test('one fault of a thousand is found in a few runs', () => {
  const { findings, tried } = shrinkAll(faultsUpTo(1000), (faults) => faults.some(({ call }) => call === 'c777'))
  expect(findings.map(({ faults }) => faults.map(({ call }) => call))).toEqual([['c777']])
  expect(tried.length).toBeLessThan(25)
})

test('no set is tried twice before it is confirmed', () => {
  const seen: string[] = []
  shrinkAll(faultsUpTo(12), (faults) => {
    seen.push(faults.map(({ call }) => call).join())
    return ['c2', 'c9', 'c11'].every((id) => faults.some(({ call }) => call === id))
  })
  expect(new Set(seen).size).toBe(seen.length - 1)
})

test('a run that does not fail again has no finding', () => {
  const { findings, tried, isCutShort } = shrinkAll(faultsUpTo(3), () => false)
  expect([findings, tried.length, isCutShort]).toEqual([[], 1, false])
  expect(shrinkAll([], () => true).findings).toEqual([])
})

test('a search that is stopped has what it has reached, not confirmed', () => {
  const { findings, isCutShort } = shrinkAll(faultsUpTo(8), () => true, 1, 2)
  expect([findings[0]!.faults.length, findings[0]!.tries, isCutShort]).toEqual([4, 1, true])
})

test('a random fault does not get the options of the class of the same name', () => {
  const source = { faults: [{ fault: 'server-error', chance: 0.5 }] } as ScenarioSource
  const reason = { by: 'fault', name: 'server-error (faults[0])' }
  const entry = { method: 'POST', endpoint: 'chat', request: 'a', attempt: 1, reason } as JournalEntry
  const [applied] = appliedFaults([entry], source, {})
  const call = { content: 'text', isStream: false } as const
  expect(faultFields(applied!.fault, call)).toEqual({ fault: 'server-error' })
  expect(faultFields('server-error', call)).toEqual({ fault: 'server-error', retryAfter: '0s' })
})

test('the faults of a run are applied again by a set, with their options', () => {
  const source = {
    faults: [
      { fault: 'cut', after: 2, end: 'clean', chance: 0.5 },
      { fault: 503, skip: 3, when: { endpoint: 'chat' } },
    ],
    states: { up: { lasts: '1 call', next: 'down' }, down: { faults: [{ fault: 'hang', times: 1 }] } },
  } as unknown as ScenarioSource
  const entryOf = (request: string, reason: string) =>
    ({ method: 'POST', endpoint: 'chat', request, attempt: 1, reason: { by: 'fault', name: reason } }) as JournalEntry
  const entries = [
    entryOf('a', 'cut (faults[0])'),
    entryOf('b', 'overloaded (faults[1])'),
    entryOf('c', 'hang (states.down.faults[0])'),
    entryOf('d', 'hang (injected)'),
  ]
  expect(appliedFaults(entries, source, {})).toEqual([
    { call: 'a', attempt: 1, fault: 'cut; after=2; end=clean' },
    { call: 'b', attempt: 1, fault: '503' },
    { call: 'c', attempt: 1, fault: 'hang;' },
  ])
  const calm = withoutFaults(source)
  expect(calm).toEqual({ states: { up: { lasts: '1 call', next: 'down' }, down: {} } })
  expect(mockWith(calm).plan().reason.by).toBe('echo')
})
