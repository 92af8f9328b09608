/** The simulated prompt cache: what a prompt reads from it, and what it writes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from '../../../../../src/core/decide/pipeline/decide.ts'
import type { ScenarioSource } from '../../../../../src/core/scenario/scenario-source.ts'
import { type CallOverrides, type CoreMock, chunksIn, mockWith, read } from '../../../../support/core.ts'

const SYSTEM = { role: 'system', content: 'Answer in one short sentence. '.repeat(200) }
const user = (content: unknown) => ({ role: 'user', content })
const FIRST = [SYSTEM, user('What is the weather in Rome?')]
const SECOND = [...FIRST, { role: 'assistant', content: 'Sunny.' }, user('And in Oslo?')]
const MINUTE = 60_000
const HOUR = 60 * MINUTE

interface Details {
  readonly prompt: number
  readonly cached: number
  readonly written: number | undefined
}

interface Sent extends Omit<CallOverrides, 'body'> {
  readonly model?: string
  readonly body?: object
}

/** Sends messages, and returns what the usage says of the cache, and what the journal says that the call wrote. */
function send(mock: CoreMock, messages: readonly object[], { model = 'gpt-4o', body, ...call }: Sent = {}): Details {
  const { plan, effects, usage: spent } = decide(mock.context({ ...call, body: { model, messages, ...body } }))
  mock.apply(...effects)
  const { usage } = JSON.parse(read(plan).text)
  const cached = usage.prompt_tokens_details.cached_tokens
  return { prompt: usage.prompt_tokens, cached, written: spent?.cache?.cacheWriteTokens }
}

const caching = (more: Partial<ScenarioSource> = {}) => mockWith({ cache: 'prefixes', ...more })
const marked = (text: string, ttl?: string) => ({
  type: 'text',
  text,
  prompt_cache_breakpoint: { mode: 'explicit', ...(ttl !== undefined && { ttl }) },
})

describe('with cache: prefixes', () => {
  test('the second turn reads what the first wrote, in steps of 128 tokens', () => {
    const mock = caching()
    expect(send(mock, FIRST)).toEqual({ prompt: 1219, cached: 0, written: 1152 })
    expect(send(mock, SECOND)).toEqual({ prompt: 1233, cached: 1152, written: 0 })
    const third = [...SECOND, { role: 'assistant', content: 'Cold.' }, user('Why? '.repeat(100))]
    expect(send(mock, third)).toEqual({ prompt: 1444, cached: 1152, written: 256 })
    expect(send(mock, third)).toEqual({ prompt: 1444, cached: 1408, written: 0 })
  })

  test('a change of an early token is a miss, and one of a late token is not', () => {
    const mock = caching()
    send(mock, FIRST)
    expect(send(mock, [{ ...SYSTEM, content: `Please a${SYSTEM.content.slice(1)}` }, FIRST[1]!]).cached).toBe(0)
    expect(send(mock, [SYSTEM, user('Where is Rome?')]).cached).toBe(1152)
  })

  test('a prompt of less than 1,024 tokens is answered as without a cache', () => {
    const [cached, uncached] = [caching(), mockWith()]
    const body = { model: 'gpt-4o', messages: [user('word '.repeat(1015))] }
    const answers = [cached, uncached].map((mock) => [1, 2].map(() => mock.answer({ body }).text))
    expect(answers[0]).toEqual(answers[1])
    expect(JSON.parse(answers[0]![0]!).usage.prompt_tokens).toBe(1023)
    expect(send(cached, [user('word '.repeat(1016))])).toEqual({ prompt: 1024, cached: 0, written: 1024 })
  })

  test('keys, models and cache keys share nothing; a snapshot is its model', () => {
    const mock = caching({ models: { 'gpt-4o': { snapshot: 'gpt-4o-2024-08-06' }, '*': {} } })
    const routed = { body: { prompt_cache_key: 'agent-7' } }
    send(mock, FIRST)
    expect(send(mock, FIRST, { key: 'sk-other' }).cached).toBe(0)
    expect(send(mock, FIRST, { model: 'gpt-4o-mini' }).cached).toBe(0)
    expect(send(mock, FIRST, routed).cached).toBe(0)
    expect(send(mock, FIRST, routed).cached).toBe(1152)
    expect(send(mock, FIRST, { body: { prompt_cache_key: 'agent-8' } }).cached).toBe(0)
    expect(send(mock, FIRST, { model: 'gpt-4o-2024-08-06' }).cached).toBe(1152)
  })

  test('sessions of a key share nothing', () => {
    const mock = caching()
    const inSession = (name: string) => send(mock, FIRST, { headers: { 'x-mock-session': name } }).cached
    expect(['a', 'b', 'a'].map(inSession)).toEqual([0, 0, 1152])
    expect(send(mock, FIRST).cached).toBe(0)
  })

  test('a prefix lives for 5 minutes after its last use', () => {
    const mock = caching()
    const at = (now: number): number => send(mock, FIRST, { now }).cached
    expect([0, 5 * MINUTE - 1, 10 * MINUTE - 2, 15 * MINUTE - 2].map(at)).toEqual([0, 1152, 1152, 0])
  })

  test('with prompt_cache_retention 24h it lives for 24 hours after its last use', () => {
    const mock = caching()
    const body = { prompt_cache_retention: '24h' }
    const at = (now: number): number => send(mock, FIRST, { now, body }).cached
    expect([0, 24 * HOUR - 1, 48 * HOUR - 2, 72 * HOUR].map(at)).toEqual([0, 1152, 1152, 0])
    send(mock, FIRST, { now: 100 * HOUR, body: { prompt_cache_retention: 'in_memory' } })
    expect(send(mock, FIRST, { now: 100 * HOUR + 5 * MINUTE }).cached).toBe(0)
  })

  test('tools come first: changing one is a miss, choosing among them is not', () => {
    const mock = caching()
    const tool = (nested: string) => ({
      type: 'function',
      function: { name: 'f', parameters: { type: 'object', properties: { a: { type: 'object', title: nested } } } },
    })
    const body = { tools: [tool('one')] }
    send(mock, FIRST, { body })
    expect(send(mock, FIRST, { body: { ...body, tool_choice: 'none' } }).cached).toBe(1152)
    expect(send(mock, FIRST, { body: { tools: [tool('two')] } }).cached).toBe(0)
    expect(send(mock, FIRST).cached).toBe(0)
  })

  test('the schema of the answer comes before the messages', () => {
    const mock = caching()
    const format = (name: string) => ({
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { type: 'object', properties: { [name]: { type: 'string' } } } },
      },
    })
    send(mock, FIRST, { body: format('a') })
    expect(send(mock, FIRST, { body: format('b') }).cached).toBe(0)
    expect(send(mock, FIRST, { body: format('a') }).cached).toBe(1152)
  })

  test('images are part of a prefix, by their address and detail', () => {
    const mock = caching()
    const image = (url: string, detail = 'high') => ({ type: 'image_url', image_url: { url, detail } })
    const ask = (...images: object[]) => send(mock, [user([...images, { type: 'text', text: 'What is this?' }])])
    const [a, b] = [image('https://a/1.png'), image('https://a/2.png')]
    expect(ask(a, a)).toEqual({ prompt: 1541, cached: 0, written: 1536 })
    expect(ask(a, a).cached).toBe(1536)
    expect(ask(a, b).cached).toBe(0)
    expect(ask(b, a).cached).toBe(0)
    expect(ask(image('https://a/1.png', 'auto'), a).cached).toBe(0)
  })

  test('what is no part of the prompt changes nothing', () => {
    const mock = caching()
    send(mock, FIRST)
    expect(send(mock, FIRST, { body: { temperature: 0.3, max_tokens: 5, user: 'u', store: true } }).cached).toBe(1152)
  })

  test('a stream reads and writes the same cache, and says so in its last chunk', () => {
    const mock = caching()
    send(mock, FIRST)
    const body = { model: 'gpt-4o', messages: SECOND, stream: true, stream_options: { include_usage: true } }
    const usage = chunksIn(mock.answer({ body }).text).at(-1).usage
    expect(usage.prompt_tokens_details).toEqual({ cached_tokens: 1152, audio_tokens: 0 })
  })

  test('explicit breakpoints are cached to the token, for 30 minutes or 12 hours', () => {
    const mock = caching()
    const messages = (ttl?: string) => [{ role: 'system', content: [marked(SYSTEM.content, ttl)] }, user('Hi')]
    const only = { body: { prompt_cache_options: { mode: 'explicit' } } }
    const first = send(mock, messages(), only)
    expect(first).toEqual({ prompt: 1213, cached: 0, written: 1204 })
    expect(send(mock, messages(), { ...only, now: 30 * MINUTE - 1 })).toMatchObject({ cached: 1204, written: 0 })
    expect(send(mock, messages(), { ...only, now: 61 * MINUTE }).cached).toBe(0)
    send(mock, messages('12h'), { ...only, now: 61 * MINUTE })
    expect(send(mock, messages(), { ...only, now: 61 * MINUTE + 12 * HOUR - 1 }).cached).toBe(1204)
  })

  test('mode explicit without a breakpoint neither reads nor writes', () => {
    const mock = caching()
    const only = { body: { prompt_cache_options: { mode: 'explicit' } } }
    send(mock, FIRST)
    expect(send(mock, FIRST, only)).toMatchObject({ cached: 0, written: 0 })
    const fresh = caching()
    send(fresh, FIRST, only)
    expect(send(fresh, FIRST).cached).toBe(0)
  })

  test('explicit breakpoints are written beside the steps, the latest three', () => {
    const mock = caching()
    const parts = Array.from({ length: 4 }, (_, index) => marked(`${index} ${'word '.repeat(1100)}`))
    send(mock, [user(parts)])
    const only = { body: { prompt_cache_options: { mode: 'explicit' } } }
    const cached = [1, 2, 3, 4].map((count) => send(mock, [user(parts.slice(0, count))], only).cached)
    expect(cached[0]).toBe(0)
    expect(cached.slice(1)).toEqual([2207, 3309, 4411])
  })

  test('a step that is longer than a breakpoint before it is read', () => {
    const mock = caching()
    const messages = [user([marked(SYSTEM.content), { type: 'text', text: 'word '.repeat(400) }])]
    send(mock, messages)
    expect(send(mock, messages)).toEqual({ prompt: 1609, cached: 1536, written: 0 })
  })
})

describe('with cache: breakpoints', () => {
  const mockOf = () => mockWith({ cache: 'breakpoints' })

  test('the prefix up to the content of the last user message is cached to the token', () => {
    const mock = mockOf()
    // What follows the content is the end of the message and the beginning of the answer.
    expect(send(mock, FIRST)).toEqual({ prompt: 1219, cached: 0, written: 1215 })
    expect(send(mock, SECOND)).toEqual({ prompt: 1233, cached: 1215, written: 14 })
    expect(send(mock, SECOND)).toEqual({ prompt: 1233, cached: 1229, written: 0 })
  })

  test('a message that ends after a breakpoint is read, and of the earlier messages none is written', () => {
    const mock = mockOf()
    const messages = [user([marked(SYSTEM.content), { type: 'text', text: 'word '.repeat(400) }])]
    const { prompt, written } = send(mock, messages)
    expect(send(mock, messages)).toEqual({ prompt, cached: written, written: 0 })
    const turns = [user('word '.repeat(1100)), { role: 'assistant', content: 'Yes.' }, user('And now?')]
    send(mock, turns)
    expect(send(mock, [turns[0]!, user('Something else.')]).cached).toBe(0)
  })

  test('an equal beginning before another last message is no hit, unless it is marked', () => {
    const mock = mockOf()
    const ask = (system: unknown, question: string) => send(mock, [{ role: 'system', content: system }, user(question)])
    ask(SYSTEM.content, 'Where is Rome?')
    expect(ask(SYSTEM.content, 'Where is Oslo?').cached).toBe(0)
    ask([marked(SYSTEM.content)], 'Where is Rome?')
    expect(ask([marked(SYSTEM.content)], 'Where is Bern?')).toMatchObject({ cached: 1204 })
  })

  test('the result of a tool ends a prefix as a user message does', () => {
    const mock = mockOf()
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
    const loop = [
      ...FIRST,
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' },
    ]
    const first = send(mock, FIRST)
    const second = send(mock, loop)
    expect(second.cached).toBe(first.written)
    expect(send(mock, [...loop, { role: 'assistant', content: 'It is sunny.' }, user('Thanks')]).cached).toBe(
      second.cached + second.written!,
    )
  })

  test('a prefix lives for 30 minutes after its last use', () => {
    const mock = mockOf()
    const at = (now: number): number => send(mock, FIRST, { now }).cached
    expect([0, 30 * MINUTE - 1, 60 * MINUTE].map(at)).toEqual([0, 1215, 0])
  })
})

describe('what writes', () => {
  const failing = (fault: string) => ({ headers: { 'x-mock-fault': fault } })

  test.each(['server-error', 'rate-limit', 'invalid-key', 'hang', 'reset-before-headers'])(
    '%s writes nothing',
    (fault) => {
      const mock = caching()
      mock.plan({ body: { model: 'gpt-4o', messages: FIRST }, ...failing(fault) })
      expect(send(mock, FIRST).cached).toBe(fault === 'hang' || fault === 'reset-before-headers' ? 1152 : 0)
    },
  )

  test('a call that is refused writes nothing', () => {
    const mock = caching({
      models: { 'gpt-4o': { contextTokens: 100 }, '*': {} },
      limits: { requests: '1 per minute' },
    })
    const status = (model: string, now: number) => mock.answer({ body: { model, messages: FIRST }, now }).status
    expect(status('gpt-4o', 0)).toBe(400)
    expect(status('gpt-5', 1)).toBe(429)
    expect(send(mock, FIRST, { model: 'gpt-5', now: MINUTE }).cached).toBe(0)
  })

  test('a fault that cannot apply writes nothing', () => {
    const mock = caching()
    expect(mock.answer({ body: { model: 'gpt-4o', messages: FIRST }, ...failing('missing-done') }).status).toBe(400)
    expect(send(mock, FIRST).cached).toBe(0)
  })

  test('a stream that breaks, and an answer that a fault changes, have written', () => {
    for (const fault of ['cut; after=1', 'stream-error', 'empty-text']) {
      const mock = caching()
      mock.plan({ body: { model: 'gpt-4o', messages: FIRST, stream: true }, ...failing(fault) })
      expect(send(mock, FIRST).cached, fault).toBe(1152)
    }
  })

  test('deciding writes nothing until its effects are applied, and a reset clears everything', () => {
    const mock = caching()
    mock.context({ body: { model: 'gpt-4o', messages: FIRST } })
    expect(send(mock, FIRST).cached).toBe(0)
    mock.apply({ type: 'reset', now: 0 })
    expect(send(mock, FIRST).cached).toBe(0)
  })
})

test('only models with breakpoints tell in usage what a call writes, short prompts included', () => {
  const writtenBy = (cache: 'prefixes' | 'breakpoints', messages: readonly object[]) =>
    caching({ cache }).json({ body: { model: 'gpt-4o', messages } }).usage.prompt_tokens_details.cache_write_tokens
  expect([writtenBy('prefixes', FIRST), writtenBy('prefixes', [user('Hi')])]).toEqual([undefined, undefined])
  expect([writtenBy('breakpoints', FIRST), writtenBy('breakpoints', [user('Hi')])]).toEqual([1215, 0])
})

test('without a cache no call says anything of one', () => {
  const mock = mockWith({ models: { 'gpt-4': { cache: 'none' }, '*': {} } })
  for (const model of ['gpt-4', 'gpt-4o']) {
    send(mock, FIRST, { model })
    expect(send(mock, FIRST, { model })).toMatchObject({ cached: 0, written: undefined })
  }
  expect(
    caching({ models: { 'gpt-4': { cache: 'none' } } }).json({ body: { model: 'gpt-4', messages: FIRST } }).usage
      .prompt_tokens_details,
  ).toEqual({ cached_tokens: 0, audio_tokens: 0 })
})

test('random conversations read exactly what a plain list of all earlier prompts allows', () => {
  const turn = fc.record({
    key: fc.constantFrom('sk-a', 'sk-b'),
    route: fc.constantFrom(undefined, 'r'),
    blocks: fc.array(fc.constantFrom(0, 0, 0, 1), { minLength: 2, maxLength: 6, size: 'max' }),
    gapMs: fc.constantFrom(0, MINUTE, 4 * MINUTE, 6 * MINUTE),
  })
  // Each message is 64 * 6 - 4 tokens, and a frame of 4 with its role.
  const content = (block: number): string => ['one', 'two'][block]!.concat(` ${['one', 'two'][block]}`.repeat(379))
  let hits = 0
  fc.assert(
    fc.property(fc.array(turn, { minLength: 5, maxLength: 12 }), (turns) => {
      const mock = caching()
      const sent: { scope: string; blocks: readonly number[]; at: number; step: number }[] = []
      let now = 0
      for (const { key, route, blocks, gapMs } of turns) {
        now += gapMs
        const scope = `${key} ${route}`
        const details = send(
          mock,
          blocks.map((block) => user(content(block))),
          {
            key,
            now,
            body: route === undefined ? {} : { prompt_cache_key: route },
          },
        )
        expect(details.prompt).toBe(3 + 384 * blocks.length)
        let cached = 0
        for (let step = 1024; step <= details.prompt; step += 128) {
          const isKnown = sent.some(
            (one) =>
              one.scope === scope &&
              one.step === step &&
              now < one.at + 5 * MINUTE &&
              sameUpTo(one.blocks, blocks, step),
          )
          if (isKnown) cached = step
        }
        expect(details.cached).toBe(cached)
        const longest = details.prompt < 1024 ? 0 : details.prompt - (details.prompt % 128)
        expect(details.written).toBe(details.prompt < 1024 ? undefined : longest - cached)
        for (let step = 1024; step <= longest; step += 128) sent.push({ scope, blocks, at: now, step })
        if (cached > 0) hits++
      }
    }),
    // Seeded, so that there are always hits.
    { numRuns: 50, seed: 14 },
  )
  expect(hits).toBeGreaterThan(10)
})

/** Whether two prompts of such messages are equal in their first tokens. Three tokens after the last message begin another. */
function sameUpTo(a: readonly number[], b: readonly number[], tokens: number): boolean {
  const full = Math.ceil(tokens / 384)
  for (let index = 0; index < full; index++) if (a[index] !== b[index]) return false
  return true
}

test('the usage of a cached call is pinned', () => {
  const mock = caching()
  const call = { body: { model: 'gpt-4o', messages: FIRST } }
  mock.plan(call)
  expect(JSON.parse(read(mock.plan(call)).text).usage).toMatchInlineSnapshot(`
    {
      "completion_tokens": 7,
      "completion_tokens_details": {
        "accepted_prediction_tokens": 0,
        "audio_tokens": 0,
        "reasoning_tokens": 0,
        "rejected_prediction_tokens": 0,
      },
      "prompt_tokens": 1219,
      "prompt_tokens_details": {
        "audio_tokens": 0,
        "cached_tokens": 1152,
      },
      "total_tokens": 1226,
    }
  `)
})
