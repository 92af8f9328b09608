/** Packed plans: what comes out is what went in. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packPlan, unpackPlan } from '../../../src/core/journal/packed-plan.ts'
import type { PlanEvent } from '../../../src/core/protocol/plan/plan.ts'

const event: fc.Arbitrary<PlanEvent> = fc.oneof(
  fc.record({ type: fc.constant('wait' as const), ms: fc.double({ min: 0, max: 1e9, noNaN: true }) }),
  fc.record({ type: fc.constant('head' as const), status: fc.constant(200), headers: fc.constant({}) }),
  fc.record({ type: fc.constant('send' as const), data: fc.string({ unit: 'binary' }) }),
  fc.record({ type: fc.constantFrom('end' as const, 'reset' as const, 'stall' as const) }),
)

test('any plan is unpacked as it was packed, without its headers', () => {
  fc.assert(
    fc.property(fc.array(event), (events) => {
      expect(unpackPlan(packPlan(events), 200)).toEqual(events)
    }),
  )
})

test('only the text of a whole answer is kept', () => {
  const events: PlanEvent[] = [{ type: 'head', status: 404, headers: {} }, { type: 'send', data: 'x' }, { type: 'end' }]
  expect(packPlan(events)).toBe('x')
  expect(unpackPlan('x', 404)).toEqual(events)
})
