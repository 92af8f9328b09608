/** The keyboard shortcuts of the page are documented. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { KEYS } from '../../src/console/app/keys.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the keys of the dialog are those of the docs, and each view has one', () => {
  const docs = read('docs/control-plane.md')
  const table = docs.slice(docs.indexOf('| key | action |'), docs.indexOf('## The token'))
  const documented = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, keys]) =>
    keys!.replaceAll('`', '').split(', '),
  )
  const keysOfViews = [...read('src/console/mock-page.tsx').matchAll(/key: '(\w)'/g)].map(([, key]) => key!)
  const listed = [...KEYS.flatMap(({ keys }) => keys.split(' ')), ...keysOfViews]
  expect(documented.sort()).toEqual(listed.sort())
  expect(keysOfViews.length).toBeGreaterThan(4)
})
