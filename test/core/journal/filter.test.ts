/** The filter of the journal: compared with a hand-written filter, and its errors. */
import fc from 'fast-check'
import { expect, expectTypeOf, test } from 'vitest'
import { compileFilter, FILTER_NAMES, readFilter } from '../../../src/core/journal/filter.ts'
import { type ConditionName, conditionNames } from '../../../src/core/scenario/conditions/condition-table.ts'
import type { CallFilter, JournalEntry } from '../../../src/index.ts'
import { ask, steppingMock } from '../../support/stepping.ts'

const KEYS = ['sk-one', 'sk-two']
const USERS = ['Hello!', 'What is the weather in Oslo?', 'Two\nlines']
const FAULTS = [undefined, 'server-error', 'rate-limit', '418']

/** A journal with some of everything. */
async function filled(): Promise<ReturnType<typeof steppingMock>> {
  const mock = steppingMock({
    replies: [{ when: { user: 'weather' }, say: 'Sunny.' }],
    keys: { 'sk-*': {}, 'sk-two': { limits: { requests: '9 per day' } } },
  })
  for (const key of KEYS) {
    for (const user of USERS) {
      for (const fault of FAULTS) {
        await ask(mock, { key, user, ...(fault && { headers: { 'x-mock-fault': fault } }) })
        mock.clock.advance(10)
      }
    }
    await ask(mock, { key, path: '/v1/embeddings', body: { model: 'hash-1', input: 'weather' } })
    await ask(mock, { key, path: '/v1/nowhere' })
  }
  return mock
}

const userOf = ({ body }: JournalEntry): string =>
  (body as { messages?: { content: string }[] } | undefined)?.messages?.[0]?.content ?? ''
const keyOf = ({ number, key }: JournalEntry): string => (key === '' ? '' : KEYS[number > 14 ? 1 : 0]!)

type Plain = { readonly [Name in keyof CallFilter]-?: (entry: JournalEntry, wanted: never) => boolean }

/** Each condition as one would write it by hand. */
const plain: Partial<Plain> = {
  endpoint: (entry, wanted: string) => entry.endpoint === wanted,
  key: (entry, wanted: string) => keyOf(entry) === wanted,
  status: (entry, wanted: number | string) =>
    String(entry.status).replace(/\d\d$/, 'xx') === wanted || entry.status === wanted,
  rule: (entry, wanted: string) => entry.rule === wanted,
  fault: (entry, wanted: string) => entry.reason.name.startsWith(`${wanted} (`),
  limit: (entry, wanted: string) => entry.reason.name === `${wanted}-limit`,
  by: (entry, wanted: string) => entry.reason.by === wanted,
  unmatched: (entry, wanted: boolean) =>
    (entry.status === 200 && entry.endpoint === 'chat' && entry.reason.by === 'echo') === wanted,
  attempt: (entry, wanted: number) => entry.attempt === wanted,
  path: (entry, wanted: string) => entry.path.startsWith(wanted.replace('*', '')),
  user: (entry, wanted: string | RegExp) =>
    typeof wanted === 'string'
      ? userOf(entry).toLowerCase().includes(wanted.toLowerCase())
      : wanted.test(userOf(entry)),
  text: (entry, wanted: string) =>
    JSON.stringify([entry.body, entry.timeline]).toLowerCase().includes(wanted.toLowerCase()),
  since: (entry, wanted: number) => entry.at >= wanted,
  until: (entry, wanted: number) => entry.at <= wanted,
}

const value: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  endpoint: fc.constantFrom('chat', 'embeddings'),
  key: fc.constantFrom(...KEYS),
  status: fc.constantFrom(200, 404, 418, 429, 500, '2xx', '4xx', '5xx'),
  rule: fc.constantFrom('replies[0]', 'replies[1]'),
  fault: fc.constantFrom('server-error', 'rate-limit', 'status'),
  limit: fc.constantFrom('requests', 'tokens'),
  by: fc.constantFrom('echo', 'reply', 'fault', 'limit', 'vectors', 'route'),
  unmatched: fc.boolean(),
  attempt: fc.constantFrom(1, 2, 3),
  path: fc.constantFrom('/v1/*', '/v1/chat*', '/v1/nowhere'),
  user: fc.constantFrom<string | RegExp>('HELLO', 'weather', /^what/i, /Oslo\?$/, /o/),
  text: fc.constantFrom('oslo', 'sunny', 'rate limit reached'),
  since: fc.nat(300),
  until: fc.nat(300),
}
const NAMES = Object.keys(plain) as (keyof CallFilter)[]

test('every condition of when is a field of a filter', () => {
  expect(FILTER_NAMES).toEqual(expect.arrayContaining([...conditionNames]))
  expectTypeOf<ConditionName>().toExtend<keyof CallFilter>()
})

test('a filter with an object shows the condition in words', async () => {
  const mock = await filled()
  const filter = compileFilter({ request: { model: 'echo-1' } }, { now: 0 })
  expect(filter.text).toBe('request as recorded')
  expect(filter.differences(mock.journal[0]!)).toEqual([
    { field: 'request', found: 'another request', needed: 'as recorded' },
  ])
})

test('a filter finds what a simple reference filter finds: every condition must match, and any item of a list', async () => {
  const mock = await filled()
  const all = mock.journal
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 404, 418, 429, 500]))
  const SINGLE = ['unmatched', 'since', 'until']
  const filters = fc
    .subarray(NAMES, { minLength: 1, maxLength: 3 })
    .chain((names) =>
      fc.record(
        Object.fromEntries(
          names.map((name) => [
            name,
            SINGLE.includes(name)
              ? value[name]!
              : fc.oneof(value[name]!, fc.array(value[name]!, { minLength: 1, maxLength: 3 })),
          ]),
        ),
      ),
    )
  fc.assert(
    fc.property(filters, (filter) => {
      const expected = all.filter((entry) =>
        Object.entries(filter).every(([name, wanted]) =>
          [wanted].flat().some((one) => plain[name as keyof CallFilter]!(entry, one as never)),
        ),
      )
      expect(mock.calls(filter as CallFilter).map(({ number }) => number)).toEqual(expected.map(({ number }) => number))
    }),
    { numRuns: 500 },
  )
})

test('a call matches exactly if it has no difference, and each difference names the expected value', async () => {
  const { journal } = await filled()
  const filters: CallFilter[] = [
    { status: 429, user: /weather/ },
    { rule: 'replies[0]' },
    { endpoint: 'chat', attempt: 2 },
  ]
  for (const filter of filters) {
    const { matches, differences } = compileFilter(filter, { now: 0 })
    for (const entry of journal) {
      expect(matches(entry)).toBe(differences(entry).length === 0)
      for (const { field } of differences(entry)) expect(Object.keys(filter)).toContain(field)
    }
  }
})

test('a filter over the control plane is the filter in code', () => {
  const query = new URLSearchParams(
    'status=429&status=5xx&rule=replies[0]&user=/weather/i&attempt=2&stream=true&unmatched=false&since=5s',
  )
  expect(readFilter(query)).toEqual({
    status: ['429', '5xx'],
    rule: 'replies[0]',
    user: '/weather/i',
    attempt: 2,
    stream: true,
    unmatched: false,
    since: '5s',
  } satisfies CallFilter)
})

test('keys with the same masked form are distinguished by the whole key', async () => {
  const mock = steppingMock()
  await ask(mock, { key: 'sk-a-one-1' })
  await ask(mock, { key: 'sk-b-two-1' })
  expect(mock.journal.map(({ key }) => key)).toEqual(['sk****-1', 'sk****-1'])
  expect(mock.calls({ key: 'sk-b-two-1' }).map(({ number }) => number)).toEqual([2])
  expect(mock.calls({ key: 'sk****-1' })).toHaveLength(2)
})

test("a time is the mock's: a duration ago, or a time of its clock", async () => {
  const mock = steppingMock()
  for (let call = 0; call < 5; call++) {
    await ask(mock)
    mock.clock.advance(1000)
  }
  expect(mock.calls({ since: '2s' }).map(({ at }) => at)).toEqual([3000, 4000])
  expect(mock.calls({ since: 1000, until: 2000 }).map(({ at }) => at)).toEqual([1000, 2000])
})

test.each<[object, string]>([
  [{ usr: 'x' }, "A filter has no field 'usr'. Did you mean 'user'? Its fields are: endpoint, method, path,"],
  [
    { status: 999 },
    "Filter 'status': expected a status such as 429, a class such as '4xx', or 0 for no answer, or a list of them, got 999.",
  ],
  [{ status: '4XX' }, "got '4XX'. Did you mean '4xx'?"],
  [
    { endpoint: [] },
    "Filter 'endpoint': expected chat, responses, input-tokens, embeddings, stored-completions, stored-responses, models, unknown, or a list of them, got none.",
  ],
  [{ by: 'falt' }, "Did you mean 'fault'?"],
  [
    { user: 5 },
    "Filter 'user': expected text that must occur (in any case), a pattern /like this/i, or a list of them, got 5.",
  ],
  [
    { by: 'rule' },
    "Filter 'by': expected fault, limit, queue, key, route, request, reply, tool, schema, echo, count, vectors, stored, models, preflight, or a list of them, got 'rule'.",
  ],
  [{ attempt: '2' }, "Filter 'attempt': expected a whole number from 1, or a list of them, got '2'."],
])('an invalid filter is refused: %j', (filter, message) => {
  expect(() => steppingMock().calls(filter)).toThrow(message)
})

test('a pattern with the flag g matches every time', async () => {
  const mock = steppingMock()
  for (let call = 0; call < 3; call++) await ask(mock)
  expect(mock.calls({ user: /Hello/g })).toHaveLength(3)
})
