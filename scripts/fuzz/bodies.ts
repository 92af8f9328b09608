/** Request bodies: valid ones, those bent a bit, JSON of any shape, and bytes that are hardly text. */
import fc from 'fast-check'
import { EMBEDDING_FIELDS } from '../../src/core/decide/endpoints/embeddings-endpoint.ts'
import { CHAT_FIELDS } from '../../src/core/dialects/chat/chat-fields.ts'
import { keywordSchemas } from '../../test/core/lib/json-schema/corpus-keywords.ts'
import { looseSchemas, strictSchemas } from '../../test/core/lib/json-schema/corpus-shapes.ts'
import { unsatisfiable } from '../../test/core/lib/json-schema/corpus-unsatisfiable.ts'
import { chatBody, embeddingsBody } from '../../test/support/generated-calls.ts'
import { bent, junk } from './bent.ts'
import { MODELS } from './fuzzed-scenarios.ts'

const some = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)

// Valid, with every parameter

const schemas = [strictSchemas, looseSchemas, keywordSchemas].flatMap((corpus) => Object.values(corpus))
const goodSchema = some(...schemas)
const schema = fc.oneof(
  { weight: 6, arbitrary: goodSchema },
  { weight: 1, arbitrary: some(...unsatisfiable.map(([, one]) => one)) },
  { weight: 2, arbitrary: bent(goodSchema, ['type', 'items', '$ref', 'properties', 'pattern', 'const']) },
)
const name = some('get_weather', 'f', 'g-1', 'no name', '')
const functions = fc.record({ name, parameters: schema, strict: fc.boolean() }, { requiredKeys: ['name'] })
const tool = fc.oneof(
  { weight: 4, arbitrary: functions.map((one) => ({ type: 'function', function: one })) },
  { weight: 1, arbitrary: name.map((one) => ({ type: 'custom', custom: { name: one, format: { type: 'text' } } })) },
)
const choice = fc.oneof(
  some<unknown>('none', 'auto', 'required'),
  name.map((one) => ({ type: 'function', function: { name: one } })),
  name.map((one) => ({ type: 'custom', custom: { name: one } })),
  some('auto', 'required').map((mode) => ({ type: 'allowed_tools', allowed_tools: { mode, tools: [] } })),
)
const called = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }
const turns = some<unknown[]>(
  [{ role: 'user', content: 'Hi' }],
  [{ role: 'user', content: 'weather in Oslo, as json' }],
  [
    { role: 'user', content: 'call f' },
    { role: 'assistant', tool_calls: [called] },
  ],
  [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'weather in Oslo' },
    { role: 'assistant', content: null, tool_calls: [called] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"degrees":21}' },
  ],
  [{ role: 'function', name: 'f', content: null }],
  [
    { role: 'assistant', refusal: 'No.' },
    { role: 'developer', content: [{ type: 'text', text: 'x' }] },
  ],
  [{ role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] }],
  [
    {
      role: 'user',
      content: [
        { type: 'file', file: { filename: 'a.pdf' } },
        { type: 'text', text: 'x'.repeat(3000) },
      ],
    },
  ],
)
const extra: fc.Arbitrary<readonly [string, unknown]> = fc.oneof(
  fc.tuple(some('tools'), fc.array(tool, { maxLength: 3 })),
  fc.tuple(some('functions'), fc.array(functions, { maxLength: 2 })),
  fc.tuple(some('tool_choice'), choice),
  fc.tuple(some('function_call'), fc.oneof(some<unknown>('none', 'auto'), fc.record({ name }))),
  fc.tuple(
    some('response_format'),
    fc.record({ name: some('answer', 'a b'), schema, strict: fc.boolean() }).map((json_schema) => {
      return { type: 'json_schema', json_schema }
    }),
  ),
  fc.tuple(some('messages'), turns),
  some<readonly [string, unknown]>(
    ['logprobs', true],
    ['top_logprobs', 20],
    ['stream', true],
    ['stream_options', { include_usage: true, include_obfuscation: true }],
    ['parallel_tool_calls', false],
    ['n', 128],
    ['stop', ['e', ' ', 'Hello', '\u0000']],
    ['max_tokens', 1],
    ['max_completion_tokens', 3],
    ['prediction', { type: 'content', content: 'Hello there' }],
    ['reasoning_effort', 'none'],
    ['modalities', ['text', 'audio']],
    ['audio', { voice: 'alloy', format: 'wav' }],
    ['logit_bias', { 50256: -100 }],
    ['web_search_options', {}],
    ['verbosity', 'low'],
  ),
)
const modelOf = (...right: string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 8, arbitrary: some(...right) }, { weight: 1, arbitrary: some(...MODELS) })
const chatModel = modelOf('echo-1', 'gpt-4o', 'gpt-4', 'think-1', 'small-1', 'paced-1')
const extras = fc.oneof(some([]), fc.array(extra, { minLength: 1, maxLength: 3 }))
const chat = fc
  .tuple(chatBody, chatModel, extras)
  .map(([body, asked, more]) => ({ ...body, model: asked, ...Object.fromEntries(more) }))
const embeddings = fc
  .tuple(embeddingsBody, modelOf('hash-1', 'hash-fixed'))
  .map(([body, asked]) => ({ ...body, model: asked }))

// Bent

/** One parameter that is nearly right: at an edge of what it takes, or of another type. */
const nearMiss = (body: fc.Arbitrary<object>, parameters: readonly string[]): fc.Arbitrary<unknown> =>
  fc.tuple(body, some(...parameters), junk).map(([whole, parameter, value]) => ({ ...whole, [parameter]: value }))

const bodiesOf = (body: fc.Arbitrary<object>, parameters: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 20, arbitrary: body },
    { weight: 3, arbitrary: nearMiss(body, parameters) },
    { weight: 3, arbitrary: bent(body, parameters) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  )

// As text and bytes

const deep = fc.tuple(some(10, 100, 1000, 3000), some('[', '{"a":', '[{"a":')).map(([times, open]) => {
  return `${open.repeat(times)}1${(open.includes('{') ? (open.startsWith('[') ? '}]' : '}') : ']').repeat(times)}`
})
const rawField = fc.oneof(
  some('"seed":1e999', '"n":-1e999', `"max_tokens":${'9'.repeat(400)}`, '"temperature":1e-400', '"n":1.0', '"n":1E0'),
  some('"model":"echo-1"', '"model":"hash-1"', '"messages":[]', '"input":"x"', '"stream":true', '"stream":"true"'),
  some('"__proto__":{"model":"x"}', '"constructor":{"prototype":{}}', '"toString":1', '"":""', '"\\ud800":"\\udfff"'),
  fc.tuple(some('metadata', 'zzz', 'messages', 'input', 'tools', 'response_format'), deep).map(([key, value]) => {
    return `"${key}":${value}`
  }),
)
const written = (body: unknown): string => JSON.stringify(body) ?? ''
const textOf = (body: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 30, arbitrary: body.map(written) },
    { weight: 1, arbitrary: body.map((one) => JSON.stringify(one, null, '\t\r\n ') ?? '') },
    {
      weight: 2,
      arbitrary: fc.tuple(body, rawField, fc.boolean()).map(([one, field, isFirst]) => withField(one, field, isFirst)),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(body.map(written), fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
    },
    {
      weight: 1,
      arbitrary: some('', '{', '[]', 'null', '{}', '{}{}', '"', '\u0000', '{"model":"echo-1"}', 'NaN', "{'a':1}"),
    },
  )

/** A field beside the others, or in front of one of the same name. */
function withField(body: unknown, field: string, isFirst: boolean): string {
  const text = written(body)
  if (!text.startsWith('{')) return `{${field}}`
  const inside = text.slice(1, -1)
  if (inside === '') return `{${field}}`
  return isFirst ? `{${field},${inside}}` : `{${inside},${field}}`
}

const BYTES = [[0xff, 0xfe], [0xc0, 0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf5], [0], [0xef, 0xbb, 0xbf], [0x80]]
const bytesOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 30, arbitrary: text.map((one) => Buffer.from(one)) },
    { weight: 1, arbitrary: text.map((one) => Buffer.from(`\ufeff${one}`)) },
    {
      weight: 1,
      arbitrary: fc.tuple(text, some('utf16le' as const, 'latin1' as const)).map(([one, as]) => Buffer.from(one, as)),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(text, some(...BYTES), fc.nat()).map(([one, sly, at]) => {
        const bytes = Buffer.from(one)
        const place = at % (bytes.length + 1)
        return Buffer.concat([bytes.subarray(0, place), Buffer.from(sly), bytes.subarray(place)])
      }),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  )

/** Bodies of chats, as bytes. */
export const chatBytes = bytesOf(textOf(bodiesOf(chat, CHAT_FIELDS.names)))
/** Bodies of embeddings calls, as bytes. */
export const embeddingsBytes = bytesOf(textOf(bodiesOf(embeddings, EMBEDDING_FIELDS.names)))
