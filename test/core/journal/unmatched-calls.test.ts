/** What the journal says of calls that no rule matched is what the call was told, and shows no key. */
import { expect, test } from 'vitest'
import type { Exchange } from '../../../src/engine/exchange.ts'
import { engineOf } from '../../../src/engine/mock.ts'
import { createMock, type Mock, type ScenarioInput } from '../../../src/index.ts'
import { type CallOverrides, call } from '../../support/call.ts'

const KEY = 'sk-test-abcdefghijklmnop1234'
const MASKED = 'sk-test-****1234'
const LONG_MODEL = `m${'x'.repeat(300)}`
const say = 'Hi!'

function begin(mock: Mock, overrides: CallOverrides & { readonly deployment?: string } = {}): Exchange {
  const { deployment, ...rest } = overrides
  return engineOf(mock).begin({ ...call({ key: KEY, ...rest }), ...(deployment !== undefined && { deployment }) })
}

const asks = (content: string, more: object = {}): CallOverrides => ({
  body: { model: 'gpt-4', messages: [{ role: 'user', content }], ...more },
})

/** What the 404 of a refused call says of the nearest rule. */
function toldIn({ plan }: Exchange): string {
  const text = [...plan.events].map((event) => ('data' in event ? String(event.data) : '')).join('')
  const [, told = ''] = /is set\. (.*) Change the call/.exec(JSON.parse(text).error.message) ?? []
  return told.replaceAll(KEY, MASKED)
}

const CASES: readonly (readonly [
  string,
  NonNullable<ScenarioInput['replies']>,
  CallOverrides & { readonly deployment?: string },
])[] = [
  [
    'a pattern that matches its key',
    [
      { when: { user: '/sk-[\\w-]{20,}/', model: 'gpt-5' }, say },
      { when: { user: '/^zzz/' }, say },
    ],
    asks(`my key is ${KEY}`),
  ],
  ['a rule that names its key', [{ when: { user: `say ${KEY}` }, say }], asks(`hello ${KEY}`)],
  ['a long model', [{ when: { user: 'other', model: LONG_MODEL }, say }], asks('hi', { model: LONG_MODEL })],
  [
    'a deployment with a long name',
    [{ when: { user: 'other', model: LONG_MODEL }, say }],
    { body: { messages: [{ role: 'user', content: 'hi' }] }, deployment: LONG_MODEL },
  ],
  ['a key that is the name of a field', [{ when: { user: 'hello' }, say }], { ...asks('hi'), key: 'messages' }],
]

test.each(CASES)('the near miss of a call with %s is what its 404 says', (_, replies, overrides) => {
  const mock = createMock({ unmatched: 'refuse', keys: { [KEY]: {}, messages: {} }, replies })
  const told = toldIn(begin(mock, overrides))
  expect(told).toMatch(/^replies\[0\] nearly matched: expected /)
  expect(`${mock.journal[0]!.nearMiss?.text}.`.replaceAll('me****es', 'messages')).toBe(told)
  expect(JSON.stringify(mock.journal[0])).not.toContain(KEY)
})

test('a call that a fault answers is recorded though its rule was never searched', () => {
  const request = { model: 'gpt-4', messages: [{ role: 'user', content: 'Hello' }] }
  const mock = createMock({
    ignore: ['/\\d{4}-\\d\\d/'],
    replies: [{ when: { endpoint: 'chat', request }, answer: { body: '{}' } }],
  })
  const made = call({ key: KEY, ...asks('x'.repeat(9000)), headers: { 'x-mock-fault': '429' } })
  return new Promise<void>((done, failed) => {
    engineOf(mock).receive(
      made,
      () => {
        expect(mock.journal).toMatchObject([{ path: '/v1/chat/completions', status: 429, notes: [] }])
        done()
      },
      failed,
    )
  })
})

test('a key in the name of a deployment is masked', () => {
  const mock = createMock({ keys: { [KEY]: {} } })
  begin(mock, { body: { messages: [{ role: 'user', content: 'hi' }] }, deployment: `dep-${KEY}` })
  expect(mock.journal[0]!.model).toBe(`dep-${MASKED}`)
  expect(JSON.stringify(mock.journal[0])).not.toContain(KEY)
})

test('the bytes of a call are counted though the journal freed its plan while it was open', () => {
  const mock = createMock({ keys: { [KEY]: {} } }, { journal: { bytes: 40_000 } })
  const slow = begin(mock, asks('slow'))
  for (let number = 0; number < 60; number++) begin(mock, asks(`${number} ${'a'.repeat(900)}`)).end('complete')
  slow.end('complete')
  const [entry] = mock.journal
  expect(entry!.timeline).toBeUndefined()
  expect(entry!.bytes).toBeGreaterThan(300)
})
