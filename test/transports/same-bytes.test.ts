/** The same call has the same answer over every transport. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { generatedCall, unreadableCall } from '../support/generated-calls.ts'
import { type Answer, jsonOf, type Sendable, send } from '../support/send.ts'
import { inProcess, stillMock, type TestMock, type Transport, transports, withoutMsw } from '../support/transports.ts'
import {
  brokenCalls,
  type CallOverrides,
  CONTRACT_SCENARIO,
  CONTRACT_SEED,
  contractCall,
  unreadableCalls,
  wholeCalls,
} from './calls.ts'
import { brokenResponseCalls, responseCalls } from './response-calls.ts'

const TIMEOUT_MS = 120_000

// Limits need a clock, so they are no part of the scenario that browsers share.
const scenario = {
  ...CONTRACT_SCENARIO,
  keys: { ...CONTRACT_SCENARIO.keys, 'sk-limited': { limits: { requests: '2 per day', tokens: '100 per minute' } } },
} as const
const freshMock = (): TestMock => stillMock(scenario, CONTRACT_SEED, { bodyLimit: 20_000 })

/** The answers of a fresh mock to the calls, one after the other. */
async function answersOver(transport: Transport, calls: readonly Sendable[]): Promise<Answer[]> {
  await using opened = await transport.open(freshMock())
  const answers: Answer[] = []
  for (const call of calls) answers.push(await send(opened.baseUrl, call))
  return answers
}

/** The answers to a chain of two responses, to what is read of it, and to a third after the second was deleted. */
async function chainOver(transport: Transport): Promise<Answer[]> {
  await using opened = await transport.open(freshMock())
  const answers: Answer[] = []
  const ask = async (path: string, overrides: CallOverrides): Promise<string> => {
    answers.push(await send(opened.baseUrl, contractCall('a chain', { path: `/responses${path}`, ...overrides })))
    return jsonOf(answers.at(-1)!).id
  }
  const body = { model: 'echo-1', input: 'And then?' }
  const first = await ask('', { body })
  const second = await ask('', { body: { ...body, previous_response_id: first } })
  await ask(`/${second}`, { method: 'GET' })
  await ask(`/${second}/input_items?order=asc&limit=2`, { method: 'GET' })
  await ask(`/${second}`, { method: 'DELETE' })
  await ask('', { body: { ...body, previous_response_id: second } })
  return answers
}

const servers = [withoutMsw, ...transports.filter((transport) => transport !== inProcess)]
const direct = servers.filter(({ readsBodies }) => !readsBodies)

/** Expects any calls to have the same answers in process and over each server. */
const expectSameAnswers = (call: fc.Arbitrary<Sendable>, over: readonly Transport[], numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 8 }), async (calls) => {
      const expected = await answersOver(inProcess, calls)
      for (const server of over) expect(await answersOver(server, calls), server.name).toEqual(expected)
    }),
    { numRuns },
  )

test('generated calls have the same answers over every transport', { timeout: TIMEOUT_MS }, () =>
  expectSameAnswers(generatedCall, servers, 30),
)

test('bodies of any bytes have the same answers over every transport', { timeout: TIMEOUT_MS }, () =>
  expectSameAnswers(unreadableCall, direct, 15),
)

describe.each(servers)('in process and over $name', (server) => {
  test('every call of the contract has the same answer', { timeout: TIMEOUT_MS }, async () => {
    const calls = [...wholeCalls, ...responseCalls]
    const expected = await answersOver(inProcess, calls)
    const found = await answersOver(server, calls)
    for (const [index, { name }] of calls.entries()) expect(found[index], name).toEqual(expected[index])
  })

  test('a chain of responses, and what is stored of it, has the same answers', async () => {
    const expected = await chainOver(inProcess)
    expect(await chainOver(server)).toEqual(expected)
    expect(expected.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 400])
  })

  test.each([...brokenCalls, ...brokenResponseCalls])(
    '$name: the same part arrives, and then an error',
    async (call) => {
      const [expected] = await answersOver(inProcess, [call])
      const [found] = await answersOver(server, [call])
      expect(found).toEqual(expected)
      expect(found).toMatchObject({ status: 200, isBroken: true })
      expect(found!.bytes).not.toBe('')
    },
  )

  test('a path that is not valid text when decoded gets the same answer', async () => {
    const call = contractCall('no text', { method: 'GET', path: '/models/%zz' })
    const found = await answersOver(server, [call])
    expect(found[0]!.status).toBe(404)
    expect(found).toEqual(await answersOver(inProcess, [call]))
  })

  test('a body just over the limit is refused in the same way, and one just within it is accepted', async () => {
    const ofLength = (length: number): Sendable => {
      const bare = JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: '' }] })
      const content = 'x'.repeat(length - bare.length)
      return contractCall('large', { body: { model: 'echo-1', messages: [{ role: 'user', content }] } })
    }
    const calls = [ofLength(20_000), ofLength(20_001), ofLength(60_000)]
    const found = await answersOver(server, calls)
    expect(found.map(({ status }) => status)).toEqual([200, 413, 413])
    expect(found).toEqual(await answersOver(inProcess, calls))
  })
})

describe.each(direct)('in process and over $name, with no body parser in front', (server) => {
  test.each(unreadableCalls)('$name has the same answer', async (call) => {
    const found = await answersOver(server, [call])
    expect(found).toEqual(await answersOver(inProcess, [call]))
    expect(found[0]!.status).toBe(400)
  })

  test('a body that begins with a byte order mark has the same answer', async () => {
    const [call] = wholeCalls
    const marked = { ...call!, body: `\ufeff${call!.body}` }
    expect(await answersOver(server, [marked])).toEqual(await answersOver(inProcess, [marked]))
  })
})

describe.each(transports)('over $name', (transport) => {
  test('a call that hangs gets nothing until the client disconnects, and the journal records it', async () => {
    const mock = freshMock()
    await using opened = await transport.open(mock)
    const leave = new AbortController()
    const call = contractCall('a chat', { body: { model: 'echo-1', messages: [{ role: 'user', content: 'hi' }] } })
    const hanging = { ...call, headers: { ...call.headers, 'x-mock-fault': 'hang' } }
    const answer = send(opened.baseUrl, hanging, leave.signal)
    await vi.waitFor(() => expect(mock.journal).toHaveLength(1), { timeout: 10_000 })
    expect(mock.journal[0]).toMatchObject({ status: 0, outcome: 'open' })
    leave.abort()
    expect(await answer).toMatchObject({ status: 0, bytes: '', isBroken: true })
    await vi.waitFor(() => expect(mock.journal[0]!.outcome).toBe('client-left'), { timeout: 10_000 })
  })
})
