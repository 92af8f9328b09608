/** Calls of any kind: methods, paths, headers and bodies, right, odd and wrong; all of them HTTP that a parser takes. */
import fc from 'fast-check'
import { generatedCall, unreadableCall } from '../../test/support/generated-calls.ts'
import type { Sendable } from '../../test/support/send.ts'
import { chatBytes, embeddingsBytes } from './bodies.ts'
import { faultHeader } from './faults.ts'
import { KEYS } from './fuzzed-scenarios.ts'

export type Header = readonly [name: string, value: string]

/** A call as it goes over the wire. */
export interface FuzzedCall {
  readonly method: string
  /** With the query. */
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: Buffer
}

const some = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)

const METHODS = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH', 'QUERY'] as const
const method = fc.oneof({ weight: 24, arbitrary: some('POST') }, { weight: 1, arbitrary: some(...METHODS, 'HEAD') })

const SLY = [
  '/',
  '//',
  '.',
  '..',
  '/../',
  '%2f',
  '%00',
  '%E0%A4%A',
  '%',
  '\\',
  ';',
  ':',
  '@',
  '?',
  '?a=b',
  '#',
  'é',
  '*',
  '\xff',
]
const known = (path: string) =>
  fc.oneof(
    { weight: 12, arbitrary: some(path) },
    {
      weight: 1,
      arbitrary: some('?', '?api-version=1', '?key=sk-a&__proto__[x]=1', '?%', '?a#b').map((query) => path + query),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(some(...SLY), fc.nat(40)).map(([sly, at]) => spliced(path, at, sly)),
    },
  )

/** Something put into a path; the slash at its start stays. */
function spliced(path: string, at: number, sly: string): string {
  const place = 1 + (at % path.length)
  return path.slice(0, place) + sly + path.slice(place)
}

const ODD_TARGETS = [
  '/',
  '/v1',
  '/v1/',
  '/v1/files',
  '/v1/models',
  '/v1/models/',
  '/v1/models/echo-1',
  '/v1/models/%2e%2e',
]
const odd = fc.oneof(
  some(
    ...ODD_TARGETS,
    '/v1/models/gr%C3%BCn',
    '/v1/models/__proto__',
    '/V1/CHAT/COMPLETIONS',
    `/v1/${'x'.repeat(3000)}`,
  ),
  known('/v1/models/echo-1'),
  fc.string({ unit: some(...'/v1chatmodels.%2?#:~'), maxLength: 20 }).map((text) => `/${text}`),
)

const headerText = fc.oneof(
  fc.string({ unit: some(...'abcXYZ019-_=;,. "\'\t\\/()<>{}@é\xff\x80'), maxLength: 30 }),
  some('', 'x'.repeat(2000), '1', '0', 'true', 'null', '__proto__', '{"a":1}', '\xff\xfe', '%00'),
)
const authorization = fc.oneof(
  { weight: 30, arbitrary: some('Bearer sk-a', 'Bearer sk-test', 'Bearer sk-ci-1') },
  { weight: 4, arbitrary: some(...KEYS).map((key) => `Bearer ${key}`) },
  {
    weight: 1,
    arbitrary: some('', 'Bearer', 'Bearer ', 'bearer sk-a', 'Bearer  sk-a  ', 'Basic c2s6', 'Bearer é', 'Bearer a b'),
  },
  { weight: 1, arbitrary: headerText.map((text) => `Bearer ${text}`) },
)
const contentType = fc.oneof(
  { weight: 30, arbitrary: some('application/json') },
  {
    weight: 2,
    arbitrary: some(
      ...[
        'application/json; charset=utf-8',
        'application/json;charset=utf-16',
        'APPLICATION/JSON',
        'application/x+json',
      ],
      ...[
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/json, text/plain',
        ';',
        '',
        'application/jsonx',
      ],
    ),
  },
  { weight: 1, arbitrary: headerText },
)
const rare = (name: string, value: fc.Arbitrary<string>) => value.map((text): Header => [name, text])
const extraHeader: fc.Arbitrary<Header> = fc.oneof(
  { weight: 6, arbitrary: rare('x-mock-fault', faultHeader) },
  { weight: 2, arbitrary: rare('X-Mock-Fault', headerText) },
  {
    weight: 2,
    arbitrary: rare(
      'x-mock-fault',
      fc.tuple(faultHeader, headerText).map((parts) => parts.join(';')),
    ),
  },
  { weight: 4, arbitrary: rare('x-mock-explain', some('1', '0', '', 'true')) },
  { weight: 1, arbitrary: rare('x-mock-explain', headerText) },
  { weight: 1, arbitrary: rare('content-encoding', some('gzip', 'br', 'identity', 'deflate, gzip', 'junk')) },
  { weight: 1, arbitrary: rare('accept', some('*/*', 'text/event-stream', 'application/xml;q=0.1', '')) },
  { weight: 1, arbitrary: rare('accept-encoding', some('gzip', 'br;q=1', '*;q=0')) },
  { weight: 1, arbitrary: rare('origin', some('https://app.example.com', 'null', 'é')) },
  { weight: 1, arbitrary: rare('access-control-request-headers', headerText) },
  { weight: 1, arbitrary: rare('authorization', authorization) },
  { weight: 1, arbitrary: rare('content-type', contentType) },
  {
    weight: 2,
    arbitrary: fc.tuple(
      some('x-odd', '__proto__', 'constructor', "x!#$%&'*+.^_`|~", 'cookie', 'x-forwarded-for'),
      headerText,
    ),
  },
)
const headers = fc
  .tuple(
    authorization,
    contentType,
    fc.oneof(fc.array(extraHeader, { maxLength: 4 }), some<Header[]>([]), some<Header[]>([])),
  )
  .map(([key, type, extras]): Header[] => [['authorization', key], ['content-type', type], ...extras])

const call = (target: fc.Arbitrary<string>, body: fc.Arbitrary<Buffer>): fc.Arbitrary<FuzzedCall> =>
  fc.record({ method, target, headers, body })

/** As the contract tests send it: a path from the base URL on, headers by name. */
const ofSendable = (sendable: fc.Arbitrary<Sendable>): fc.Arbitrary<FuzzedCall> =>
  sendable.map(({ method, path, headers: given, body }) => ({
    method,
    target: `/v1${path}`,
    headers: Object.entries(given),
    body: Buffer.from(body ?? ''),
  }))

export const fuzzedCall: fc.Arbitrary<FuzzedCall> = fc.oneof(
  { weight: 8, arbitrary: call(known('/v1/chat/completions'), chatBytes) },
  { weight: 4, arbitrary: call(known('/v1/embeddings'), embeddingsBytes) },
  { weight: 1, arbitrary: call(odd, chatBytes) },
  { weight: 2, arbitrary: ofSendable(generatedCall) },
  { weight: 1, arbitrary: ofSendable(unreadableCall) },
)
