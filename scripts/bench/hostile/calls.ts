/** Sixty calls that follow the API and are made to hold the event loop: each near a limit of size, count or depth. */
import { chat, chatAbout, chatFor, chatWith, embeddings, type HostileCall } from './call.ts'
import { characters, chinese, emoji, nestedArrays, nestedObjects, word, words } from './texts.ts'

const repeat = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index))
const record = (count: number, make: (index: number) => unknown): Record<string, unknown> =>
  Object.fromEntries(repeat(count, (index) => [`${word(index)}${index}`, make(index)]))
const tool = (name: string, parameters: unknown) => ({ type: 'function', function: { name, parameters } })

const pairOf = ($ref: string) => ({ type: 'object', properties: { a: { $ref }, b: { $ref } }, required: ['a', 'b'] })

const textCalls: readonly HostileCall[] = [
  chatAbout('a key of 5.6 MB in the text', () => `sk-${'aB3-_x'.repeat(933_334)}`),
  chatAbout('9.6 MB of Chinese with logprobs', () => chinese(3_200_000), { logprobs: true }),
  chatAbout('9.6 MB of Chinese', () => chinese(3_200_000)),
  chatAbout('1 MB of words with top_logprobs 20', () => words(80_000), { logprobs: true, top_logprobs: 20 }),
  chatAbout('1,000 words, n 128, with logprobs', () => words(1000), { n: 128, logprobs: true, top_logprobs: 20 }),
  chatAbout('9.6 MB of different words', () => words(690_000)),
  chatAbout('9.6 MB of different words, streamed', () => words(690_000), { stream: true }),
  chatAbout('120 KB of words, n 128, streamed', () => words(12_000), { n: 128, stream: true }),
  chatAbout('a word of 9.9 MB', () => 'a'.repeat(9_900_000)),
  chatAbout('a word of 1 MB of random letters', () => characters(1_000_000, 0x61, 26)),
  chatAbout('9.9 MB of spaces', () => ' '.repeat(9_900_000)),
  chatAbout('4.9 MB of line breaks', () => '\n'.repeat(4_900_000)),
  chatAbout('9.9 MB of digits', () => '1234567890'.repeat(990_000)),
  chatAbout('9.6 MB of emoji', () => emoji(2_400_000)),
  chatAbout('1 MB of emoji joined to one', () => Array(90_000).fill('👩').join('\u200d')),
  chatAbout('6 MB of zero-width spaces', () => '\u200b'.repeat(2_000_000)),
  chatAbout('4 MB of accents on one letter', () => `e${'\u0301'.repeat(2_000_000)}`),
  chatWith('8.4 MB of halves of surrogates', () => `"user":"${'\\ud800'.repeat(1_400_000)}"`),
  chatWith('9.6 MB of escapes', () => `"messages":[{"role":"user","content":"${'\\u0061'.repeat(1_600_000)}"}]`),
  chatAbout('9 MB of punctuation', () => "!?.,;:'".repeat(1_290_000)),
  chatAbout('5 MB of Korean', () => characters(1_700_000, 0xac00, 11_000)),
  chatAbout('4 MB of Arabic', () => characters(2_000_000, 0x0621, 41)),
  chatAbout('3 MB of JSON in a text', () =>
    JSON.stringify(repeat(150_000, (index) => ({ id: index, name: word(index) }))),
  ),
  chatAbout('3 MB of base64 in a text', () => Buffer.from(characters(2_250_000, 0x21, 90)).toString('base64')),
  chatAbout('four long stop texts', () => 'ab'.repeat(1_200_000), {
    stop: repeat(4, (index) => `${'ab'.repeat(600_000)}${index}`),
  }),
  chatAbout('four stop texts that nearly match everywhere', () => 'a'.repeat(2_000_000), {
    stop: repeat(4, (index) => `${'a'.repeat(100_000)}${index}`),
  }),
]

const listCalls: readonly HostileCall[] = [
  chat('120,000 messages', () => ({ messages: repeat(120_000, (index) => ({ role: 'user', content: word(index) })) })),
  chat('100,000 parts of a message', () => ({
    messages: [{ role: 'user', content: repeat(100_000, (index) => ({ type: 'text', text: word(index) })) }],
  })),
  chat('a name of 9 MB', () => ({ messages: [{ role: 'user', name: 'n'.repeat(9_000_000), content: 'Hello' }] })),
  chat('a model of 9 MB', () => ({ model: 'm'.repeat(9_000_000) })),
  chat('a user of 9 MB', () => ({ user: 'u'.repeat(9_000_000) })),
  chat('an image of 9.9 MB', () => {
    const image_url = { url: `data:image/png;base64,${'iVBORw0K'.repeat(1_237_000)}` }
    return { messages: [{ role: 'user', content: [{ type: 'image_url', image_url }] }] }
  }),
  chat('a sound of 9.9 MB', () => {
    const input_audio = { data: 'UklGRiQA'.repeat(1_237_000), format: 'wav' }
    return { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio }] }] }
  }),
  chat('128 tools with 100 properties each', () => ({
    tool_choice: 'required',
    tools: repeat(128, (index) =>
      tool(`f${index}`, { type: 'object', properties: record(100, () => ({ type: 'string' })) }),
    ),
  })),
  chat('60,000 tools', () => ({ tools: repeat(60_000, (index) => tool(`f${index}`, { type: 'object' })) })),
  chat('30,000 tool calls and their results', () => ({
    messages: repeat(30_000, (index) => [
      {
        role: 'assistant',
        tool_calls: [{ id: `call_${index}`, type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `call_${index}`, content: 'x' },
    ]).flat(),
  })),
  chat('500,000 entries of logit_bias', () => ({
    logit_bias: Object.fromEntries(repeat(500_000, (index) => [index, -100])),
  })),
  chat('300,000 unknown parameters', () => record(300_000, () => 1)),
  chat('380,000 entries of metadata', () => ({ metadata: record(380_000, () => 'x') })),
  chat('a prediction of 5 MB', () => ({ prediction: { type: 'content', content: words(550_000) } })),
  chatWith('9.9 MB of spaces between two fields', () => `${' '.repeat(9_900_000)}"n":1`),
  chatWith('arrays 4.9 million deep', () => `"metadata":${nestedArrays(4_900_000)}`),
  chatWith('arrays 5,000 deep', () => `"metadata":${nestedArrays(5000)}`),
  chatWith('objects 1.6 million deep', () => `"metadata":${nestedObjects(1_600_000)}`),
  chatWith('a number of 9.9 million digits', () => `"seed":${'9'.repeat(9_900_000)}`),
  chatWith('one field a million times', () => Array(1_000_000).fill('"n":1').join()),
  chatWith('3.3 million empty arrays', () => `"metadata":[${Array(3_300_000).fill('[]').join()}]`),
]

const schemaCalls: readonly HostileCall[] = [
  chatFor('a pattern of 1.2 million alternatives', () => ({
    type: 'string',
    pattern: `^(${Array(1_200_000).fill('ab').join('|')})$`,
  })),
  chatFor('anyOf of 3.4 MB', () => ({ anyOf: repeat(120_000, (index) => ({ const: `${word(index)}-${index}` })) })),
  chatFor('an enum of 500,000 values', () => ({ enum: repeat(500_000, word) })),
  chatFor('a $ref chain of 50,000', () => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      repeat(50_000, (index) => [
        `d${index}`,
        index === 49_999 ? { type: 'string' } : { $ref: `#/$defs/d${index + 1}` },
      ]),
    ),
  })),
  chatFor('20,000 patternProperties', () => ({
    type: 'object',
    patternProperties: Object.fromEntries(
      repeat(20_000, (index) => [`^${word(index)}[a-z]{1,9}$`, { type: 'string' }]),
    ),
    minProperties: 50,
  })),
  chatFor('50,000 required properties', () => {
    const properties = record(50_000, (index) => ({ type: 'integer', minimum: index }))
    return { type: 'object', properties, required: Object.keys(properties) }
  }),
  chatFor('allOf of 30,000 that contradict each other', () => ({
    allOf: repeat(30_000, (index) => ({ type: 'integer', not: { const: index } })),
  })),
  chatFor('a list of 10,000 different texts', () => ({
    ...{ type: 'array', minItems: 10_000, uniqueItems: true },
    items: { type: 'string', pattern: '^[a-z]{20}$' },
  })),
  chatFor('a schema of 30 levels that double', () => ({
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      repeat(30, (index) => [`d${index}`, index === 29 ? { type: 'string' } : pairOf(`#/$defs/d${index + 1}`)]),
    ),
  })),
]

const embeddingsCalls: readonly HostileCall[] = [
  embeddings('an array of 4.9 million tokens', () => ({ input: Array(4_900_000).fill(1) })),
  embeddings('2,048 inputs of 300 words', () => ({
    input: repeat(2048, (index) => words(300, index * 300)),
    dimensions: 1536,
  })),
  embeddings('2,048 inputs, base64', () => ({
    input: repeat(2048, (index) => word(index)),
    encoding_format: 'base64',
  })),
  embeddings('9.3 MB of different words', () => ({ input: words(670_000) })),
]

export const hostileCalls: readonly HostileCall[] = [...textCalls, ...listCalls, ...schemaCalls, ...embeddingsCalls]
