/** Options of faults as the form shows them. */
import { expect, test } from 'vitest'
import { formatDefault } from '../../src/console/faults/fault-text.ts'
import type { OptionSpec } from '../../src/core/protocol/faults/fault.ts'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import { readFault } from '../../src/core/protocol/faults/read-fault.ts'

test.each<[OptionSpec, string]>([
  [{ kind: 'duration', default: 1000, summary: '' }, '1s'],
  [{ kind: 'duration', default: 150, summary: '' }, '150ms'],
  [{ kind: 'count', default: 3, summary: '' }, '3'],
  [{ kind: 'choice', default: 'html', of: ['html', 'json'], summary: '' }, 'html'],
  [{ kind: 'count', summary: '' }, ''],
])('the default of %j is shown as %j', (option, text) => {
  expect(formatDefault(option)).toBe(text)
})

test('no option of a fault has the name of another field of the form', () => {
  const names = faults.flatMap(({ options }) => Object.keys(options))
  const fields = ['fault', 'like', 'times', 'skip', 'endpoint', 'key', 'session']
  expect(names.filter((name) => fields.includes(name))).toEqual([])
})

test('every default of the catalogue reads back as itself', () => {
  for (const { name, options } of faults) {
    for (const [option, spec] of Object.entries(options)) {
      const text = formatDefault(spec)
      if (text === '') continue
      expect(readFault(name, { [option]: text })).toMatchObject({ configured: { options: { [option]: spec.default } } })
    }
  }
})
