/** The search against brute force, on generated apps. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FaultSearch } from '../../../src/hunt/search/fault-search.ts'
import { faultFinder, hasAll, type PlannedFault } from '../../../src/hunt/search/fault-set.ts'
import type { AppRun, SeenCall } from '../../../src/hunt/search/known-runs.ts'
import { apps, FAULTS, failuresOf, repeats, runApp } from './apps.ts'
import { hunt, huntApp, step } from './hunt-app.ts'

const RUNS = { numRuns: 100, seed: 15 }

test('everything that brute force finds is found, or leads to the same run as what is found', () => {
  fc.assert(
    fc.property(apps, fc.integer({ min: 1, max: 4 }), (app, jobs) => {
      const { findings } = huntApp(app, { depth: 2, jobs, isExhaustive: true })
      const found = findings.map(({ faults }) => runApp(app, faults))
      for (const faults of failuresOf(app, 2)) {
        const isSame = found.some((run) => repeats(run, faults))
        expect(isSame, JSON.stringify(faults)).toBe(true)
      }
    }),
    RUNS,
  )
})

test('what is found fails, and no part of it does', () => {
  fc.assert(
    fc.property(apps, fc.boolean(), (app, isExhaustive) => {
      for (const { faults, failures, tries } of huntApp(app, { depth: 3, isExhaustive }).findings) {
        expect([failures, tries]).toEqual([2, 2])
        expect(runApp(app, faults).isPassed).toBe(false)
        for (const left of faults)
          expect(
            runApp(
              app,
              faults.filter((one) => one !== left),
            ).isPassed,
          ).toBe(true)
      }
    }),
    { ...RUNS, numRuns: 40 },
  )
})

test('no two runs are the same', () => {
  fc.assert(
    fc.property(apps, (app) => {
      const { tried } = huntApp(app, { depth: 2, isExhaustive: true })
      expect(new Set(tried.map(({ run }) => JSON.stringify(run))).size).toBe(tried.length)
    }),
    RUNS,
  )
})

test('the same app gives the same result, however many runs happen at once', () => {
  fc.assert(
    fc.property(apps, fc.integer({ min: 1, max: 8 }), (app, jobs) => {
      const { runs: _, ...result } = huntApp(app, { depth: 2, jobs })
      expect(result).toEqual({ ...huntApp(app, { depth: 2 }), runs: undefined })
    }),
    RUNS,
  )
})

const RETRIES = step('plan', { retries: 2 })

test('a call that is tried three times fails with one fault on every attempt', () => {
  const { findings } = huntApp([RETRIES], { depth: 1 })
  expect(findings.map(({ faults }) => faults)).toEqual([
    [{ call: 'plan', attempt: 1, fault: 'invalid-request' }],
    [{ call: 'plan', attempt: 'every', fault: 'server-error' }],
  ])
})

test('a fallback that fails too is found with two faults', () => {
  const app = [step('plan', { fallback: [step('check')] })]
  const { findings } = huntApp(app, { depth: 2 })
  expect(findings.map(({ faults }) => faults.map(({ call }) => call))).toContainEqual(['check', 'plan'])
})

test('a fault that a retry recovered from is paired only with faults of the same call', () => {
  const app = [RETRIES, step('answer', { retries: 2, isOptional: true })]
  const options = { depth: 2 }
  const few = huntApp(app, options)
  const all = huntApp(app, { ...options, isExhaustive: true })
  expect(few.pruned.recoveredByRetry).toBeGreaterThan(0)
  expect(all.pruned.recoveredByRetry).toBe(0)
  expect(few.runs).toBeLessThan(all.runs)
  expect(few.findings).toEqual(all.findings)
})

test('a failure that does not repeat is flaky', () => {
  let tries = 0
  const run = (faults: readonly PlannedFault[]): AppRun => {
    const isUnlucky = faults[0]?.fault === 'other-text' && ++tries === 1
    return { ...runApp([step('plan', { isOptional: true })], faults), isPassed: !isUnlucky }
  }
  expect(hunt(run, { depth: 1 }).findings).toEqual([
    { faults: [{ call: 'plan', attempt: 1, fault: 'other-text' }], failures: 1, tries: 5 },
  ])
})

test('a fault that cannot apply to a call is tried once', () => {
  const run = (faults: readonly PlannedFault[]): AppRun => {
    const possible = faults.filter(({ fault }) => fault !== 'other-text')
    const { isPassed, calls } = runApp(
      [step('plan', { isOptional: true }), step('answer', { isOptional: true })],
      possible,
    )
    const isRefused = ({ id, attempt }: SeenCall): boolean => faultFinder(faults)(id, attempt) === 'other-text'
    return { isPassed, calls: calls.map((call) => (isRefused(call) ? { ...call, refused: 'other-text' } : call)) }
  }
  const { tried } = hunt(run, { depth: 2 })
  const refused = tried.filter(({ faults }) => faults.some(({ fault }) => fault === 'other-text'))
  expect(refused.map(({ faults }) => faults)).toEqual([
    [{ call: 'plan', attempt: 1, fault: 'other-text' }],
    [{ call: 'answer', attempt: 1, fault: 'other-text' }],
  ])
})

test('a search that is stopped returns what it has found, confirmed or not', () => {
  const app = [step('plan')]
  const steps = new FaultSearch({ baseline: runApp(app, []), faults: FAULTS, depth: 2 }).run()
  const [first] = steps.next().value as readonly (readonly PlannedFault[])[]
  steps.next([runApp(app, first!)])
  const { done, value } = steps.next([])
  expect(done).toBe(true)
  expect(value).toMatchObject({ findings: [{ faults: first, failures: 1, tries: 1 }], isCutShort: true })
})

test.each([
  { jobs: 1, left: [6, 5, 4] },
  { jobs: 2, left: [6, 2] },
  { jobs: 4, left: [6] },
])(
  'of the six sets of one call, those that are tried now and later are left: $left with $jobs at once',
  ({ jobs, left }) => {
    const app = [step('plan', { isOptional: true })]
    const playUntil = (stopAt: number) => {
      const search = new FaultSearch({ baseline: runApp(app, []), faults: FAULTS, depth: 1, jobs })
      const seen: number[] = []
      const steps = search.run()
      let next = steps.next()
      while (next.done !== true) {
        seen.push(search.progress.left)
        next = steps.next(seen.length > stopAt ? [] : next.value.map((faults) => runApp(app, faults)))
      }
      return { seen, left: next.value.left }
    }
    expect(playUntil(left.length)).toEqual({ seen: left, left: 0 })
    for (const [stopAt, remaining] of left.entries()) expect(playUntil(stopAt).left).toBe(remaining)
  },
)

test('while a finding is confirmed, its set is not one of those that are left', () => {
  const app = [step('plan')]
  const search = new FaultSearch({ baseline: runApp(app, []), faults: ['server-error', 'other-text'], depth: 1 })
  const seen: number[] = []
  const steps = search.run()
  for (let next = steps.next(); next.done !== true; next = steps.next(next.value.map((set) => runApp(app, set))))
    seen.push(search.progress.left)
  expect(seen).toEqual([4, 3, 3])
})

test('variants of a class are tried alone, and a finding says which of them fail too', () => {
  const run = (faults: readonly PlannedFault[]): AppRun => {
    const call = { id: 'plan', attempt: 1 }
    const [{ fault = undefined } = {}] = faults
    if (fault === undefined) return { isPassed: true, calls: [call] }
    if (fault === '404') return { isPassed: true, calls: [{ ...call, refused: fault }] }
    return { isPassed: fault !== 'invalid-request' && fault !== '401', calls: [{ ...call, fault }] }
  }
  const variants = ['401', '403', '404', '422']
  const variantsFor = ({ fault }: PlannedFault) => (fault === 'invalid-request' ? variants : [])
  const result = hunt(run, { depth: 1, variantsFor, jobs: 2 })
  expect(result.findings.map(({ faults, refinements }) => [faults[0]!.fault, refinements])).toEqual([
    ['invalid-request', [{ fails: ['401'], passes: ['403', '422'] }]],
  ])
})

/** An app of one call that retries once, and only after the faults of a list. */
const retryAfter =
  (...retried: string[]) =>
  (faults: readonly PlannedFault[]): AppRun => {
    const calls = ['plan', 'answer'].flatMap((id): SeenCall[] => {
      const fault = faultFinder(faults)(id, 1)
      if (fault === undefined) return [{ id, attempt: 1 }]
      return [{ id, attempt: 1, fault }, ...(retried.includes(fault) ? [{ id, attempt: 2 }] : [])]
    })
    return { isPassed: true, calls }
  }

test('pairs have the fault that stands for a class, and the variants that made the app do something else', () => {
  const variantsFor = ({ fault }: PlannedFault) => (fault === 'server-error' ? ['502', '503'] : [])
  const { tried } = hunt(retryAfter('server-error', '502'), { depth: 2, variantsFor, isExhaustive: true })
  const inSets = (size: number) =>
    new Set(tried.flatMap(({ faults }) => (faults.length === size ? faults.map(({ fault }) => fault) : [])))
  expect(inSets(1)).toEqual(new Set([...FAULTS, '502', '503']))
  expect(inSets(2)).toEqual(new Set([...FAULTS, '503']))
})

/** An app that asks one model after the other, and has nothing left when all three are down. */
const threeModels = (faults: readonly PlannedFault[]): AppRun => {
  const calls: SeenCall[] = []
  for (const [index, id] of ['large', 'middle', 'small'].entries()) {
    const positions = [`* #${index + 1}`, `chat ${id} #1`]
    const fault = faultFinder(faults)(id, 1, positions)
    calls.push({ id, attempt: 1, positions, ...(fault !== undefined && { fault }) })
    if (fault === undefined) break
  }
  return { isPassed: calls.some(({ fault }) => fault === undefined), calls }
}

test('three models that are down together are found as one outage from the first call on', () => {
  const { findings } = hunt(threeModels, { depth: 1 })
  expect(findings.map(({ faults }) => faults)).toEqual(
    FAULTS.map((fault) => [{ call: 'large', attempt: 'from * #1', fault }]),
  )
  expect(hunt(threeModels, { depth: 2, skipOutages: true }).findings).toEqual([])
})

test('wherever a search is stopped, no failure that was seen is lost', () => {
  fc.assert(
    fc.property(apps, fc.integer({ min: 1, max: 4 }), fc.boolean(), fc.nat(), (app, jobs, isExhaustive, mask) => {
      let hasEnded = false
      for (let stopAt = 0; !hasEnded; stopAt++) {
        const options = { faults: FAULTS, depth: 2, jobs, isExhaustive }
        const steps = new FaultSearch({ baseline: runApp(app, []), ...options }).run()
        const failed: (readonly PlannedFault[])[] = []
        let step = steps.next()
        for (let count = 0; step.done !== true; count++) {
          const all = step.value.map((faults) => runApp(app, faults))
          const runs = all.map((run, index) =>
            count < stopAt || (index > 0 && (mask >> index) % 2 === 1) ? run : undefined,
          )
          failed.push(...step.value.filter((_, index) => runs[index]?.isPassed === false))
          step = steps.next(runs)
        }
        hasEnded = !step.value.isCutShort
        const found = step.value.findings.map(({ faults }) => faults)
        for (const faults of failed) {
          const isKept = found.some((one) => hasAll(faults, one) || repeats(runApp(app, one), faults))
          expect(isKept, `stopped at ${stopAt}: ${JSON.stringify(faults)}`).toBe(true)
        }
        for (const { failures, tries } of step.value.findings) expect(failures).toBe(tries)
      }
    }),
    { ...RUNS, numRuns: 30 },
  )
})
