/** Which calls are compared with a call, and how they differ. */
import type { CallDetails, CallSummary } from '../../core/journal/call-details.ts'
import { causeText } from '../calls/list-filter.ts'
import { formatMs } from '../parts/format.ts'
import { parseJson, readAnswer, sentBody } from './read-answer.ts'

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

const fieldOf = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function joinPath(path: string, name: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}
