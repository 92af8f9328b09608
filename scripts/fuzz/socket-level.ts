/** Bytes on a socket that once were HTTP: spliced, cut, doubled, left half-way. Answered, refused or closed; never fatal. */
import fc from 'fast-check'
import { requestText, Wire } from '../../test/support/wire.ts'
import { fuzzedCall } from './calls.ts'
import { problemsOfEnvelope } from './judge.ts'
import { fail, type Level, Tally } from './level.ts'
import { inTime, pieces, requestBytes, Served } from './served.ts'

const some = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)

const SPLICES = [
  ...[
    '\r\n',
    '\n',
    '\r',
    '\0',
    ' ',
    '\t',
    ':',
    '\r\n ',
    '\r\n\r\n',
    '\xff',
    '\x80',
    '\x7f',
    'é',
    '%',
    '\x16\x03\x01\x00\xa5',
  ],
  ...[
    'Content-Length: 5\r\n',
    'Content-Length: -1\r\n',
    'Content-Length: 0x10\r\n',
    'Content-Length: 99999999999999999999\r\n',
  ],
  ...['Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: chunked, chunked\r\n', 'Transfer-Encoding: gzip\r\n'],
  ...[
    'Expect: 100-continue\r\n',
    'Connection: close\r\n',
    'Connection: Upgrade\r\nUpgrade: h2c\r\n',
    'Host:\r\n',
    'Host: a, b\r\n',
  ],
  ...[
    '0\r\n\r\n',
    '5\r\n',
    'ffffffffffffffff\r\n',
    '5;ext="\0"\r\n',
    `5;${'x'.repeat(3000)}\r\n`,
    '-1\r\n',
    '0\r\nTrailer: x\r\n\r\n',
  ],
  ...[
    'GET / HTTP/1.1\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\n\r\n',
    'TRACE / HTTP/1.1\r\n\r\n',
    'HTTP/9.9',
  ],
  ...[`X-Long: ${'x'.repeat(20_000)}\r\n`, 'X: 1\r\n'.repeat(200), requestText()],
]
const splice = fc.record({ bytes: some(...SPLICES), at: fc.nat(2000), gone: fc.nat(6) })
const spliced = (whole: Buffer, { bytes, at, gone }: { bytes: string; at: number; gone: number }): Buffer => {
  const place = at % (whole.length + 1)
  return Buffer.concat([whole.subarray(0, place), Buffer.from(bytes, 'latin1'), whole.subarray(place + gone)])
}

const plain = fc.oneof(
  {
    weight: 2,
    arbitrary: some(requestText(), requestText({ method: 'GET', path: '/v1/models', body: null })).map((text) =>
      Buffer.from(text),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fuzzedCall, fc.boolean())
      .map(([call, isChunked]) => requestBytes({ ...call, method: 'POST' }, { isChunked, cuts: [7] })),
  },
)
const stream = fc
  .tuple(
    fc.array(plain, { minLength: 1, maxLength: 3 }),
    fc.array(splice, { minLength: 1, maxLength: 3 }),
    fc.option(fc.nat(2000)),
  )
  .map(([requests, splices, cut]) => {
    const whole = splices.reduce(spliced, Buffer.concat(requests))
    return cut === null ? whole : whole.subarray(0, cut)
  })
const given = fc.record({
  bytes: fc.oneof(
    { weight: 9, arbitrary: stream },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((one) => Buffer.from(one)) },
  ),
  writes: fc.array(fc.nat(2000), { maxLength: 3 }),
  leaving: some('end', 'end', 'end', 'destroy', 'reset'),
})

export async function socketLevel(): Promise<Level> {
  const served = await Served.open('default')
  const tally = new Tally()
  const property = fc.asyncProperty(given, async ({ bytes, writes, leaving }) => {
    served.reset()
    const stalled = served.stalled()
    const wire = await Wire.open(served)
    for (const piece of pieces(bytes, writes)) await wire.send(piece)
    if (leaving === 'destroy') wire.socket.destroy()
    else if (leaving === 'reset') wire.socket.resetAndDestroy()
    else {
      wire.socket.end()
      const read = await inTime(
        Promise.race([readAll(wire, served, tally), stalled]),
        'a connection that was half closed',
      )
      tally.count(read === 'stalled' ? 'hangs, as asked' : `connections with ${read} answers`)
      wire.socket.destroy()
    }
    await served.settled()
    served.reset()
    fail(await served.problemsAfter(), 'afterwards')
  })
  return { property, tally, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() }
}

/** Reads answers to the end, and says how many there were. */
async function readAll(wire: Wire, served: Served, tally: Tally): Promise<number> {
  let answers = 0
  for (;;) {
    const answer = await wire.answer()
    if (answer === undefined) break
    const { status, text } = answer
    answers++
    tally.count(`answered with ${status}`)
    // Which answer is whose can't be told any more: a fault among the calls may have made any of them.
    if (served.begun.some(({ plan }) => plan.reason.by === 'fault')) continue
    if (status >= 500) fail([`${status} that nobody asked for`], 'the bytes are answered with')
    if (status >= 400) fail(problemsOfEnvelope(text), 'the bytes are answered with')
  }
  await wire.closed()
  return answers
}
