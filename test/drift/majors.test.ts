/** `npm run drift` names a package whose latest major is neither tested nor allowed. */
import { expect, test } from 'vitest'
import { majorLines } from '../../scripts/drift/majors.ts'

test('a new major is marked, a version in the range is not', () => {
  const lines = majorLines((name) => (name === 'vitest' ? '6.0.0' : name === 'msw' ? '3.1.0' : '0.0.0'))
  expect(lines).toContain('+ vitest 6.0.0: a new major, not in ^3.0.0 || ^4.0.0 || ^5.0.0')
  expect(lines).toContain('  msw 3.1.0: in ^2.15.0 || ^3.0.0')
})
