/** The index of known runs against a look at all of them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PlannedFault, withFault } from '../../../src/hunt/search/fault-set.ts'
import { type AppRun, KnownRuns } from '../../../src/hunt/search/known-runs.ts'
import { apps, FAULTS, repeats, runApp } from './apps.ts'

const fault: fc.Arbitrary<PlannedFault> = fc.record({
  call: fc.constantFrom('plan', 'search', 'answer', 'check'),
  attempt: fc.constantFrom(1, 2, 'every' as const),
  fault: fc.constantFrom(...FAULTS),
})
const sets = fc
  .array(fc.array(fault, { maxLength: 3 }), { minLength: 1, maxLength: 12 })
  .map((all) => all.map((set) => set.reduce<readonly PlannedFault[]>((one, more) => withFault(one, more) ?? one, [])))

test('it finds the first of the known runs that a set of faults would repeat, in whatever order their calls arrived', () => {
  let found = 0
  fc.assert(
    fc.property(apps, sets, sets, fc.boolean(), (app, known, asked, isReversed) => {
      const knownRuns = new KnownRuns()
      const runs = known.map((faults, index): AppRun => {
        const run = runApp(app, faults)
        return isReversed && index % 2 === 1 ? { ...run, calls: run.calls.toReversed() } : run
      })
      for (const run of runs) knownRuns.add(run)
      for (const faults of [...known, ...asked]) {
        const first = runs.find((run) => repeats(run, faults))
        if (first !== undefined) found++
        expect(knownRuns.find(faults)).toBe(first)
      }
    }),
    { numRuns: 200 },
  )
  expect(found).toBeGreaterThan(1000)
})
