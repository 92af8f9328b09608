/** Calls over HTTP, byte by byte as they were planned, cut into chunks and writes; and calls to the control plane. */
import fc from 'fast-check'
import { stringify } from 'yaml'
import { Wire, type WireAnswer } from '../../test/support/wire.ts'
import { bent, junk } from './bent.ts'
import { type FuzzedCall, fuzzedCall } from './calls.ts'
import { faultFields } from './faults.ts'
import { closingOf, problemsOfEnvelope, problemsOfPlan, textOf } from './judge.ts'
import { fail, type Level, Tally } from './level.ts'
import { scenarioSource } from './scenarios.ts'
import { type Framing, inTime, pieces, requestBytes, Served } from './served.ts'

const some = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)
const framing = fc.record<Framing>({ isChunked: fc.boolean(), cuts: fc.array(fc.nat(5000), { maxLength: 4 }) })
const writes = fc.array(fc.nat(5000), { maxLength: 3 })

const QUERY = [
  'status=429',
  'status=5xx&status=',
  'user=/x(/',
  'since=5s',
  'since=-1',
  '__proto__=1',
  'when[user]=x',
  '%',
  'n=1&&=',
]
const CONTROL = [
  'health',
  'scenario',
  'scenarios',
  'state',
  'faults',
  'faults/catalogue',
  'journal',
  'journal/1',
  'journal/x',
]
const controlPath = fc
  .tuple(
    some(...CONTROL, 'limits', 'report', 'metrics', 'reset', '', 'nowhere', '../v1', 'journal/%E0%A4%A'),
    fc.option(some(...QUERY)),
  )
  .map(([path, query]) => `/_mock/${path}${query === null ? '' : `?${query}`}`)
const controlBody = fc.oneof(
  bent(faultFields, ['fault', 'times', 'key', 'endpoint', 'after']).map((one) => JSON.stringify(one) ?? ''),
  some(
    '{"scenario":"flaky"}',
    '{"scenario":"../x.yaml"}',
    '{"scenario":"constructor"}',
    '{"state":"down"}',
    '{"state":"__proto__"}',
  ),
  junk.map((one) => JSON.stringify({ state: one, fault: one, scenario: one })),
  scenarioSource.map((source) => stringify(source)),
  fc.string({ unit: 'binary', maxLength: 30 }),
)
const controlCall = fc.record({
  method: some('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
  target: controlPath,
  headers: some<FuzzedCall['headers']>(
    [['content-type', 'application/json']],
    [['content-type', 'text/yaml; charset=utf-7']],
    [],
  ),
  body: controlBody.map((text) => Buffer.from(text)),
})

const sent = fc.record({
  call: fc.oneof({ weight: 9, arbitrary: fuzzedCall }, { weight: 2, arbitrary: controlCall }),
  framing,
  writes,
})

export async function httpLevel(): Promise<Level> {
  const served = await Served.open('busy')
  const tally = new Tally()
  const property = fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 3 }), async (all) => {
    served.reset()
    let wire = await Wire.open(served)
    try {
      for (const one of all) {
        if (wire.socket.destroyed || wire.socket.readableEnded) wire = await Wire.open(served)
        await exchangeOne(one, wire, served, tally)
        await served.settled()
      }
    } finally {
      wire.socket.destroy()
    }
  })
  return { property, tally, [Symbol.asyncDispose]: () => served[Symbol.asyncDispose]() }
}

interface Sent {
  readonly call: FuzzedCall
  readonly framing: Framing
  readonly writes: readonly number[]
}

async function exchangeOne(one: Sent, wire: Wire, served: Served, tally: Tally): Promise<void> {
  const { call } = one
  const stalled = served.stalled()
  const before = served.begun.length
  for (const piece of pieces(requestBytes(call, one.framing), one.writes)) await wire.send(piece)
  const about = `${call.method} ${call.target}`
  const answer = await inTime(Promise.race([wire.answer(call.method === 'HEAD'), stalled]), about)
  const exchange = served.begun[before]
  if (answer === 'stalled') {
    tally.count('hangs, as asked')
    wire.socket.destroy()
    return
  }
  if (exchange === undefined) {
    const isControl = call.target.startsWith('/_mock')
    tally.count(`${isControl ? 'control plane' : 'no HTTP'} ${answer?.status}`)
    // What is no HTTP is answered, and its connection closed.
    if (!isControl) wire.socket.destroy()
    return fail(problemsWithoutPlan(call, answer), about)
  }
  const { plan } = exchange
  const closing = closingOf(plan)
  tally.count(`${closing} by ${plan.reason.by}`)
  fail(problemsOfPlan(plan), about)
  if (closing !== 'end') wire.socket.destroy()
  else fail(problemsOfDelivery(call, answer, exchange.entry.status, textOf(plan)), about)
  // The fault of such an answer is that the next call on its connection gets none.
  if ([...plan.events].some((event) => event.type === 'end' && event.isStale)) wire.socket.destroy()
}

/** An answer of the control plane, or to what never was a call. */
function problemsWithoutPlan({ method, target }: FuzzedCall, answer: WireAnswer | undefined): string[] {
  if (answer === undefined) return ['closed without an answer']
  const { status, text } = answer
  if (status >= 500) return [`${status} that nobody asked for: ${text.slice(0, 300)}`]
  if (status >= 400) return method === 'HEAD' ? [] : problemsOfEnvelope(text)
  return target.startsWith('/_mock') ? [] : [`${status} without a call`]
}

/** What was planned is what arrives. */
function problemsOfDelivery(call: FuzzedCall, answer: WireAnswer | undefined, status: number, text: string): string[] {
  if (answer === undefined) return ['closed without a whole answer']
  if (answer.status !== status) return [`${answer.status} for a plan of ${status}: ${answer.text.slice(0, 300)}`]
  const expected = call.method === 'HEAD' || status === 204 ? '' : text
  return answer.text === expected ? [] : [`found ${answer.text.slice(0, 200)} for ${expected.slice(0, 200)}`]
}
