/** Responses and their events, of every kind of answer, against the Open Responses standard and the contract. */
import { describe, expect, test } from 'vitest'
import { hasOpenResponses, readOpenResponses } from '../../../support/openapi.ts'
import type { Json } from '../../../support/recorded.ts'
import {
  eventsTo,
  type NamedEvent,
  RESPONSE_CASES,
  type ResponseCase,
  responseTo,
} from '../../../support/response-cases.ts'

const CASES = Object.entries(RESPONSE_CASES)
const named = (name: string): ResponseCase => RESPONSE_CASES[name]!
const namesOf = (events: readonly NamedEvent[]): string[] => events.map(({ name }) => name.replace('response.', ''))

describe.skipIf(!hasOpenResponses)('the Open Responses standard', () => {
  const standard = hasOpenResponses ? readOpenResponses() : { ofResponse: () => '', ofEvent: () => '' }

  test.each(CASES)('allows %s', (_, one) => {
    expect(standard.ofResponse(responseTo(one))).toBe('')
  })

  test.each(CASES)('allows every event of %s', (_, one) => {
    for (const { data } of eventsTo(one)) expect(standard.ofEvent(data)).toBe('')
    for (const { data } of eventsTo(one, { stream_options: null })) expect(standard.ofEvent(data)).toBe('')
  })

  test('refuses a response without an id', () => {
    const { id, ...rest } = responseTo({})
    expect(standard.ofResponse(rest)).toContain("required property 'id'")
    expect(standard.ofEvent({ type: 'response.surprise' })).not.toBe('')
  })
})

/** The text that the deltas of an item add up to, and the one that its `done` events hold. */
function textsOf(events: readonly NamedEvent[], output: number): { deltas: string; done: string[] } {
  const own = events.filter(({ data }) => data.output_index === output).map(({ data }) => data)
  const content = own.filter(({ type }) => /(?:output_text|refusal|arguments)\.(?:delta|done)$/.test(type))
  const deltas = content.flatMap(({ delta }) => delta ?? []).join('')
  const doneTexts = content.map(({ text, refusal, arguments: input }) => text ?? refusal ?? input)
  const parts = own
    .filter(({ type }) => type === 'response.content_part.done')
    .map(({ part }) => part.text ?? part.refusal)
  return { deltas, done: [...doneTexts.filter((text) => text !== undefined), ...parts] }
}

const textOfItem = (item: Json): string => item.arguments ?? item.content[0].text ?? item.content[0].refusal

describe('a stream', () => {
  test.each(CASES)('of %s has the grammar of the service', (_, one) => {
    const events = eventsTo(one)
    for (const [index, { name, data }] of events.entries()) {
      expect(data.type).toBe(name)
      expect(data.sequence_number).toBe(index)
    }
    const item = [
      'output_item.added',
      '(?:reasoning_summary_part.added(?: reasoning_summary_text.delta)+ reasoning_summary_text.done reasoning_summary_part.done ?)*',
      '(?:content_part.added (?:output_text.delta )+output_text.done content_part.done ?)?',
      '(?:content_part.added (?:refusal.delta )+refusal.done content_part.done ?)?',
      '(?:(?:function_call_arguments.delta )*function_call_arguments.done ?)?',
      'output_item.done',
    ].join(' ?')
    const grammar = new RegExp(`^created in_progress (?:${item} )*(?:completed|incomplete)$`)
    expect(namesOf(events).join(' ')).toMatch(grammar)
  })

  test.each(CASES)('of %s ends with the response that its events add up to', (_, one) => {
    const events = eventsTo(one)
    const { response } = events.at(-1)!.data
    expect(events.at(-1)!.name).toBe(`response.${response.status}`)
    const items = events.filter(({ name }) => name === 'response.output_item.done').map(({ data }) => data)
    expect(items.map(({ item }) => item)).toEqual(response.output)
    expect(items.map(({ output_index: index }) => index)).toEqual(
      response.output.map((_: Json, index: number) => index),
    )
    for (const [index, item] of response.output.entries()) {
      if (item.type === 'reasoning') continue
      const { deltas, done } = textsOf(events, index)
      for (const text of done) expect(text).toBe(textOfItem(item))
      expect(deltas).toBe(textOfItem(item))
    }
  })

  test.each(CASES)('of %s begins with the response without its answer', (_, one) => {
    const events = eventsTo(one)
    const [created, progress] = events.map(({ data }) => data.response)
    expect(progress).toEqual(created)
    const last = events.at(-1)!.data.response
    const { usage, status, completed_at: completed, incomplete_details: details } = last
    const notYet = { output: [], usage: null, completed_at: null, incomplete_details: null }
    const { service_tier: tier = 'auto' } = { ...one.body } as Json
    expect(created).toEqual({ ...last, ...notYet, status: 'in_progress', service_tier: tier })
    expect(usage.total_tokens).toBe(usage.input_tokens + usage.output_tokens)
    expect(status).toBe(details === null ? 'completed' : 'incomplete')
    expect(completed === null).toBe(details !== null)
  })

  test.each(CASES)('of %s has the fields of the answer that is not streamed, but for who pays', (_, one) => {
    const whole = responseTo(one)
    const { response } = eventsTo(one).at(-1)!.data
    expect(whole.billing).toEqual({ payer: 'developer' })
    expect(Object.keys(response)).toEqual(Object.keys(whole).filter((key) => key !== 'billing'))
    expect(response.output.map(({ type }: Json) => type)).toEqual(whole.output.map(({ type }: Json) => type))
  })

  test.each(CASES)('of %s pads each delta to 16 characters, unless it is a refusal', (_, one) => {
    for (const { name, data } of eventsTo(one)) {
      if (name === 'response.refusal.delta' || data.delta === undefined) expect(data).not.toHaveProperty('obfuscation')
      else expect((data.delta.length + data.obfuscation.length) % 16).toBe(0)
    }
    const open = { stream_options: { include_obfuscation: false } }
    for (const { data } of eventsTo(one, open)) expect(data).not.toHaveProperty('obfuscation')
  })

  test('of logprobs has those of its token in each delta', () => {
    const events = eventsTo(named('logprobs'))
    const done = events.find(({ name }) => name === 'response.output_text.done')!.data
    const deltas = events.flatMap(({ name, data }) => (name === 'response.output_text.delta' ? data.logprobs : []))
    expect(deltas).toEqual(done.logprobs)
    expect(done.logprobs.map(({ token }: Json) => token).join('')).toBe(done.text)
    expect(Object.keys(done.logprobs[0])).toEqual(['token', 'bytes', 'logprob', 'top_logprobs'])
    expect(Object.keys(done.logprobs[0].top_logprobs[1])).toEqual(['token', 'bytes', 'logprob'])
  })
})

describe('an id', () => {
  const HEX = '[0-9a-f]'

  test.each(CASES)('of %s has 16 letters and the time in common with its response', (_, one) => {
    const { id, created_at: created, output } = responseTo(one)
    expect(id).toMatch(new RegExp(`^resp_${HEX}{50}$`))
    const shared = id.slice('resp_'.length).slice(0, 26)
    expect(shared.slice(16)).toBe(`00${created.toString(16)}`)
    const prefixes: Json = { message: 'msg', reasoning: 'rs', function_call: 'fc' }
    for (const item of output) {
      expect(item.id).toMatch(new RegExp(`^${prefixes[item.type]}_${shared}${HEX}{24}$`))
      if (item.type === 'function_call') expect(item.call_id).toMatch(/^call_[A-Za-z0-9]{24}$/)
    }
    expect(new Set(output.map((item: Json) => item.id)).size).toBe(output.length)
  })

  test('is the same for the same call, and another for another', () => {
    expect(responseTo({}).id).toBe(responseTo({}).id)
    expect(responseTo({}).id).not.toBe(responseTo({ body: { input: 'another' } }).id)
  })
})
