/** The kinds of calls of a soak, in their shares, and how much of each answer is read. */
import { Random } from '../../src/core/lib/random/random.ts'

/** How a client takes its answer: to the end, or leaving at the first data, or before there is any. */
export type Reading = 'whole' | 'leaves at first data' | 'leaves at once'

export interface SoakCall {
  readonly kind: string
  readonly endpoint: 'chat' | 'embeddings'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly reading: Reading
}

interface Kind {
  readonly weight: number
  readonly endpoint?: 'chat' | 'embeddings'
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly reading?: Reading
  /** A text is sent as it is. */
  body(random: Random): object | string
}

const WORDS = [
  'hello',
  'weather in Oslo',
  'sequence',
  'a somewhat longer text that says nothing',
  'naïve 🦜',
  'x'.repeat(400),
]
const word = (random: Random): string => WORDS[random.below(WORDS.length)]!
// Few different ones: what is remembered of each request of a key is bounded, but would fill up all along the soak.
const messages = (random: Random) => [{ role: 'user', content: `${word(random)} ${random.below(3)}` }]
const chat =
  (more: object = {}, model = 'echo-1') =>
  (random: Random) => ({ model, messages: messages(random), ...more })
const embeddings =
  (more: object = {}) =>
  (random: Random) => ({ model: 'hash-1', input: [word(random), 'b'], ...more })
const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }]
const faulty = (weight: number, fault: string, more: Partial<Kind> = {}): Kind => ({
  ...{ weight, headers: { 'x-mock-fault': fault }, body: chat() },
  ...more,
})

const KINDS: Readonly<Record<string, Kind>> = {
  chat: { weight: 40, body: chat() },
  'chat with tools': { weight: 5, body: chat({ tools }) },
  'chat, explained': { weight: 3, headers: { 'x-mock-explain': '1' }, body: chat({ n: 3 }) },
  stream: { weight: 15, body: chat({ stream: true, stream_options: { include_usage: true } }) },
  'stream, paced': { weight: 3, body: chat({ stream: true }, 'paced-1') },
  'queued chat': { weight: 3, body: chat({}, 'queued-1') },
  'embeddings, float': { weight: 8, endpoint: 'embeddings', body: embeddings() },
  'embeddings, base64': { weight: 8, endpoint: 'embeddings', body: embeddings({ encoding_format: 'base64' }) },
  'limited key': { weight: 3, key: 'sk-tight', body: chat() },
  'wrong type': { weight: 3, body: chat({ temperature: 'hot' }) },
  'no JSON': { weight: 2, body: () => '{"model": "echo-1", "messages"' },
  'no key': { weight: 2, key: '', body: chat() },
  'revoked key': { weight: 1, key: 'sk-revoked', body: chat() },
  'fault 429': faulty(1, 'rate-limit; retry-after=1'),
  'fault 503': faulty(1, 'overloaded'),
  'fault cut': faulty(1, 'cut; after=2', { body: chat({ stream: true }) }),
  'fault reset': faulty(0.5, 'reset-before-headers'),
  'fault half body': faulty(0.5, 'half-body'),
  'fault hang, left': faulty(0.2, 'hang', { reading: 'leaves at once' }),
  'stream, left': { weight: 2, reading: 'leaves at first data', body: chat({ stream: true }, 'minute-1') },
  'slow chat, left': { weight: 0.5, reading: 'leaves at once', body: chat({}, 'minute-1') },
}

const all = Object.entries(KINDS)
let total = 0
/** Where the share of each kind ends. */
const ends = all.map(([, { weight }]) => {
  total += weight
  return total
})

/** The n-th call of a soak: the same every time. */
export function soakCall(number: number): SoakCall {
  const random = new Random(`soak|${number}`)
  const place = random.fraction() * total
  const [kind, { endpoint = 'chat', key = `sk-soak-${number % 200}`, headers = {}, reading = 'whole', body }] =
    all[ends.findIndex((end) => place < end)] ?? all[0]!
  const asked = body(random)
  return {
    ...{ kind, endpoint, reading, body: typeof asked === 'string' ? asked : JSON.stringify(asked) },
    headers: { 'content-type': 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }), ...headers },
  }
}
