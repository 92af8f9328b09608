/** Every fault has a test of its own in this folder: `npm test` asks for the test of a new one. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'

const OWN_NAME = 'every-fault.test.ts'

const tests = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.test.ts') && file !== OWN_NAME)
  .map((file) => readFileSync(resolve(import.meta.dirname, file), 'utf8'))
  .join('\n')

test.each(faults.map(({ name }) => name))('a test in test/faults uses %s', (name) => {
  expect(new RegExp(`['"\`]${name}(?![\\w-])`).test(tests), `write a test for ${name}`).toBe(true)
})
