/** The addresses of the page. */
import { expect, test } from 'vitest'
import { pathTo, readRoute } from '../../src/console/app/router.ts'

test('an address is read as a view with its parts', () => {
  expect(readRoute('/_mock/calls/17/timeline')).toEqual({ view: 'calls', rest: ['17', 'timeline'] })
  expect(readRoute('/_mock/')).toEqual({ view: '', rest: [] })
  expect(readRoute('/elsewhere')).toEqual({ view: '', rest: [] })
  expect(readRoute(pathTo('faults', 'a/b %', 3))).toEqual({ view: 'faults', rest: ['a/b %', '3'] })
})

test('the address of a page in a file is after the #', () => {
  expect(readRoute('#/calls/17', '#/')).toEqual({ view: 'calls', rest: ['17'] })
  expect(readRoute('', '#/')).toEqual({ view: '', rest: [] })
})
