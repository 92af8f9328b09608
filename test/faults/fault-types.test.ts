/** The types of faults and their options: what must not compile, checked by `tsc`. */
import { expect, expectTypeOf, test } from 'vitest'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import type { FaultName, FaultOptionName, FaultOptionsOf } from '../../src/generated/fault-types.ts'

const take = <Name extends FaultName>(name: Name, options: { times?: number } & FaultOptionsOf<Name>): void => {
  expect(faults.map((fault) => fault.name)).toContain(name)
  expect(options).toBeTypeOf('object')
}

test('a fault takes its own options and no others', () => {
  take('rate-limit', { retryAfter: '2s', times: 2 })
  take('rate-limit', { retryAfter: 2 })
  take('server-error', { retryAfter: 0 })
  take('cut', { after: 3, end: 'fin' })
  take('hang', { times: 2 })
  // @ts-expect-error a duration has a unit
  take('rate-limit', { retryAfter: 'soon' })
  // @ts-expect-error the option is retryAfter
  take('rate-limit', { retryAftr: '2s' })
  // @ts-expect-error the option is times
  take('rate-limit', { tims: 2 })
  // @ts-expect-error hang has no options
  take('hang', { after: 2 })
  // @ts-expect-error end is one of four words
  take('cut', { end: 'fine' })
})

test('the names of faults and options are literal types', () => {
  expectTypeOf<'rate-limit'>().toExtend<FaultName>()
  expectTypeOf<'rate-limti'>().not.toExtend<FaultName>()
  expectTypeOf<'retryAfter' | 'shouldRetry'>().toExtend<FaultOptionName>()
  expectTypeOf<string>().not.toExtend<FaultOptionName>()
})
