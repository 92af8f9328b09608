/** Calls to a mock without a shell around it: what is decided, counted, journaled and reported. The fastest level. */

import fc from 'fast-check'
import type { Call } from '../../src/core/decide/call/call.ts'
import type { Transport } from '../../src/core/protocol/plan/plan.ts'
import { CALL_HEADERS } from '../../src/core/protocol/request/decisive-headers.ts'
import type { Clock } from '../../src/engine/clock/clock.ts'
import type { Exchange } from '../../src/engine/exchange.ts'
import { engineOf, Mock } from '../../src/engine/mock.ts'
import { buildMockReport } from '../../src/engine/mock-report.ts'
import { type FuzzedCall, fuzzedCall } from './calls.ts'
import { fuzzedScenarios } from './fuzzed-scenarios.ts'
import { closingOf, problemsOfPlan } from './judge.ts'
import { fail, type Level, Tally } from './level.ts'

const BODY_LIMIT = 20_000

interface Step {
  readonly call: FuzzedCall
  readonly transport: Transport
  readonly laterMs: number
  /** Whether the call is over before the next one comes. */
  readonly ends: boolean
}

const step = fc.record<Step>({
  call: fuzzedCall,
  transport: fc.constantFrom('http', 'fetch'),
  laterMs: fc.constantFrom(0, 1, 500, 5000, 60_000, 86_400_000),
  ends: fc.boolean(),
})
const run = fc.record({
  scenario: fc.oneof(
    fc.constantFrom('busy', 'busy', 'busy and strict'),
    fc.constantFrom(...Object.keys(fuzzedScenarios)),
  ),
  steps: fc.oneof(
    { weight: 3, arbitrary: fc.tuple(step) },
    { weight: 1, arbitrary: fc.array(step, { minLength: 2, maxLength: 5 }) },
  ),
})

/** A clock whose time is set by hand. */
class HandClock implements Clock {
  readonly speed = 1
  time = 0
  now = (): number => this.time
  wake = (_time: number, run: () => void): (() => void) => {
    queueMicrotask(run)
    return () => {}
  }
}

export async function coreLevel(): Promise<Level> {
  const tally = new Tally()
  const benches = new Map<string, Bench>()
  const property = fc.property(run, ({ scenario, steps }) => {
    const bench = benches.get(scenario) ?? new Bench(scenario)
    // A run that fails leaves none behind, so the smaller ones that are tried next have a mock of their own.
    benches.delete(scenario)
    const { mock, clock, before } = bench.nextRun()
    const open: Exchange[] = []
    for (const { call, transport, laterMs, ends } of steps) {
      clock.time += laterMs
      const exchange = engineOf(mock).begin(callOf(call, transport, mock))
      const { plan, entry } = exchange
      fail(problemsOfPlan(plan), `${call.method} ${call.target} is answered with`)
      tally.count('calls')
      tally.count(plan.reason.by === 'fault' ? 'by fault' : `by ${plan.reason.by} ${entry.status}`)
      if (ends) end(exchange)
      else open.push(exchange)
    }
    for (const exchange of open) exchange.end('client-left')
    fail(problemsOfBooks(mock, before, steps.length), 'the books are wrong')
    if (bench.runs < RUNS_PER_MOCK) benches.set(scenario, bench)
  })
  return { property, tally, [Symbol.asyncDispose]: async () => {} }
}

/** To make a mock costs more than most runs, so many runs share one that is reset. */
const RUNS_PER_MOCK = 200

class Bench {
  readonly clock = new HandClock()
  readonly mock: Mock
  runs = 0

  constructor(scenario: string) {
    this.mock = new Mock(fuzzedScenarios[scenario]!, { clock: this.clock, bodyLimit: BODY_LIMIT })
  }

  /** @returns the mock as it was at its start, but for the calls before, which it has counted. */
  nextRun(): { readonly mock: Mock; readonly clock: HandClock; readonly before: number } {
    const before = countedCalls(this.mock)
    this.runs++
    this.clock.time = 0
    this.mock.reset()
    return { mock: this.mock, clock: this.clock, before }
  }
}

const countedCalls = (mock: Mock): number => engineOf(mock).counts.ended.reduce((sum, { count }) => sum + count, 0)

/** A call as a shell would hand it to the core. */
export function callOf({ method, target, headers, body }: FuzzedCall, transport: Transport, mock: Mock): Call {
  const [path = '', ...query] = target.split('?')
  return {
    method,
    path,
    query: query.length === 0 ? undefined : query.join('?'),
    headers: Object.fromEntries(CALL_HEADERS.map((name) => [name, headerOf(headers, name)])),
    body: body.length > BODY_LIMIT ? undefined : body.toString().replace(/^\ufeff/, ''),
    bodyLimit: BODY_LIMIT,
    now: mock.clock.now(),
    transport,
  }
}

/** As node:http joins what came more than once; of a key and a content type the first counts. */
function headerOf(headers: FuzzedCall['headers'], name: string): string | undefined {
  const values = headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value.trim())
  if (values.length === 0) return undefined
  return name === 'authorization' || name === 'content-type' ? values[0] : values.join(', ')
}

function end(exchange: Exchange): void {
  const closing = closingOf(exchange.plan)
  exchange.sent(exchange.plan.events.length)
  exchange.end(closing === 'end' ? 'complete' : closing === 'stall' ? 'client-left' : 'cut')
}

/** All that is kept of the calls can be read, and adds up. */
function problemsOfBooks(mock: Mock, before: number, calls: number): string[] {
  const { journal, usage, limitUsage } = mock
  JSON.stringify([journal, usage, mock.timing.report(), buildMockReport(engineOf(mock).view)])
  const counted = countedCalls(mock) - before
  const [{ number: first } = { number: 0 }] = journal
  return [
    ...(counted === calls ? [] : [`${counted} calls counted of ${calls}`]),
    ...(journal.every(({ number }, index) => number === first + index) && journal.length === calls
      ? []
      : [`the journal has ${journal.map(({ number }) => number)}`]),
    ...journal.filter(({ outcome }) => outcome === 'open').map(({ number }) => `#${number} is open for ever`),
    ...(/"used":-|NaN|null/.test(JSON.stringify(limitUsage)) ? [JSON.stringify(limitUsage)] : []),
  ]
}
