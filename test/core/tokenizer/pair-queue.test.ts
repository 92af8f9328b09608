import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PairQueue } from '../../../src/core/tokenizer/pair-queue.ts'

const pair = fc.record({ id: fc.nat(3), place: fc.nat(1000) })
const steps = fc.array(fc.option(pair, { freq: 3 }), { maxLength: 100, size: 'max' })

test('pairs come out by id and place, in whatever order they are added', () => {
  const queue = new PairQueue(1000)
  const taken = () => (queue.take() ? { id: queue.id, place: queue.place } : undefined)
  fc.assert(
    fc.property(steps, (all) => {
      const waiting: { readonly id: number; readonly place: number }[] = []
      const expectNext = (): void => {
        waiting.sort((one, other) => one.id - other.id || one.place - other.place)
        expect(taken()).toEqual(waiting.shift())
      }
      for (const step of all) {
        if (step === null) expectNext()
        else {
          queue.push(step.id, step.place)
          waiting.push(step)
        }
      }
      while (waiting.length > 0) expectNext()
      expect(taken()).toBeUndefined()
    }),
    { seed: 12 },
  )
})
