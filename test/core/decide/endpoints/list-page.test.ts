/** A page of a list: which items it has, what it says of the rest, and which queries are refused. */
import { expect, test } from 'vitest'
import { checkList, type ListedItem, pageOf, readListQuery } from '../../../../src/core/decide/endpoints/list-page.ts'
import { apiError } from '../../../../src/core/protocol/errors/error-catalogue.ts'

const item = (id: string, isListed = true): ListedItem => ({ id, isListed, json: () => `{"id":"${id}"}` })
const ITEMS = [item('a'), item('b'), item('hidden', false), item('c'), item('d')]

const notFound = (id: string) => apiError('response-not-found', { id })

const page = (query: string, maxBytes = 1000, items = ITEMS) =>
  JSON.parse([...pageOf(items, readListQuery(query), maxBytes)].join(''))

const ids = (query: string, maxBytes?: number): string[] =>
  page(query, maxBytes).data.map(({ id }: { id: string }) => id)

test('a page has the ids of its first and last item, and says if there are more', () => {
  expect(page('limit=2')).toEqual({
    object: 'list',
    data: [{ id: 'a' }, { id: 'b' }],
    first_id: 'a',
    last_id: 'b',
    has_more: true,
  })
  expect(page('limit=2&after=b')).toMatchObject({ first_id: 'c', last_id: 'd', has_more: false })
})

test('an empty page has no ids', () => {
  expect(page('after=d')).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false })
})

test('a page may come after an item that is not listed', () => {
  expect(ids('')).toEqual(['a', 'b', 'c', 'd'])
  expect(ids('after=hidden')).toEqual(['c', 'd'])
})

test('desc is the other way round, from after on too', () => {
  expect(ids('order=desc')).toEqual(['d', 'c', 'b', 'a'])
  expect(ids('order=desc&after=c')).toEqual(['b', 'a'])
})

test('a page ends before the size of an answer, and has at least one item', () => {
  const bytes = 3 * '{"id":"a"}'.length
  expect(ids('', 2 * bytes)).toEqual(['a', 'b'])
  expect(ids('', 2 * bytes - 1)).toEqual(['a'])
  expect(page('', 1)).toMatchObject({ first_id: 'a', last_id: 'a', has_more: true })
})

test('a page has 20 items unless its query says otherwise', () => {
  const many = Array.from({ length: 150 }, (_, index) => item(`item ${index}`))
  expect(page('', 10_000, many).data).toHaveLength(20)
  expect(page('limit=100', 10_000, many).data).toHaveLength(100)
})

test('metadata is read by its keys, and other fields are ignored', () => {
  const query = readListQuery('metadata[user]=one&metadata[]=two&x-metadata[user]=no&metadata[user]x=no&model=echo-1')
  expect(query.metadata).toEqual([
    ['user', 'one'],
    ['', 'two'],
  ])
  expect(query.model).toBe('echo-1')
})

const metadata = (count: number): string =>
  Array.from({ length: count }, (_, index) => `metadata[key${index}]=1`).join('&')

test.each([
  ['limit=0', 'limit'],
  ['limit=-1', 'limit'],
  ['limit=101', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=10x', 'limit'],
  ['limit=', 'limit'],
  ['order=up', 'order'],
  ['order=', 'order'],
  [metadata(17), 'metadata'],
])('%s is refused', (query, param) => {
  expect(checkList(query, ITEMS, notFound)?.body.param).toBe(param)
})

test.each([undefined, '', 'limit=1', 'limit=100', 'order=asc', 'order=desc', metadata(16), 'after=hidden'])(
  '%s is not refused',
  (query) => {
    expect(checkList(query, ITEMS, notFound)).toBeUndefined()
  },
)

test('an item that does not exist is named', () => {
  expect(checkList('after=gone', ITEMS, notFound)?.body.message).toBe("Response with id 'gone' not found.")
})
