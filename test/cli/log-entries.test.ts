/** The lines of the log that no run of the program shows as shortly. */
import { expect, test } from 'vitest'
import { warningLines } from '../../src/cli/output/log-entries.ts'

test('of many warnings, 20 are shown and the command that shows all', () => {
  const warnings = Array.from({ length: 23 }, (_, index) => ({ path: ['replies', index], message: 'never applies.' }))
  const lines = warningLines(warnings, 'chat.yaml')
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toBe('Warning: ... and 3 more. See all: npx api-mock check chat.yaml')
  expect(warningLines(warnings.slice(0, 20), 'chat.yaml')).toHaveLength(20)
})
