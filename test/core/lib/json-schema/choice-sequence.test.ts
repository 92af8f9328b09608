/** The choices of one attempt: seeded first, then every combination once. */
import { expect, test } from 'vitest'
import { ChoiceSequence } from '../../../../src/core/lib/json-schema/generate/choice-sequence.ts'

const LETTERS = ['a', 'b', 'c']
const never = () => false

test('attempts from 1 on try every combination once, the first branch point changing fastest', () => {
  const attempts = Array.from({ length: 7 }, (_, index) => {
    const choices = new ChoiceSequence(index, 1)
    return `${choices.takeInOrder(LETTERS)}${choices.takeInOrder([1, 2])}`
  })
  expect(attempts).toEqual(['a1', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
})

test('the number of combinations is the product of the options met', () => {
  const choices = new ChoiceSequence(0, 1)
  expect(choices.combinations).toBe(1)
  choices.takeInOrder(LETTERS)
  choices.takeSeeded([1, 2], never)
  expect(choices.combinations).toBe(6)
})

test('each branch point begins at its own seeded option', () => {
  const letters = [...'abcdefgh']
  const takeMany = (salt: number) => {
    const choices = new ChoiceSequence(0, salt)
    return Array.from({ length: 12 }, () => choices.takeSeeded(letters, never)).join('')
  }
  expect(takeMany(1)).toBe(takeMany(1))
  expect(takeMany(2)).not.toBe(takeMany(1))
  expect(new Set(takeMany(1)).size).toBeGreaterThan(3)
})

test('the options rotate without being lost', () => {
  for (let salt = 0; salt < 20; salt++) {
    expect(`abc${new ChoiceSequence(0, salt).rotate(LETTERS).join('')}`).toMatch(/^abc(?:abc|bca|cab)$/)
  }
})

test('null comes first in about one of eight first attempts, and last in all other attempts', () => {
  const takeOne = (attempt: number, salt: number) =>
    new ChoiceSequence(attempt, salt).takeSeeded(['a', null], (option) => option === null)
  const first = Array.from({ length: 400 }, (_, salt) => takeOne(0, salt)).filter((option) => option === null)
  expect(first.length).toBeGreaterThan(25)
  expect(first.length).toBeLessThan(80)
  for (let salt = 0; salt < 50; salt++) {
    expect(takeOne(1, salt)).toBe('a')
    expect(takeOne(2, salt)).toBeNull()
  }
})
