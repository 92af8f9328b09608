/** The findings on clients: the calls that lead to each, and those that are never held against a client. */
import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../src/core/journal/entry.ts'
import { checkClient, type FindingName } from '../../../src/core/report/client-findings.ts'

interface Call {
  /** When it comes, in milliseconds. */
  readonly at: number
  readonly status?: number
  /** How long it takes. Default: 10. */
  readonly ms?: number
  readonly request?: string
  readonly caller?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly outcome?: JournalEntry['outcome']
  readonly path?: string
  readonly query?: string
  /** What refused it. Default: nothing. */
  readonly refusedBy?: string
}

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' }

function journal(...calls: readonly Call[]): JournalEntry[] {
  return calls.map((call, index) => ({
    number: index + 1,
    at: call.at,
    method: 'POST',
    path: call.path ?? '/v1/chat/completions',
    query: call.query,
    endpoint: 'chat',
    key: 'sk-****test',
    caller: call.caller ?? 'one',
    model: 'echo-1',
    request: call.request ?? 'a',
    attempt: 1,
    status: call.status ?? 200,
    headers: call.headers ?? {},
    reason: call.refusedBy === undefined ? { by: 'echo', name: 'echo' } : { by: 'request', name: call.refusedBy },
    notes: [],
    unmatched: false,
    outcome: call.outcome ?? 'complete',
    durationMs: call.ms ?? 10,
    bytes: 100,
  }))
}

const found = (...calls: readonly Call[]): string[] =>
  checkClient(journal(...calls)).map(({ name, calls }) => `${name} ${calls}`)
const after = (seconds: number) => ({ 'retry-after': String(seconds) })

test.each<[FindingName, readonly Call[], string]>([
  [
    'early-retry',
    [{ at: 0, status: 429, headers: { 'retry-after': '1', 'retry-after-ms': '1000' } }, { at: 900 }],
    '#2 came 890 ms after the 429 of #1, which asked to wait 1000 ms.',
  ],
  [
    'pointless-retry',
    [{ at: 0, status: 400 }, { at: 500 }],
    '#2 repeats #1 unchanged, which was a 400: a retry cannot fix that.',
  ],
  [
    'pointless-retry',
    [{ at: 0, status: 401 }, { at: 500 }],
    '#2 repeats #1 unchanged, which was a 401: a retry cannot fix that.',
  ],
  [
    'refused-retry',
    [{ at: 0, status: 500, headers: { 'x-should-retry': 'false' } }, { at: 500 }],
    '#2 retries #1, whose answer said x-should-retry: false.',
  ],
  [
    'unbounded-retries',
    Array.from({ length: 13 }, (_, n) => ({ at: 1000 * 2 ** n, status: 503 })),
    '#1 was retried 12 times: expected at most 10 retries.',
  ],
  [
    'no-growth',
    [{ at: 0, status: 500 }, { at: 1010, status: 500 }, { at: 2020, status: 500 }, { at: 3030 }],
    '#1 was retried after 1000 ms, 1000 ms and 1000 ms: the back-off does not grow.',
  ],
  [
    'no-jitter',
    ['a', 'b', 'c', 'd', 'e'].flatMap((request) => [
      { at: 0, status: 500, request },
      { at: 510, request },
    ]),
    '5 requests were retried after the same wait of 500 ms (#2, #4, #6, #8, #10): the back-off has no jitter.',
  ],
  [
    'key-in-url',
    [{ at: 0, path: '/v1/models/sk-proj-****wxyz' }],
    '#1 has a key in its URL: /v1/models/sk-proj-****wxyz',
  ],
  [
    'key-in-url',
    [{ at: 0, query: 'api-key=sk-proj-****wxyz' }],
    '#1 has a key in its URL: /v1/chat/completions?api-key=sk-proj-****wxyz',
  ],
  [
    'dropped-stream',
    [{ at: 0, headers: STREAM, outcome: 'client-left' }],
    'The client left #1 after 100 bytes of its stream. The real service would have generated and billed the rest.',
  ],
  [
    'unread-answer',
    [{ at: 0, outcome: 'client-left', ms: 70 }],
    'The client left #1 after 70 ms, before the answer came.',
  ],
  [
    'repeated-call',
    [{ at: 0 }, { at: 50 }, { at: 90 }],
    '#1 was answered, but the client sent it again unchanged (#2, #3).',
  ],
])('%s', (name, calls, text) => {
  expect(checkClient(journal(...calls))).toMatchObject([{ name, text, key: 'sk-****test' }])
})

test.each<[string, readonly Call[]]>([
  ['one call', [{ at: 0 }]],
  [
    'calls that differ',
    [
      { at: 0, request: 'a' },
      { at: 0, request: 'b' },
    ],
  ],
  [
    'the same call with another key',
    [
      { at: 0, status: 401, caller: 'one' },
      { at: 9, caller: 'two' },
    ],
  ],
  [
    'a call that was mended after a 400',
    [
      { at: 0, status: 400, request: 'a' },
      { at: 9, request: 'b' },
    ],
  ],
  ['a retry on time', [{ at: 0, status: 429, headers: after(1) }, { at: 1010 }]],
  ['a retry a breath early, as timers do', [{ at: 0, status: 429, headers: after(1) }, { at: 1009 }]],
  [
    'another request while one waits',
    [{ at: 0, status: 429, headers: after(1) }, { at: 100, request: 'b' }, { at: 1100 }],
  ],
  ['retries that double', [{ at: 0, status: 500 }, { at: 510, status: 500 }, { at: 1520, status: 500 }, { at: 3530 }]],
  [
    'the same wait by chance',
    ['a', 'b', 'c', 'd'].flatMap((request) => [
      { at: 0, status: 500, request },
      { at: 480, request },
    ]),
  ],
  ['retries that grow with jitter', [{ at: 0, status: 500 }, { at: 420, status: 500 }, { at: 1200 }]],
  [
    'equal waits that the answers asked for',
    [429, 429, 200].map((status, n) => ({ at: 1010 * n, status, headers: after(1) })),
  ],
  [
    'waits that differ between requests',
    ['a', 'b', 'c'].flatMap((request, n) => [
      { at: 0, status: 500, request },
      { at: 500 + 40 * n, request },
    ]),
  ],
  ['ten retries', Array.from({ length: 11 }, (_, n) => ({ at: 1000 * 2 ** n, status: 503 }))],
  [
    'calls at the same time',
    [
      { at: 0, status: 500, ms: 100 },
      { at: 50, ms: 100 },
    ],
  ],
  ['a call under way', [{ at: 0, outcome: 'open' }]],
])('%s: nothing is found', (_, calls) => {
  expect(found(...calls)).toEqual([])
})

test('findings come in the order of their first calls, as mistakes and remarks', () => {
  const calls = [{ at: 0 }, { at: 20 }, { at: 40, status: 401, request: 'b' }, { at: 60, status: 401, request: 'b' }]
  expect(checkClient(journal(...calls)).map(({ name, level }) => `${level} ${name}`)).toEqual([
    'remark repeated-call',
    'mistake pointless-retry',
  ])
})

test.each(['invalid-session', 'unknown-fault', 'impossible-fault'])(
  "the mock's own error %s is not a mistake of the client",
  (refusedBy) => {
    expect(found({ at: 0, status: 400, refusedBy }, { at: 100, status: 400, refusedBy }, { at: 200 })).toEqual([])
  },
)
