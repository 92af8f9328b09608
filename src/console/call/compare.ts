/** Which calls are compared with a call, and how they differ. */
import type { CallDetails, CallSummary } from '../../core/journal/call-details.ts'
import { causeText } from '../calls/call-filter.ts'
import { formatMs } from '../parts/format.ts'
import { parseJson, readAnswer, sentBody } from './answer.ts'
import { diffJson, type JsonDifference } from './json-diff.ts'

/** The call that is compared first: the last attempt at the same request, or else the last one of the same key. */
export function choosePartner(call: CallSummary, calls: readonly CallSummary[]): number | undefined {
  const earlier = calls.filter(({ number }) => number < call.number)
  const isSameKey = (one: CallSummary): boolean => one.caller === call.caller && one.endpoint === call.endpoint
  const attempt = earlier.findLast((one) => isSameKey(one) && one.request === call.request)
  return (attempt ?? earlier.findLast(isSameKey) ?? earlier.at(-1))?.number
}

/** A fact of both calls. */
export interface FactPair {
  readonly name: string
  readonly left: string
  readonly right: string
}

export interface Comparison {
  readonly facts: readonly FactPair[]
  readonly request: readonly JsonDifference[]
  readonly headers: readonly JsonDifference[]
  readonly response: readonly JsonDifference[]
}

export function compareCalls(left: CallDetails, right: CallDetails): Comparison {
  return {
    facts: FACTS.map(([name, read]) => ({ name, left: read(left), right: read(right) })),
    request: diffJson(left.body, right.body),
    headers: diffJson(left.headers, right.headers),
    response: diffJson(responseOf(left), responseOf(right)),
  }
}

const FACTS: readonly (readonly [name: string, read: (call: CallDetails) => string])[] = [
  ['Status', ({ status }) => (status === 0 ? 'none' : String(status))],
  ['Matched by', ({ reason }) => causeText(reason)],
  ['Result', ({ outcome }) => outcome.replace('-', ' ')],
  ['Duration', ({ durationMs, outcome }) => (outcome === 'open' ? '…' : formatMs(durationMs))],
  ['Tokens', ({ usage }) => (usage === undefined ? '' : `${usage.promptTokens} + ${usage.completionTokens}`)],
  ['Key', ({ key }) => key],
  ['Model', ({ model }) => model],
  ['Attempt', ({ attempt }) => String(attempt)],
]

/** The content of a chat, so that a stream compares with a whole answer; otherwise the body. */
function responseOf(call: CallDetails): unknown {
  const body = sentBody(call)
  return body === undefined
    ? undefined
    : ((call.status < 400 ? readAnswer(body) : undefined) ?? parseJson(body) ?? body)
}
