/** The call that a call is compared with, and the differences of both. */
import type { CallDetails, CallSummary } from '../../core/journal/call-details.ts'
import { causeText } from '../calls/list-filter.ts'
import { formatMs } from '../parts/format.ts'
import { isObject, type JsonFields, parseJson, readAnswer, sentBody } from './read-answer.ts'

/** The call that is compared first: the last attempt at the same request, or else the last one of the same key. */
export function choosePartner(call: CallSummary, calls: readonly CallSummary[]): number | undefined {
  const earlier = calls.filter(({ number }) => number < call.number)
  const isSameKey = (one: CallSummary): boolean => one.caller === call.caller && one.endpoint === call.endpoint
  const attempt = earlier.findLast((one) => isSameKey(one) && one.request === call.request)
  return (attempt ?? earlier.findLast(isSameKey) ?? earlier.at(-1))?.number
}

export interface CallComparison {
  readonly facts: readonly { readonly name: string; readonly left: string; readonly right: string }[]
  readonly request: readonly JsonDifference[]
  readonly headers: readonly JsonDifference[]
  readonly response: readonly JsonDifference[]
}

export function compareCalls(left: CallDetails, right: CallDetails): CallComparison {
  const rightFacts = factsOf(right)
  return {
    facts: Object.entries(factsOf(left)).map(([name, fact]) => ({ name, left: fact, right: rightFacts[name]! })),
    request: diffJson(left.body, right.body),
    headers: diffJson(left.headers, right.headers),
    response: diffJson(responseOf(left), responseOf(right)),
  }
}

const factsOf = (call: CallDetails): Readonly<Record<string, string>> => ({
  Status: call.status === 0 ? 'none' : String(call.status),
  'Matched by': causeText(call.reason),
  Result: call.outcome.replace('-', ' '),
  Duration: call.outcome === 'open' ? '…' : formatMs(call.durationMs),
  Tokens: call.usage === undefined ? '' : `${call.usage.promptTokens} + ${call.usage.completionTokens}`,
  Key: call.key,
  Model: call.model,
  Attempt: String(call.attempt),
})

/** The content of a chat, so that a stream compares with a whole answer; otherwise the body. */
function responseOf(call: CallDetails): unknown {
  const body = sentBody(call)
  if (body === undefined) return undefined
  return (call.status < 400 ? readAnswer(body) : undefined) ?? parseJson(body) ?? body
}

export interface JsonDifference {
  /** `messages[1].content`; '' for the values as a whole. */
  readonly path: string
  /** Undefined where only the other value has the field. */
  readonly left: unknown
  readonly right: unknown
}

/** Enough to see what differs; more would hide it. */
const MAX_DIFFERENCES = 200

/** Deeper values are compared as a whole. */
const MAX_DEPTH = 200

/** The smallest parts that differ, in the order of the left value; at most 200. */
export function diffJson(left: unknown, right: unknown): readonly JsonDifference[] {
  const found: JsonDifference[] = []
  compare('', left, right, found, 0)
  return found
}

function compare(path: string, left: unknown, right: unknown, found: JsonDifference[], depth: number): void {
  if (found.length >= MAX_DIFFERENCES || Object.is(left, right)) return
  if (depth >= MAX_DEPTH) found.push({ path, left, right })
  else if (Array.isArray(left) && Array.isArray(right)) {
    for (let index = 0; index < Math.max(left.length, right.length); index++) {
      compare(`${path}[${index}]`, left[index], right[index], found, depth + 1)
    }
  } else if (isObject(left) && isObject(right)) {
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      compare(joinPath(path, name), fieldOf(left, name), fieldOf(right, name), found, depth + 1)
    }
  } else found.push({ path, left, right })
}

const fieldOf = (value: JsonFields, name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined)

function joinPath(path: string, name: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}
