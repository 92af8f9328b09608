/** The search for cuts against brute force, and its cuts against the bytes of real answers. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CUT_ENDS, CutSearch, type CutSearchOptions, cutsOf, endOf } from '../../../src/hunt/search/cut-search.ts'
import type { SearchResult } from '../../../src/hunt/search/experiments.ts'
import type { FaultSet } from '../../../src/hunt/search/fault-set.ts'
import { mockWith } from '../../support/core.ts'

/** @param fails whether the app fails at a place, counted in the order of the cuts */
function explore(
  sizes: readonly number[],
  fails: (place: number, end: string) => boolean,
  options: Partial<CutSearchOptions>,
) {
  const targets = [{ call: 'chat', attempt: 1, sizes }]
  const steps = new CutSearch({ targets, bytes: true, strategy: 'all', ...options }).run()
  const order = CUT_ENDS.flatMap((end) =>
    cutsOf(sizes, end, options.bytes ?? true).map((cut, place) => ({ cut, place })),
  )
  const hasFailed = ([{ fault }]: FaultSet | readonly [{ fault: string }]): boolean =>
    fails(order.find(({ cut }) => cut === fault)!.place, endOf(fault))
  let step = steps.next()
  while (step.done !== true) {
    expect(step.value.length).toBeLessThanOrEqual(options.jobs ?? 1)
    step = steps.next(
      step.value.map((faults) => ({
        isPassed: !hasFailed(faults as unknown as readonly [{ fault: string }]),
        calls: [{ id: 'chat', attempt: 1, fault: faults[0]!.fault }],
      })),
    )
  }
  return step.value
}

const firstFaults = ({ findings }: SearchResult) => findings.map(({ faults }) => faults[0]!.fault)
const sizes = fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 6 })

test('for each way to end, the first cut that brute force finds is found', () => {
  fc.assert(
    fc.property(
      sizes,
      fc.func(fc.boolean()),
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      (given, draw, bytes, jobs) => {
        const fails = (place: number, end: string): boolean => draw(place, end)
        const expected = CUT_ENDS.flatMap((end) => {
          const cuts = cutsOf(given, end, bytes)
          const first = cuts.findIndex((_, place) => fails(place, end))
          return first < 0 ? [] : [cuts[first]!]
        })
        expect(firstFaults(explore(given, fails, { bytes, jobs }))).toEqual(expected)
      },
    ),
    { numRuns: 100, seed: 15 },
  )
})

test('bisecting finds the first cut that fails, when all after it fail or all before it do', () => {
  fc.assert(
    fc.property(sizes, fc.nat(60), fc.boolean(), (given, border, isAfter) => {
      const fails = (place: number): boolean => (isAfter ? place >= border : place <= border)
      const all = explore(given, fails, {})
      const few = explore(given, fails, { strategy: 'bisect' })
      expect(firstFaults(few)).toEqual(firstFaults(all))
      expect(few.tried.length).toBeLessThanOrEqual(Math.min(all.tried.length, 4 * (9 + 6)))
    }),
    { numRuns: 100, seed: 15 },
  )
})

test('what bisecting finds fails, and the cut before it does not', () => {
  fc.assert(
    fc.property(sizes, fc.func(fc.boolean()), (given, draw) => {
      const fails = (place: number, end: string): boolean => draw(place, end)
      for (const fault of firstFaults(explore(given, fails, { strategy: 'bisect' }))) {
        const end = endOf(fault) as (typeof CUT_ENDS)[number]
        const place = cutsOf(given, end, true).indexOf(fault)
        expect(fails(place, end)).toBe(true)
        if (place > 0) expect(fails(place - 1, end)).toBe(false)
      }
    }),
    { numRuns: 100, seed: 15 },
  )
})

test('the cuts of an answer are all its starts', () => {
  const body = { model: 'echo-1', stream: true, messages: [{ role: 'user', content: 'thrée' }] }
  const sent = (headers: Record<string, string>): Buffer[] =>
    [...mockWith().plan({ body, headers }).events].flatMap((event) =>
      event.type === 'send' ? [Buffer.from(event.data as string)] : [],
    )
  const events = sent({})
  const whole = Buffer.concat(events)
  const sizesOf = events.map(({ length }) => length)
  for (const end of CUT_ENDS) {
    const cuts = cutsOf(sizesOf, end, true)
    expect(cuts).toHaveLength(end === 'clean' ? whole.length : whole.length + 1)
    for (const [size, fault] of cuts.entries()) {
      expect(Buffer.concat(sent({ 'x-mock-fault': fault })).equals(whole.subarray(0, size)), fault).toBe(true)
    }
  }
})

test('a finding says how many cuts fail, and from where to where', () => {
  const { findings } = explore([4, 4, 4, 4], (place, end) => end === 'clean' && place > 0 && place < 3, {
    bytes: false,
  })
  expect(findings).toEqual([
    {
      faults: [{ call: 'chat', attempt: 1, fault: 'cut; after=1; end=clean' }],
      failures: 2,
      tries: 2,
      detail: 'with end=clean, 2 of 4 cuts fail, from after=1 to after=2',
    },
  ])
})

test('a search that reaches its number of runs is cut short', () => {
  const { isCutShort, tried } = explore([4, 4], () => false, { maxRuns: 5 })
  expect([isCutShort, tried.length]).toEqual([true, 5])
})

test.each(['all', 'bisect'] as const)('wherever %s is stopped, a failure that was seen is reported', (strategy) => {
  const targets = [{ call: 'chat', attempt: 1, sizes: [4, 4, 4, 4] }]
  const fails = (fault: string): boolean => fault.includes('after=3') && !fault.includes('stall')
  for (let stopAt = 0, hasEnded = false; !hasEnded; stopAt++) {
    const steps = new CutSearch({ targets, bytes: true, strategy, jobs: 3 }).run()
    const failed = new Set<string>()
    let step = steps.next()
    for (let count = 0; step.done !== true; count++) {
      const runs = step.value.map(([cut]) => ({ isPassed: !fails(cut!.fault), calls: [] }))
      // Of the last runs, only the first has ended.
      const ended = count < stopAt ? runs : runs.slice(0, -1)
      for (const [index, { isPassed }] of ended.entries())
        if (!isPassed) failed.add(endOf(step.value[index]![0]!.fault))
      step = steps.next(ended)
    }
    hasEnded = !step.value.isCutShort
    expect(new Set(step.value.findings.map(({ faults }) => endOf(faults[0]!.fault)))).toEqual(failed)
  }
})
