/** Responses calls of every kind of answer: the scenario that gives it, and the body that asks for it. */

import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { mockWith } from './core.ts'
import type { Json } from './recorded.ts'

export interface ResponseCase {
  readonly scenario?: Partial<ScenarioSource>
  readonly body?: object
  /** The fault of the header. */
  readonly fault?: string
}

const REASONING = { models: { m: { reasoning: true, effort: 'xhigh', responses: { phase: true } } } } as const
const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
}
const closed = { ...schema, additionalProperties: false }
const tool = (name: string): object => ({ type: 'function', name, description: 'Looks.', parameters: schema })
const TOOLS = { tools: [tool('weather'), tool('news')] }
const [WEATHER, NEWS] = [{ name: 'weather' }, { name: 'news' }]
const LOGPROBS = { include: ['message.output_text.logprobs'] }

export const RESPONSE_CASES: Readonly<Record<string, ResponseCase>> = {
  'a text': {},
  'a text of many characters': { body: { input: 'naïve "日本語" 👩‍👩‍👧 \n\u0001 and 𓀀 '.repeat(9) } },
  'an empty text': { fault: 'empty-text' },
  'a refusal': { scenario: { replies: [{ refuse: 'I cannot help with that.' }] } },
  'one call': { scenario: { replies: [{ call: { name: 'weather', arguments: { city: 'Rome' } } }] }, body: TOOLS },
  'a call of generated arguments': { body: { ...TOOLS, tool_choice: 'required' } },
  'parallel calls': { scenario: { replies: [{ call: [WEATHER, NEWS, WEATHER] }] }, body: TOOLS },
  reasoning: { scenario: REASONING },
  'reasoning and calls': {
    scenario: { ...REASONING, replies: [{ call: [WEATHER, NEWS] }] },
    body: TOOLS,
  },
  'reasoning with a summary': { scenario: REASONING, body: { reasoning: { summary: 'auto' } } },
  'encrypted reasoning': { scenario: REASONING, body: { include: ['reasoning.encrypted_content'], store: false } },
  'a text cut by its tokens': { body: { input: 'one two three '.repeat(20), max_output_tokens: 16 } },
  'a call cut by its tokens': {
    scenario: { replies: [{ call: { name: 'weather', arguments: { city: 'word '.repeat(50) } } }] },
    body: { ...TOOLS, max_output_tokens: 20 },
  },
  'reasoning without room for a text': { scenario: REASONING, body: { max_output_tokens: 64 } },
  'a text stopped by the content filter': { scenario: { replies: [{ say: 'Well', finish: 'content_filter' }] } },
  logprobs: { body: { ...LOGPROBS, top_logprobs: 3 } },
  'logprobs without alternatives': { body: LOGPROBS },
  'a text of a schema': {
    body: { text: { format: { type: 'json_schema', name: 'trip', schema: closed, strict: true } } },
  },
  'a JSON object': { body: { text: { format: { type: 'json_object' }, verbosity: 'low' } } },
  'every echo': {
    body: {
      ...TOOLS,
      instructions: 'Be brief.',
      max_tool_calls: 3,
      metadata: { a: 'b' },
      parallel_tool_calls: false,
      prompt_cache_key: 'k',
      prompt_cache_options: { mode: 'explicit' },
      prompt_cache_retention: '24h',
      safety_identifier: 's',
      service_tier: 'priority',
      temperature: 0.5,
      tool_choice: 'auto',
      top_p: 0.9,
      truncation: 'auto',
      user: 'u',
    },
  },
}

/** An event of a stream, by its name and its data. */
export interface NamedEvent {
  readonly name: string
  readonly data: Json
}

/** The events of a streamed response. */
export const eventsIn = (text: string): readonly NamedEvent[] =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => {
      const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(event)!
      return { name: name!, data: JSON.parse(data!) }
    })

function answer({ scenario, body, fault }: ResponseCase, more: object): string {
  const headers = fault === undefined ? {} : { 'x-mock-fault': fault }
  const asked = { model: 'm', input: 'Hello there! How do you say {"json": true}?', ...body, ...more }
  const { status, text } = mockWith(scenario).answer({ path: '/v1/responses', body: asked, headers })
  if (status !== 200) throw new Error(text)
  return text
}

/** The answer to a case as JSON. */
export const responseTo = (one: ResponseCase): Json => JSON.parse(answer(one, {}))

/** The answer to a case as events. */
export const eventsTo = (one: ResponseCase, more: object = {}): readonly NamedEvent[] =>
  eventsIn(answer(one, { stream: true, stream_options: { include_obfuscation: true }, ...more }))
