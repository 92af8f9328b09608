/** What cannot be recorded of a call changes no answer and no later call. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { TextRing } from '../../src/core/journal/text-ring.ts'
import { maskKeysIn } from '../../src/core/lib/text/mask-keys.ts'
import { fetchFrom, GENEROUS_MS, HELLO, serve, stillAnswers } from '../support/http.ts'

const WORD_CHARACTERS = 5_600_000

test('a text that looks like a key of 5.6 million characters is masked', () => {
  const masked = maskKeysIn(`My key is sk-${'a'.repeat(WORD_CHARACTERS)}, I think.`)
  expect(masked).toBe('My key is sk-aaaaa****aaaa, I think.')
})

test.each([
  ['OPENAI_KEY_sk-abcdefghijklmnop1234', 'OPENAI_KEY_sk-abcde****1234'],
  [String.raw`{"text":"first\nsk-abcdefghijklmnop1234"}`, String.raw`{"text":"first\nsk-abcde****1234"}`],
  ['a risk-assessment-of-the-whole-thing', 'a risk-assessment-of-the-whole-thing'],
])('a key is masked after an underscore or an escape, but not inside a word: %s', (text, masked) => {
  expect(maskKeysIn(text)).toBe(masked)
})

test(
  'a chat with such a text is answered, and journal, report and reset work after it',
  async () => {
    const server = await serve({ limits: { concurrent: 1 } })
    const content = `sk-${'a'.repeat(WORD_CHARACTERS)}`
    const { status } = await fetchFrom(server, { body: { model: 'echo-1', messages: [{ role: 'user', content }] } })
    expect(status).toBe(200)
    await stillAnswers(server)
    expect((await fetchFrom(server, { path: '/_mock/journal' })).json.entries).toHaveLength(2)
    expect((await fetchFrom(server, { path: '/_mock/report' })).status).toBe(200)
    expect((await fetchFrom(server, { path: '/_mock/reset', method: 'POST' })).status).toBe(204)
    expect(server.mock.journal).toEqual([])
  },
  GENEROUS_MS,
)

const LISTENERS = {
  throws: () => {
    throw new Error('a mistake of the user')
  },
  rejects: async () => {
    throw new Error('a mistake of the user')
  },
}

test.each(Object.entries(LISTENERS))(
  'a listener that %s is reported once, and neither the answer nor other listeners notice',
  async (_, listener) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    const server = await serve({ limits: { concurrent: 1 } })
    const seen: number[] = []
    server.mock.onExchange(listener)
    server.mock.onExchange(({ number }) => seen.push(number))
    expect((await fetchFrom(server)).status).toBe(200)
    expect((await fetchFrom(server)).status).toBe(200)
    await expect.poll(() => seen).toEqual([1, 2])
    await expect
      .poll(() => log.mock.calls.map(String))
      .toEqual(['A listener of onExchange threw. The mock ignores it; fix the listener:,Error: a mistake of the user'])
  },
)

test('a call that cannot be recorded is answered, reported once, and has an entry that says so', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const broken = vi.spyOn(TextRing.prototype, 'write').mockImplementation(() => {
    throw new RangeError('Maximum call stack size exceeded')
  })
  onTestFinished(() => {
    log.mockRestore()
    broken.mockRestore()
  })
  const server = await serve({ limits: { concurrent: 1 } })
  await stillAnswers(server)
  await stillAnswers(server)
  expect(log).toHaveBeenCalledTimes(1)
  expect(log.mock.calls[0]![0]).toBe(
    'Failed to record a call: a bug in llm-api-mock. Answers are not affected. Please report it with this error:',
  )
  const { entries } = (await fetchFrom(server, { path: '/_mock/journal' })).json
  expect(entries).toHaveLength(2)
  expect(entries[1]).toMatchObject({
    number: 2,
    status: 200,
    path: '/v1/chat/completions',
    notes: ['The mock failed to record this call: a bug in llm-api-mock. Its stderr shows the error.'],
  })
  expect(entries[1]).not.toHaveProperty('body')
  expect(entries[1]).not.toHaveProperty('timeline')
})

test(
  'the journal shows calls whose bodies are nested as deep as the mock accepts',
  async () => {
    const server = await serve()
    const ask = async (depth: number): Promise<boolean> => {
      const body = `${JSON.stringify(HELLO).slice(0, -1)},"x":${'['.repeat(depth)}${']'.repeat(depth)}}`
      return (await fetchFrom(server, { body })).status === 200
    }
    let accepted = 100
    for (let refused = 100_000; refused - accepted > 1; ) {
      const depth = (accepted + refused) >> 1
      if (await ask(depth)) accepted = depth
      else refused = depth
    }
    server.mock.reset()
    expect(await ask(accepted)).toBe(true)
    const { status, json } = await fetchFrom(server, { path: '/_mock/journal' })
    expect([status, json.entries.length]).toEqual([200, 1])
    expect((await fetchFrom(server, { path: `/_mock/journal/${json.entries[0].number}` })).status).toBe(200)
  },
  GENEROUS_MS,
)

const WIDE = Array(200_000).fill(true)
test.each([
  ['anyOf', { anyOf: WIDE }, ''],
  ['allOf', { allOf: WIDE }, ''],
  [
    'enum',
    { type: 'object', required: ['a'], properties: { a: { enum: WIDE.map((_, index) => index) } } },
    'wrong-enum',
  ],
  ['required', { type: 'object', required: WIDE.map((_, index) => `p${index}`) }, 'missing-required'],
  ['properties', { type: 'object', properties: Object.fromEntries(WIDE.entries()) }, 'extra-property'],
])('a schema with 200,000 entries of %s is no bug of the mock', async (_, schema, fault) => {
  const response_format = { type: 'json_schema', json_schema: { name: 'n', schema } }
  const headers: Record<string, string> = fault === '' ? {} : { 'x-mock-fault': fault }
  const { status } = await fetchFrom(await serve(), { body: { ...HELLO, response_format }, headers })
  expect([200, 400]).toContain(status)
})
