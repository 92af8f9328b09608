/** The same scenario and the same conversation, as a chat and as a responses call: the same reply in two dialects. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { semanticFaults } from '../../../src/core/protocol/faults/semantic-faults.ts'
import type { Plan } from '../../../src/core/protocol/plan/plan.ts'
import { sendsOf } from '../../../src/core/protocol/plan/transform.ts'
import type { ScenarioSource } from '../../../src/core/scenario/scenario-source.ts'
import { mockWith, read } from '../../support/core.ts'
import '../../support/property-seed.ts'
import type { Json } from '../../support/recorded.ts'

/** One message of a conversation: a text, or a call of a tool with its result. */
type Said =
  | { readonly role: 'system' | 'developer' | 'user' | 'assistant'; readonly text: string; readonly inParts: boolean }
  | { readonly role: 'call'; readonly input: string; readonly result: string }

interface Asked {
  readonly said: readonly Said[]
  readonly model: 'plain' | 'thinks'
  readonly maxTokens: number | undefined
  readonly choice: 'auto' | 'none' | 'required' | undefined
  readonly hasTools: boolean
  readonly hasSchema: boolean
  readonly isParallel: boolean
  readonly scenario: Partial<ScenarioSource>
}

const CITY = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
  additionalProperties: false,
}
const NAMES = ['weather', 'news']

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('Hello there!', 'refuse', 'filter', 'weather', 'both', '{"city":"Rome"}', 'one two three '.repeat(9)),
)
const said: fc.Arbitrary<Said> = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'user', 'assistant', 'system', 'developer'), text, inParts: fc.boolean() }),
  fc.record({ role: fc.constant('call'), input: fc.constantFrom('{}', '{"city":"Rome"}'), result: text }),
)

const REPLIES: ScenarioSource['replies'] = [
  { when: { user: 'refuse' }, refuse: 'I cannot do that.' },
  { when: { user: 'filter' }, say: 'This is not', finish: 'content_filter' },
  { when: { user: 'weather' }, call: { name: 'weather', arguments: { city: 'Rome "naïve" 👩‍👩‍👧' } } },
  { when: { user: 'both' }, call: [{ name: 'weather' }, { name: 'news' }] },
  { when: { toolResult: /^(?<result>.{3})/s.source }, say: 'I got it.' },
]
const models = { plain: {}, thinks: { reasoning: true } }

const asked: fc.Arbitrary<Asked> = fc.record({
  said: fc.array(said, { minLength: 1, maxLength: 6 }),
  model: fc.constantFrom('plain', 'plain', 'thinks'),
  maxTokens: fc.option(fc.integer({ min: 16, max: 40 }), { nil: undefined }),
  choice: fc.option(fc.constantFrom('auto', 'none', 'required'), { nil: undefined }),
  hasTools: fc.boolean(),
  hasSchema: fc.boolean(),
  isParallel: fc.boolean(),
  scenario: fc.constantFrom<Partial<ScenarioSource>>({ models }, { models, replies: REPLIES }),
})

/** The fields that both dialects have, in their names. */
const shared = ({ model, hasTools, isParallel, choice }: Asked): object => ({
  model,
  ...(hasTools && !isParallel && { parallel_tool_calls: false }),
  ...(hasTools && choice !== undefined && { tool_choice: choice }),
})
function asChat(one: Asked): object {
  const messages = one.said.flatMap((message, index): object[] => {
    if (message.role !== 'call') {
      const { role, text, inParts } = message
      return [{ role, content: inParts ? [{ type: 'text', text }] : text }]
    }
    const id = `call_${index}`
    const called = { name: 'weather', arguments: message.input }
    return [
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: called }] },
      { role: 'tool', tool_call_id: id, content: message.result },
    ]
  })
  const schema = { name: 'trip', schema: CITY, strict: true }
  const tools = NAMES.map((name) => ({ type: 'function', function: { name, parameters: CITY, strict: true } }))
  return {
    ...shared(one),
    messages,
    ...(one.hasTools && { tools }),
    ...(one.hasSchema && { response_format: { type: 'json_schema', json_schema: schema } }),
    ...(one.maxTokens !== undefined && { max_completion_tokens: one.maxTokens }),
  }
}

function asResponses(one: Asked): object {
  const input = one.said.flatMap((message, index): object[] => {
    if (message.role !== 'call') {
      const { role, text, inParts } = message
      const type = role === 'assistant' ? 'output_text' : 'input_text'
      return [{ role, content: inParts ? [{ type, text }] : text }]
    }
    const callId = `call_${index}`
    return [
      { type: 'function_call', call_id: callId, name: 'weather', arguments: message.input },
      { type: 'function_call_output', call_id: callId, output: message.result },
    ]
  })
  const format = { type: 'json_schema', name: 'trip', schema: CITY, strict: true }
  return {
    ...shared(one),
    input,
    ...(one.hasTools && { tools: NAMES.map((name) => ({ type: 'function', name, parameters: CITY })) }),
    ...(one.hasSchema && { text: { format } }),
    ...(one.maxTokens !== undefined && { max_output_tokens: one.maxTokens }),
  }
}

/** A reply as a client gets it, in neither dialect. */
interface Meant {
  readonly text: string
  readonly refusal: string
  readonly calls: readonly string[]
  readonly finish: string
  readonly tokens: number
  readonly thinking: number
}

function readChat({ choices: [{ message, finish_reason: finish }], usage }: Json): Meant {
  return {
    text: message.content ?? '',
    refusal: message.refusal ?? '',
    calls: (message.tool_calls ?? []).map(({ function: called }: Json) => `${called.name} ${called.arguments}`),
    finish: finish === 'tool_calls' ? 'stop' : finish,
    tokens: usage.completion_tokens,
    thinking: usage.completion_tokens_details.reasoning_tokens,
  }
}

function readResponse({ output, incomplete_details: details, usage }: Json): Meant {
  const parts = output.flatMap(({ content }: Json) => content ?? [])
  const finish = details === null ? 'stop' : details.reason === 'content_filter' ? 'content_filter' : 'length'
  return {
    text: parts.map(({ text }: Json) => text ?? '').join(''),
    refusal: parts.map(({ refusal }: Json) => refusal ?? '').join(''),
    calls: output
      .filter(({ type }: Json) => type === 'function_call')
      .map((one: Json) => `${one.name} ${one.arguments}`),
    finish,
    tokens: usage.output_tokens,
    thinking: usage.output_tokens_details.reasoning_tokens,
  }
}

/** The plan of a call with its body read. */
function play(path: string, body: object, scenario: Partial<ScenarioSource>, fault: string) {
  const headers = fault === '' ? {} : { 'x-mock-fault': fault }
  const plan = mockWith(scenario).plan({ path: `/v1/${path}`, body, headers })
  const { status, text } = read(plan)
  return { plan, status, body: text.startsWith('{') ? (JSON.parse(text) as Json) : undefined }
}

/** The tokens of the events that have any: the pace of a stream, and the places of a cut. */
const tokensIn = (plan: Plan): number[] => sendsOf(plan).flatMap(({ tokens = 0 }) => (tokens > 0 ? [tokens] : []))

/** The answers to a conversation in both dialects, whole and streamed. */
function answer(one: Asked, fault = '') {
  const [chat, responses] = [asChat(one), asResponses(one)]
  const stream = { stream: true }
  return {
    chat: play('chat/completions', chat, one.scenario, fault),
    response: play('responses', responses, one.scenario, fault),
    chatStream: play('chat/completions', { ...chat, ...stream }, one.scenario, fault),
    responseStream: play('responses', { ...responses, ...stream }, one.scenario, fault),
  }
}

test('a conversation gets the same answer in both dialects', () => {
  fc.assert(
    fc.property(asked, (one) => {
      const { chat, response, chatStream, responseStream } = answer(one)
      expect([response.status, response.plan.reason]).toEqual([200, chat.plan.reason])
      expect(readResponse(response.body)).toEqual(readChat(chat.body))
      expect(tokensIn(responseStream.plan)).toEqual(tokensIn(chatStream.plan))
      if (!one.hasTools && !one.hasSchema) {
        expect(response.body.usage.input_tokens).toBe(chat.body.usage.prompt_tokens)
      }
    }),
    { numRuns: 300 },
  )
})

const generationFaults = semanticFaults.filter(({ endpoints }) => endpoints?.includes('responses') !== false)

test.each(generationFaults.map(({ name }) => name))('the fault %s does the same in both dialects', (fault) => {
  fc.assert(
    fc.property(asked, (one) => {
      const { chat, response, chatStream, responseStream } = answer(one, fault)
      expect([response.status, response.plan.reason]).toEqual([chat.status, chat.plan.reason])
      expect([responseStream.status, responseStream.plan.reason]).toEqual([chatStream.status, chatStream.plan.reason])
      if (chat.status === 200) expect(readResponse(response.body)).toEqual(readChat(chat.body))
      expect(tokensIn(responseStream.plan)).toEqual(tokensIn(chatStream.plan))
    }),
    { numRuns: 60 },
  )
})

// Faults that are placed in a stream

/** The text and the arguments in the events of a stream that may lack its end. */
function contentOf(plan: Plan): string {
  const events = read(plan).text.matchAll(/^data: (\{.*\})\n\n/gm)
  return [...events].map(([, json]) => contentIn(JSON.parse(json!) as Json)).join('')
}
function contentIn({ type, delta, choices: [choice] = [] }: Json): string {
  if (choice === undefined)
    return /^response\.(?:output_text|refusal|function_call_arg).*delta$/.test(type) ? delta : ''
  const { content, refusal, tool_calls: [call] = [] } = choice.delta
  return content ?? refusal ?? call?.function.arguments ?? ''
}

test.each(['cut', 'cut; end=clean', 'stream-error'])('%s; after=n is the same moment in both dialects', (fault) => {
  fc.assert(
    fc.property(asked, fc.integer({ min: 0, max: 12 }), (one, after) => {
      const stream = { stream: true }
      const text = `${fault}; after=${after}`
      const chat = play('chat/completions', { ...asChat(one), ...stream }, one.scenario, text)
      const response = play('responses', { ...asResponses(one), ...stream }, one.scenario, text)
      expect([response.status, contentOf(response.plan)]).toEqual([chat.status, contentOf(chat.plan)])
    }),
    { numRuns: 150 },
  )
})
