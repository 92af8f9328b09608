/** Timings from every format that fit reads. */
import { expect, test } from 'vitest'
import { readCassette, readTimings } from '../../../src/record/fit/read-timings.ts'

const ONE = { firstTokenMs: 300, perTokenMs: 20 }

test.each([
  ['CSV', 'firstTokenMs,perTokenMs,tokens\n300,20,50\n'],
  ['CSV with other separators and quotes', '"ttft_s";"tpot_ms"\r\n"0.3";"20"\r\n'],
  ['CSV with total time and tokens', 'first_token_ms,total_ms,output_tokens\n300,500,11\n'],
  ['JSON Lines', '{"ttft_ms":300,"itl_ms":20}\n'],
  ['JSON', '[{"ttft_s":0.3,"inter_token_latency_s":0.02,"number_output_tokens":50}]'],
])('%s', (_, text) => {
  expect(readTimings(text)).toEqual({ timings: [ONE], skipped: 0 })
})

const span = (attributes: Readonly<Record<string, number>>) => ({
  name: 'chat gpt-4o',
  startTimeUnixNano: '1700000000000000001',
  endTimeUnixNano: '1700000000500000001',
  attributes: Object.entries(attributes).map(([key, value]) => ({
    key,
    value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value },
  })),
})

test.each(['gen_ai.response.time_to_first_chunk', 'gen_ai.latency.time_to_first_token'])('spans with %s', (name) => {
  const spans = [span({ [name]: 0.3, 'gen_ai.usage.output_tokens': 11 }), span({ 'http.status': 200 })]
  const request = { resourceSpans: [{ scopeSpans: [{ spans }] }] }
  expect(readTimings(JSON.stringify(request))).toEqual({ timings: [ONE], skipped: 1 })
  expect(readTimings(`${JSON.stringify(request)}\n${JSON.stringify(request)}\n`).timings).toEqual([ONE, ONE])
})

test('the recorded streams of a cassette', () => {
  const chunk = (content: string) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] })
  const events = [
    { at: '250ms', data: chunk('') },
    { at: '300ms', data: chunk('Hello') },
    { at: '340ms', data: chunk(' you') },
    { at: '341ms', data: JSON.stringify({ choices: [], usage: { completion_tokens: 3 } }) },
    { at: '341ms', data: '[DONE]' },
  ]
  const source = { description: 'x', replies: [{ answer: { events } }, { answer: { body: '{}' } }, { say: 'Hi' }] }
  expect(readCassette(source)).toEqual([ONE])
})

test('a row without a time to the first token is skipped', () => {
  const text = '{"ttft_ms":300}\n{"ttft_ms":null}\n{"ttft_ms":0}\n{"error":"x"}\n'
  expect(readTimings(text)).toEqual({ timings: [{ firstTokenMs: 300, perTokenMs: undefined }], skipped: 3 })
})

test('a row with times of more than a day, which no scenario accepts, is skipped', () => {
  const text = 'ttft_ms,tpot_ms\n300,10\n86400001,10\n300,1e12\n'
  expect(readTimings(text)).toEqual({ timings: [{ firstTokenMs: 300, perTokenMs: 10 }], skipped: 2 })
})

test('a text that is not understood is refused with what is expected', () => {
  expect(() => readTimings('a,b\n1,2\n')).toThrow('expected columns firstTokenMs, and perTokenMs or')
  expect(() => readTimings('a,b\n1,2\n')).toThrow("got 'a, b'.")
  expect(() => readTimings('')).toThrow('got nothing.')
  expect(() => readTimings('{"ttft_ms":300}\n{"ttft')).toThrow('line 2 is not JSON. Expected an object on each line.')
})
