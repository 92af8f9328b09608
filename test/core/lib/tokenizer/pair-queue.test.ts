/** The queue of byte pairs returns the pair to merge next. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PairQueue } from '../../../../src/core/lib/tokenizer/pair-queue.ts'

const pair = fc.record({ rank: fc.nat(3), place: fc.nat(1000) })
const steps = fc.array(fc.option(pair, { freq: 3 }), { maxLength: 100, size: 'max' })

test('pairs come out by rank and place, in whatever order they are added', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const queue = new PairQueue(all.length)
      const taken = () => (queue.take() ? { rank: queue.rank, place: queue.place } : undefined)
      const waiting: { readonly rank: number; readonly place: number }[] = []
      const expectNext = (): void => {
        waiting.sort((one, other) => one.rank - other.rank || one.place - other.place)
        expect(taken()).toEqual(waiting.shift())
      }
      for (const step of all) {
        if (step === null) expectNext()
        else {
          queue.add(step.rank, step.place)
          waiting.push(step)
        }
      }
      while (waiting.length > 0) expectNext()
      expect(taken()).toBeUndefined()
    }),
    { seed: 12 },
  )
})
