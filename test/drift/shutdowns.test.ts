/** The report on announced shutdowns. */
import { expect, test } from 'vitest'
import { shutdownLines } from '../../scripts/drift/shutdowns.ts'

const SENTENCES = [
  'Deprecated values:',
  '- "gpt-5.1", "gpt-5.1-2025-11-13": Announced shutdown date: 2027-04-01.',
  '- "gpt-9": Announced shutdown date: 2030-01-01.',
]

test('a shutdown that the table does not have, or has on another day, is named', () => {
  const models = { 'gpt-5.1': {}, 'gpt-5.1-2025-11-13': { published: { retires: '2027-03-01' } } }
  expect(shutdownLines(SENTENCES, models)).toEqual([
    '+ gpt-5.1: 2027-04-01, in the table none',
    '+ gpt-5.1-2025-11-13: 2027-04-01, in the table 2027-03-01',
  ])
})

test('a table that agrees is silent', () => {
  const published = { retires: '2027-04-01' }
  expect(shutdownLines(SENTENCES, { 'gpt-5.1': { published }, 'gpt-5.1-2025-11-13': { published } })).toEqual([])
})
