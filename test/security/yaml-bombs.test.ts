/**
 * Attack: a small scenario that is large once it is read: aliases of aliases, circles, depths, tags, many documents.
 * Defence: the text is bounded before anything is built from it, in its pieces, its depth and what aliases stand for; the
 * active scenario stays. (test/scenario-files.test.ts has the sentence that each gets.)
 */
import { expect, test } from 'vitest'
import { errorIn, fetchFrom, type HttpAnswer, type Served, serve } from '../support/http.ts'

const put = (server: Served, body: unknown): Promise<HttpAnswer> =>
  fetchFrom(server, { path: '/_mock/scenario', method: 'PUT', body })

/** Refused in the envelope, and the scenario from before goes on. */
async function isRefused(text: string): Promise<void> {
  const server = await serve('outage')
  const answer = await put(server, text)
  expect([400, 413]).toContain(answer.status)
  expect(errorIn(answer).message.length).toBeLessThan(20_000)
  expect((await fetchFrom(server)).status).toBe(500)
}

const LAUGHS = Array.from({ length: 9 }, (_, level) => {
  const items = level === 0 ? 'lol' : `*l${level - 1}`
  return `l${level}: &l${level} [${Array(10).fill(items).join(', ')}]`
})

test.each([
  ['a billion laughs', `description: x\n${LAUGHS.join('\n')}\n`],
  ['an alias of itself', 'description: x\nreplies: &a [*a]\n'],
  ['many aliases', `description: x\nkeys: { a: &a {}, b: [${'*a, '.repeat(5000)}] }`],
  ['merged keys', `description: x\nkeys: { a: &a {}, b: { <<: [${'*a, '.repeat(50)}] } }`],
  ['lists in lists', `description: x\nreplies: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['objects in JSON', `{"description":"x","replies":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`],
  [
    'indented lists',
    `description: x\nreplies:\n${Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth + 1)}-`).join('\n')}`,
  ],
  ['many documents', '---\n'.repeat(200_000)],
  ['a tag that makes a program', 'description: !!js/function "function () { process.exit(1) }"'],
  ['a number of a million digits', `description: x\nseed: ${'9'.repeat(900_000)}.5`],
  ['more than a megabyte', `description: x\n# ${'x'.repeat(1_100_000)}\n`],
])('%s: refused, and the server keeps its scenario', async (_, text) => isRefused(text))
