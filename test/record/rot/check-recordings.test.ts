/** The rot of recordings: each kind is found in its tier, and healthy recordings are silent. */
import { expect, test } from 'vitest'
import type { ScenarioSource } from '../../../src/core/scenario/scenario-source.ts'
import type { SentRequest } from '../../../src/engine/index.ts'
import { type CheckedCassette, checkRecordings } from '../../../src/record/rot/check-recordings.ts'
import { hasRecordings, readRecordings } from '../../support/recorded.ts'
import { hasRecordedResponses, readRecordedResponses } from '../../support/recorded-responses.ts'

const TODAY = new Date('2026-11-23T12:00:00Z')
const created = Date.parse('2026-11-01T00:00:00Z') / 1000
const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created,
  model: 'gpt-5.2-2025-12-11',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello!', refusal: null, annotations: [] },
      finish_reason: 'stop',
    },
  ],
  usage: {
    prompt_tokens: 8,
    completion_tokens: 2,
    total_tokens: 10,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  },
  service_tier: 'default',
  system_fingerprint: null,
}

const chat = (body: object): SentRequest['body'] => ({
  model: 'gpt-5.2',
  messages: [{ role: 'user', content: 'Hi' }],
  ...body,
})
const cassette = (
  request: object,
  answer: object = COMPLETION,
  more: Partial<ScenarioSource> = {},
): ScenarioSource => ({
  description: 'Recorded.',
  ...more,
  replies: [{ when: { endpoint: 'chat', request: chat(request) }, answer: { body: JSON.stringify(answer) } }],
})
const say = (content: string) => ({ messages: [{ role: 'user', content }] })
const stream = (...events: readonly string[]) => ({ events: events.map((text) => ({ at: '0s', text })) })
const responseEvents = (names: readonly string[]): string[] =>
  names.map((name) => `event: response.${name}\ndata: {"type":"response.${name}"}\n\n`)

/** The kinds of rot that are planted: a cassette, the request of the app if it differs, and the findings. */
const PLANTED: Readonly<Record<string, readonly [ScenarioSource, object | undefined, readonly string[], boolean]>> = {
  'a model that was shut down': [
    cassette({ model: 'o3-mini', ...say('shut down') }),
    undefined,
    ['would be refused: the service has shut o3-mini down on 2026-10-23; the service recommends gpt-5.6-sol'],
    true,
  ],
  'a parameter that the service refuses now': [
    cassette({ max_tokens: 5, ...say('max_tokens') }),
    undefined,
    [
      "would be refused: 400 Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ],
    true,
  ],
  'a parameter of the app that the service refuses': [
    cassette(say('stop')),
    { ...say('stop'), stop: 'x' },
    [
      "would be refused: 400 Unsupported parameter: 'stop' is not supported with this model.",
      "worth a look: request.stop: 'x' instead of none",
    ],
    true,
  ],
  'an unknown parameter of the app': [
    cassette(say('typo')),
    { ...say('typo'), temprature: 1 },
    [
      "would be refused: 400 Unknown parameter: 'temprature'. Did you mean 'temperature'?",
      'worth a look: request.temprature: 1 instead of none',
    ],
    true,
  ],
  'a shutdown that is near': [
    cassette(
      { model: 'gpt-4.1', ...say('near') },
      { ...COMPLETION, system_fingerprint: 'fp_1', choices: COMPLETION.choices },
    ),
    undefined,
    ['worth a look: the service shuts gpt-4.1 down on 2027-01-14, in 52 days; the service recommends gpt-6-luna'],
    false,
  ],
  'a recording that is old': [
    cassette(say('old'), { ...COMPLETION, created: Date.parse('2026-01-01T00:00:00Z') / 1000 }),
    undefined,
    ['worth a look: it is 326 days old'],
    false,
  ],
  'a field that the service no longer sends': [
    cassette(say('dropped'), { ...COMPLETION, warning: 'x' }),
    undefined,
    ['worth a look: the service no longer sends warning'],
    false,
  ],
  'an event that the service no longer sends': [
    {
      ...cassette({}),
      replies: [
        {
          when: { endpoint: 'responses', request: { model: 'gpt-5.2', input: 'event', stream: true } },
          answer: stream(...responseEvents(['created', 'in_progress', 'rate_limits', 'completed'])),
        },
      ],
    },
    undefined,
    [
      'worth a look: the service no longer sends event: response.rate_limits',
      'harmless: the service now also sends chunk.response, chunk.sequence_number, chunk.obfuscation',
    ],
    false,
  ],
  'a changed text': [
    cassette(say('The weather in Rome?')),
    say('The weather in Oslo?'),
    ["worth a look: request.messages[0].content: 'The weather in Oslo?' instead of 'The weather in Rome?'"],
    true,
  ],
  'a parameter that the app no longer sends': [
    cassette({ n: 1, ...say('removed') }),
    say('removed'),
    ['worth a look: request.n: none instead of 1'],
    true,
  ],
  'a difference that replay ignores': [
    cassette({ user: 'a', ...say('ignored') }, COMPLETION, { ignore: ['user'] }),
    { user: 'b', ...say('ignored') },
    ["harmless: request.user: 'b' instead of 'a'"],
    false,
  ],
  'a difference that changes no answer': [
    cassette(say('metadata')),
    { ...say('metadata'), safety_identifier: 'b' },
    ["harmless: request.safety_identifier: 'b' instead of none; name it under ignore"],
    false,
  ],
  'a field that the service has added': [
    cassette(say('added'), { ...COMPLETION, service_tier: undefined }),
    undefined,
    ['harmless: the service now also sends service_tier'],
    false,
  ],
}

const HEALTHY: CheckedCassette = { file: 'healthy', source: cassette(say('healthy')) }

/** The requests of the app: those that were recorded, but for what was planted. */
const SENT = [HEALTHY, ...Object.entries(PLANTED).map(([file, [source]]) => ({ file, source }))].map(
  ({ file, source }): SentRequest => {
    const { endpoint = 'chat', request } = source.replies![0]!.when!
    const planted = PLANTED[file]?.[1]
    return { endpoint, body: planted === undefined ? (request as SentRequest['body']) : chat(planted) }
  },
)

test.each(Object.entries(PLANTED))(
  '%s is found in its tier, and nothing else is',
  (file, [source, , expected, again]) => {
    const cassettes = [HEALTHY, { file, source }]
    const sent = [SENT[0]!, SENT[1 + Object.keys(PLANTED).indexOf(file)]!]
    const { recordings, unrecorded } = checkRecordings(cassettes, { today: TODAY, maxAgeDays: 180, sent })
    const [healthy, rotten] = recordings.map(({ findings }) => findings.map(({ tier, text }) => `${tier}: ${text}`))
    expect({ healthy, unrecorded }).toEqual({ healthy: [], unrecorded: [] })
    expect(rotten).toEqual(expected)
    expect(recordings[1]!.mustRecord).toBe(again)
  },
)

test('all kinds together are found as each of them alone', () => {
  const cassettes = [HEALTHY, ...Object.entries(PLANTED).map(([file, [source]]) => ({ file, source }))]
  const { recordings, unrecorded } = checkRecordings(cassettes, { today: TODAY, maxAgeDays: 180, sent: SENT })
  expect(unrecorded).toEqual([])
  expect(recordings.map(({ findings }) => findings.length)).toEqual([
    0,
    ...Object.values(PLANTED).map(([, , expected]) => expected.length),
  ])
})

test('a request of the app without a recording is named, and a recording that it no longer sends is not made again', () => {
  const other: SentRequest = { endpoint: 'chat', body: chat({ model: 'gpt-6-luna', ...say('new') }) }
  const shutDown = { file: 'a', source: cassette({ model: 'o3-mini', ...say('x') }) }
  const { recordings, unrecorded } = checkRecordings([shutDown], { today: TODAY, maxAgeDays: 180, sent: [other] })
  expect(unrecorded).toEqual([other])
  expect(recordings[0]).toMatchObject({ mustRecord: false })
  expect(recordings[0]!.findings.at(-1)!.text).toBe('the app no longer sends this request: remove the recording')
})

test('a recorded error that the app still gets is healthy', () => {
  const request = chat({ stop: 'x' })
  const source: ScenarioSource = {
    replies: [{ when: { endpoint: 'chat', request }, answer: { status: 400, body: '{}' } }],
  }
  const sent: SentRequest[] = [{ endpoint: 'chat', body: request }]
  const { recordings } = checkRecordings([{ file: 'a', source }], { today: TODAY, maxAgeDays: 180, sent })
  expect(recordings).toMatchObject([{ findings: [], mustRecord: false }])
})

test.runIf(hasRecordings && hasRecordedResponses)('recorded traffic is refused only for models that are gone', () => {
  const calls = [
    ...readRecordings(),
    ...readRecordedResponses()
      .filter(({ method, path, scope }) => method === 'POST' && path === '/v1/responses' && scope.length === 0)
      .map((call) => ({ ...call, body: call.events ? responseEvents([]).join('') : JSON.stringify(call.body) })),
  ]
  const source = {
    replies: calls.map(({ path, request, status, body }) => ({
      when: { endpoint: path.slice('/v1/'.length).replace('/completions', ''), request },
      answer: { status, body },
    })),
  } as ScenarioSource
  const today = new Date('2026-08-01')
  const { recordings } = checkRecordings([{ file: 'all', source }], { today, maxAgeDays: 100_000 })
  const texts = recordings.flatMap(({ findings }) => findings.filter(({ tier }) => tier === 'would be refused'))
  expect(recordings.length).toBeGreaterThan(100)
  expect(texts.filter(({ text }) => !text.startsWith('the service has shut'))).toEqual([])
})
