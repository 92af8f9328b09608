/** How calls are told apart, and that the rules of a scenario apply exactly the planned faults. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/core/journal/entry.ts'
import { faultIn } from '../../../src/core/protocol/plan/plan.ts'
import { cutsOf } from '../../../src/hunt/search/cut-search.ts'
import { ignoring, withFaults } from '../../../src/hunt/search/fault-rules.ts'
import { type FaultSet, faultFinder, type PlannedFault, withFault } from '../../../src/hunt/search/fault-set.ts'
import {
  type IdentityOptions,
  identifyCalls,
  type KnownCall,
  observeCalls,
} from '../../../src/hunt/search/known-calls.ts'
import { mockAfter } from '../../support/console.ts'
import { type CallOverrides, type CoreMock, mockWith, read } from '../../support/core.ts'

interface Sent {
  readonly model: string
  readonly time: number
}

const callOf = ({ model, time }: Sent): CallOverrides => ({
  body: { model, metadata: { time: String(time) }, messages: [{ role: 'user', content: 'Hello' }] },
})

/** Sends calls, and returns what each was called and the fault that it got. */
function send(mock: CoreMock, options: IdentityOptions, calls: readonly Sent[]) {
  const identify = identifyCalls(options)
  return calls.map((sent) => {
    const { route, request, attempt, session } = mock.context(callOf(sent))
    const { model, body, fingerprint } = request
    const entry = {
      ...{ endpoint: route.endpoint, model, body, attempt },
      request: String(fingerprint),
      caller: session.caller,
    }
    const { reason } = mock.plan(callOf(sent))
    return { ...identify(entry as unknown as JournalEntry), fault: faultIn(reason)?.fault }
  })
}

const FAULTS = { 'server-error': 'server-error', 'bad-request': 'invalid-request', hang: 'hang' } as const

const calls = fc.array(fc.record({ model: fc.constantFrom('large', 'small'), time: fc.integer({ min: 1, max: 3 }) }), {
  minLength: 1,
  maxLength: 8,
})
const picks = fc.array(
  fc.record({
    place: fc.nat(7),
    isEvery: fc.boolean(),
    fault: fc.constantFrom(...(Object.keys(FAULTS) as (keyof typeof FAULTS)[])),
  }),
  { maxLength: 4 },
)

test.each<IdentityOptions>([{}, { identity: 'coarse' }, { ignore: ['metadata.time'] }, { ignore: ['/[0-9]/'] }])(
  'the rules of a scenario apply to each call the fault that is planned for it: %j',
  (options) => {
    fc.assert(
      fc.property(calls, picks, (sent, picked) => {
        const source = ignoring({}, options.ignore)
        const seen = send(mockWith(source), options, sent)
        const known = new Map(seen.map((call) => [call.id, { ...call, content: 'text', isStream: false } as never]))
        const planned = picked.reduce<FaultSet>((faults, { place, isEvery, fault }) => {
          const { id, attempt } = seen[place % seen.length]!
          const added: PlannedFault = { call: id, attempt: isEvery ? 'every' : attempt, fault }
          return withFault(faults, added) ?? faults
        }, [])
        const mock = mockWith(withFaults(source, planned, known as ReadonlyMap<string, KnownCall>))
        for (const { id, attempt, fault } of send(mock, options, sent)) {
          const expected = faultFinder(planned)(id, attempt) as keyof typeof FAULTS | undefined
          expect(fault).toBe(expected && FAULTS[expected])
        }
      }),
      { numRuns: 60, seed: 15 },
    )
  },
)

const AT = (time: number, model = 'large'): Sent => ({ model, time })
const namesOf = (options: IdentityOptions, ...sent: readonly Sent[]) =>
  send(mockWith(), options, sent).map(({ id, attempt }) => `${id} ${attempt}`)

test('calls that differ only in what is ignored are attempts of one call', () => {
  const names = namesOf({ ignore: ['metadata.time'] }, AT(1), AT(2), AT(3, 'small'))
  expect(names.map((name) => name.split(' ')[1])).toEqual(['1', '2', '1'])
  expect(new Set(names.map((name) => name.split(' ')[0])).size).toBe(2)
})

test('coarse names are the endpoint, the model and the place among those calls', () => {
  expect(namesOf({ identity: 'coarse' }, AT(1), AT(2, 'small'), AT(3))).toEqual([
    'chat large #1 1',
    'chat small #1 1',
    'chat large #2 1',
  ])
})

test('a fault on a coarse call lasts, and the last one to begin goes first', () => {
  const faults: FaultSet = [
    { call: 'chat large #1', attempt: 'every', fault: 'hang' },
    { call: 'chat large #3', attempt: 'every', fault: 'cut' },
    { call: 'chat large #4', attempt: 1, fault: 'server-error' },
  ]
  const found = [1, 2, 3, 4, 5].map((place) => faultFinder(faults)(`chat large #${place}`, 1))
  expect(found).toEqual(['hang', 'hang', 'cut', 'server-error', 'cut'])
  expect(faultFinder(faults)('chat small #2', 1)).toBeUndefined()
})

test('each cut between the places of a response applies, and sends more than the one before', () => {
  const tools = [{ type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} } }]
  const asked = { path: '/v1/responses', body: { model: 'echo-1', input: 'One two three', stream: true, tools } }
  const known = new Map<string, KnownCall>()
  observeCalls(mockAfter({}, [asked]).journal, [], known, {})
  const [call] = [...known.values()]
  expect(call).toMatchObject({ isStream: true, content: 'text', label: 'POST responses "One two three"' })
  const cuts = cutsOf(call!.eventSizes, 'reset', true).filter((_, index) => index % 9 === 0)
  const lengths = cuts.map((fault) => {
    const { status, text } = read(mockWith().plan({ ...asked, headers: { 'x-mock-fault': fault } }))
    expect(status, fault).toBe(200)
    return text.length
  })
  expect(lengths.length).toBeGreaterThan(100)
  // The first one, after=0, sends the events before the first item.
  const [, ...rest] = lengths
  expect(rest).toEqual(rest.toSorted((one, other) => one - other))
})

test('a call with tool calls or JSON is known as such over responses too', () => {
  const tools = [{ type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} } }]
  const body = { model: 'echo-1', input: 'Hello' }
  const known = new Map<string, KnownCall>()
  const calls = [
    { path: '/v1/responses', body: { ...body, tools, tool_choice: 'required' } },
    { path: '/v1/responses', body: { ...body, text: { format: { type: 'json_schema', name: 'x', schema: {} } } } },
  ]
  observeCalls(mockAfter({}, calls).journal, [], known, {})
  expect([...known.values()].map(({ content }) => content)).toEqual(['tool calls', 'json'])
})
