/** Scenarios of the whole grammar: whatever is made here can be used. A test holds the names to those of the schema. */
import fc from 'fast-check'
import { PACE_PROFILE_NAMES } from '../../src/core/scenario/compile/pace.ts'
import { faultFields } from './faults.ts'
import { KEYS, MODELS } from './fuzzed-scenarios.ts'

const some = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)
const oneOrMany = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 }))
const optional = <Shape>(shape: { [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> }) =>
  fc.record(shape, { requiredKeys: [] })

const duration = some('0ms', '1ms', '20ms', '0.5s', '2s', '1m30s', '1d')
const positive = some('1ms', '300ms', '5s', '1m', '1d')
const chance = some<string | number>(0, 1, 0.5, 1e-9, '0%', '5%', '99.9%', '100%')
const number = some(1, 2, 3, 1000, Number.MAX_SAFE_INTEGER)
const plain = fc.oneof(
  some('hi', 'weather', 'x', ' ', 'é', '🦜', '__proto__', 'toString', 'a: b', '- x', '#', '"', "'", '{{', '{{nobody}'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).filter((text) => !/^\/|\{\{|__proto__/.test(text)),
)
const pattern = some(
  '/hi/',
  '/weather in (?<city>\\w+)/i',
  '/^$/',
  '/(a|aa)+$/',
  '/\\p{L}/u',
  '/./s',
  '/[^\\x00]/',
  '/(?<user>.*)/',
)
const texts = oneOrMany(fc.oneof(plain, pattern))
const globs = some(
  ...['*', '*', '*', '*', '*'],
  'sk-*',
  'gpt-*',
  '*-1',
  '**',
  ...KEYS,
  ...MODELS.filter((name) => name !== ''),
)
const tools = some('get_weather', 'f', 'g*', '*')
const template = fc.oneof(
  plain,
  some('{{user}}', '{{ model }} {{attempt}}.', '{{system}}{{toolResult}}', '{{turn}}', ''),
)

// What a call must have

/** Few of many conditions: with all of them no rule would ever match. */
const few = (record: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.tuple(record, fc.array(fc.nat(12), { maxLength: 2 })).map(([all, kept]) => {
    return Object.fromEntries(Object.entries(all).filter((_, index) => kept.includes(index)))
  })

const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value).replaceAll('"__proto__"', '"p"')))
const jsonObject = fc.dictionary(some('model', 'messages', 'input', 'a', 'b'), json, { maxKeys: 3 })
const whenOf = (states: readonly string[]) =>
  few(
    optional({
      ...{ user: texts, system: texts, toolResult: texts, model: oneOrMany(globs), key: oneOrMany(globs) },
      ...{ earlierUser: texts, earlierToolResult: texts },
      ...{ tool: oneOrMany(tools), endpoint: some('chat', 'embeddings'), stream: fc.boolean() },
      ...{ attempt: oneOrMany(number), turn: oneOrMany(number) },
      request: fc.oneof(jsonObject, some('no json', '{"model":"echo-1"}')),
      ...(states.length > 0 && { state: oneOrMany(some(...states)) }),
    }),
  )

// Faults

const spans = fc.oneof(
  some<object>({}),
  some<object>({ from: '1s' }, { until: '2s' }, { from: '0s', until: '1m' }),
  some<object>({ between: '1s and 2s' }, { between: ['0s and 1ms', '1m and 1d'] }),
)
/** A number of calls to skip. */
const skipped = number.map((skip) => ({ skip }))
const schedule = fc
  .tuple(
    few(
      optional({
        ...{ attempt: oneOrMany(number), chance, every: number, times: number },
        bursts: fc.record({ good: positive, bad: positive }),
      }),
    ),
    fc.oneof(fc.constant({}), skipped),
  )
  .map(([own, skips]) => ({ ...own, ...skips }))
const faultRule = (when: fc.Arbitrary<object>, isInState = false) =>
  fc
    .record({ fault: faultFields, when, schedule, spans: isInState ? some({}) : spans, hasWhen: fc.boolean() })
    .map(({ fault, when: all, schedule: own, spans: between, hasWhen }) => {
      const { attempt: _, ...others } = all as Record<string, unknown>
      return { ...fault, ...(hasWhen && { when: others }), ...own, ...between }
    })

// What is said

const call = fc.record(
  { name: some('get_weather', 'f', 'nobody'), arguments: fc.oneof(template, jsonObject) },
  { requiredKeys: ['name'] },
)
const base64 = (unit: number) =>
  fc.uint8Array({ maxLength: 8 }).map((bytes) => {
    return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % unit))).toString('base64')
  })
const vector = fc.oneof(
  fc.record({ base64: base64(1) }),
  fc.record(
    { floats: base64(4), between: some(',', ', ', '\n,\t'), exponents: fc.boolean() },
    { requiredKeys: ['floats'] },
  ),
)
const answerHead = optional({
  ...{ status: some(200, 201, 204, 205, 304, 400, 429, 500, 599), retryAfter: duration, cut: fc.boolean() },
  contentType: some('application/json', 'text/html; charset=utf-8', 'text/event-stream', 'a/b'),
})
const wholeAnswer = fc
  .tuple(answerHead, plain, fc.array(vector, { maxLength: 3 }), fc.boolean(), duration)
  .map(([head, body, vectors, hasVectors, wait]) => ({
    ...head,
    wait,
    body: hasVectors ? `${body}${'[{{vector}}]'.repeat(vectors.length)}` : body,
    ...(hasVectors && { vectors }),
  }))
const event = fc.oneof(
  some<object>({ data: '[DONE]' }, { data: '{"choices":[]}' }, { data: '' }),
  fc.record({ text: fc.oneof(plain, some('', ': ping\n\n', 'data: {\n\n', '\r\n')) }),
)
const AT = ['0ms', '1ms', '300ms', '2s', '1m', '1d']
const streamAnswer = fc
  .tuple(answerHead, fc.array(fc.tuple(event, fc.nat(AT.length - 1)), { maxLength: 4 }))
  .map(([head, events]) => {
    const places = events.map(([, place]) => place).sort((a, b) => a - b)
    return { ...head, events: events.map(([one], index) => ({ at: AT[places[index]!], ...one })) }
  })
const answer = oneOrMany(fc.oneof(wholeAnswer, streamAnswer))

const speech = fc.oneof(
  fc.record(
    {
      say: oneOrMany(fc.oneof(template, jsonObject)),
      finish: some('length', 'content_filter'),
      items: fc.array(fc.record({ type: some('web_search_call', 'mcp_call'), status: some('completed') }), {
        maxLength: 2,
      }),
    },
    { requiredKeys: ['say'] },
  ),
  fc.record({ call: oneOrMany(call) }),
  fc.record({ refuse: fc.oneof(plain, some('No, {{user}}.')) }),
)
/** An answer with a latency of its own, or without. */
const pacedSpeech = fc
  .tuple(
    speech,
    fc.oneof(fc.constant({}), fc.record({ delay: duration }), fc.record({ pace: fc.record({ firstToken: duration }) })),
  )
  .map((fields) => Object.assign({}, ...fields) as object)
const reply = (when: fc.Arbitrary<object>, hasAnswers: boolean) =>
  fc
    .tuple(
      when,
      fc.boolean(),
      hasAnswers ? fc.oneof(pacedSpeech, faultFields, fc.record({ answer })) : fc.oneof(pacedSpeech, faultFields),
    )
    .map(([all, hasWhen, what]) => {
      const { endpoint, ...others } = all as Record<string, unknown>
      const isForBoth = 'fault' in what || 'answer' in what
      return { ...(hasWhen && { when: isForBoth && endpoint !== undefined ? all : others }), ...what }
    })

// Limits, pace, names

const rates = fc.uniqueArray(
  fc.tuple(some(1, 3, 60, 90_000, 999_999_999_999), some('second', 'minute', 'hour', 'day')),
  {
    minLength: 1,
    maxLength: 3,
    selector: ([, window]) => window,
  },
)
const rate = fc.oneof(
  rates.map(([first]) => `${first![0]} per ${first![1]}`),
  rates.map((all) => all.map((one) => one.join(' per '))),
)
const ratesByKind = { requests: rate, tokens: rate, concurrent: some(1, 2, 1000) }
const limits = optional(ratesByKind)
const scenarioLimits = optional({ ...ratesByKind, charge: some('prompt', 'answer') })
const cache = some('prefixes', 'breakpoints', 'none')
const budget = optional({ requests: some(0, 1, 1000), tokens: some(0, 1, 1_000_000_000) })
const prices = fc.record(
  { input: some(0, 0.02, 1_000_000_000), cachedInput: some(0, 0.005), output: some(0, 0.000001, 75) },
  { requiredKeys: ['input', 'output'] },
)
const spread = fc.oneof(
  duration,
  some<object>({ min: '0ms', max: '0ms' }, { min: '1ms', max: '1d' }, { median: '300ms', p99: '900ms' }),
  some<object>(
    { median: '1ms', p99: '1ms' },
    { p10: '1ms', p99: '1d', 'p99.9': '1d' },
    { min: '2s', p50: '2s', p99: '2s', max: '2s', drawn: 'once' },
  ),
)
const pace = optional({
  profile: some(...PACE_PROFILE_NAMES),
  ...{ firstToken: spread, perToken: spread, perInputToken: spread, cachedInputToken: spread },
  load: some('0% per call', '20% per call', '99999.999% per call'),
  queue: fc.record({ concurrent: some(1, 2, 10_000), waiting: some(0, 1, 10_000) }),
})
const most = some('< 1s', '<= 300ms')
const expectations = optional({
  ...{ calls: some<string | number>(0, '<= 3', 'at least 1'), retries: some('<= 3') },
  ...{ errors: some<string | number>(0, '< 1%', '<= 3'), unrecovered: some<string | number>(0, '< 0.5%') },
  ...{ p50: most, p90: most, p95: most, p99: most },
})
const keySettings = fc
  .tuple(optional({ limits, budget, session: some('team-a', 'team-b') }), fc.option(faultFields))
  .map(([own, fault]) => ({ ...own, ...fault }))
const line = plain.filter((text) => !/[\p{Cc}\u2028\u2029]/u.test(text))
const supports = optional({
  ...{ without: fc.subarray(['stop', 'logprobs', 'top_p']), onlyDefault: fc.subarray(['temperature', 'top_p']) },
  responsesEfforts: fc.subarray(['low', 'medium', 'xhigh']),
  ...{ efforts: fc.subarray(['none', 'low', 'max']), choices: some(1, 8), jsonSchema: fc.boolean() },
  ...{ never: fc.subarray(['stop', 'parallel_tool_calls']), atEffortNone: fc.subarray(['temperature', 'logprobs']) },
  ...{ forbidden: fc.subarray(['logprobs']), unknown: fc.subarray(['audio', 'logprobs', 'reasoning_effort']) },
  ...{ verbosity: fc.subarray(['low', 'medium']), topLogprobs: some(0, 5), tools: fc.boolean(), images: fc.boolean() },
  functionTools: some('with effort none', 'without effort', 'in responses only'),
  ...{ audio: some('never', 'required'), webSearch: fc.boolean() },
})
const imageTokens = fc.oneof(
  fc.constant({ base: 70, tile: 140 }),
  optional({ plus: some(0, 1), most: some(1, 1536) }).map((more) => ({ patches: 1.2, ...more })),
)
const published = optional({
  ...{ rules: line, retires: some('2026-08-01', '2030-12-31') },
  ...{ replacement: line, prices: some('2026-08-01') },
})
const modelSettings = optional({
  ...{
    supports,
    unavailable: some('deprecated', 'responses-only', 'not-chat', 'other-endpoints'),
    images: imageTokens,
  },
  ...{
    inputTokens: number,
    effort: some('none', 'low', 'medium'),
    fingerprint: fc.boolean(),
    logprobsKey: fc.boolean(),
    uncertain: fc.subarray(['images', 'effort']),
    responses: optional({
      ...{ topP: some(0.98, 1), retention: some('in_memory', '24h'), phase: fc.boolean() },
      context: some('current_turn', 'all_turns'),
    }),
  },
  ...{ endpoint: some('chat', 'embeddings'), snapshot: line, contextTokens: number, maxOutputTokens: number },
  ...{ reasoning: fc.boolean(), dimensions: some(1, 2, 64, 8192), fixedDimensions: fc.boolean() },
  ...{ limits, prices, published, cache, pace },
})
const named = <Value>(value: fc.Arbitrary<Value>) => fc.dictionary(globs, value, { maxKeys: 3, noNullPrototype: true })

// The whole

const STATES = [[], [], ['up'], ['up', 'down'], ['toString', 'up', 'a-1_b', 'down']] as const
/** A ring of states, each with a way out, or states that are entered by hand. */
const statesOf = (names: readonly string[]) =>
  fc
    .tuple(
      fc.boolean(),
      ...names.map(() => optional({ faults: fc.array(faultRule(whenOf([]), true), { maxLength: 2 }), pace })),
    )
    .map(([isRing, ...all]) =>
      Object.fromEntries(
        all.map((state, index) => {
          const next = names[(index + 1) % names.length]!
          return [names[index]!, isRing ? { ...state, lasts: ['1 call', '20 calls', '30s'][index % 3]!, next } : state]
        }),
      ),
    )

const scenarioOf = (states: readonly string[], hasAnswers: boolean): fc.Arbitrary<Record<string, unknown>> => {
  const when = whenOf(states)
  const whole = fc.record(
    {
      ...{ $schema: some('./x.json'), description: plain, seed: some<string | number>(7, -1, 'a seed', '') },
      ...{
        validation: some('strict', 'lenient'),
        unmatched: some('echo', 'refuse'),
        limits: scenarioLimits,
        budget,
        cache,
        pace,
      },
      expect: expectations,
      ...{ keys: named(keySettings), models: named(modelSettings) },
      ignore: fc.array(some('user', 'metadata.trace_id', 'messages[*].content', 'messages[0]', '/\\d+/'), {
        maxLength: 2,
      }),
      replies: fc.array(reply(when, hasAnswers), { maxLength: 3 }),
      faults: fc.array(faultRule(when), { maxLength: 2 }),
    },
    { requiredKeys: ['description'] },
  )
  const priced = fc.tuple(whole, fc.option(fc.tuple(some(0, 0.05, 1_000_000_000), prices))).map(addDollars)
  return states.length === 0
    ? priced
    : fc.tuple(priced, statesOf(states)).map(([one, own]) => ({ ...one, states: own }))
}

/** Adds a budget in dollars, and the price of every model that it needs. */
function addDollars([scenario, dollars]: readonly [Record<string, unknown>, [number, object] | null]) {
  if (dollars === null) return scenario
  const [usd, prices] = dollars
  const models: Record<string, object> = { '*': {}, ...(scenario.models as object) }
  const priced = Object.entries(models).map(([name, model]) => [name, { ...model, prices }])
  const budget = { ...(scenario.budget as object), usd }
  return { ...scenario, budget, models: Object.fromEntries(priced) }
}

/** Any scenario that can be used, as the object that a file would be read to. */
export const scenarioSource: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  ...STATES.flatMap((states) => [scenarioOf(states, false), scenarioOf(states, true)]),
)
