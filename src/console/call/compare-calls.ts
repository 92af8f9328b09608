/**
 * The differences between two calls: their facts side by side, and the smallest parts in which their contents differ.
 *
 *     Part                       Call 16     Call 17
 *     Status                     429         200
 *     Request body stream        false       true
 */
import type { CallDetails, CallSummary } from '../../core/journal/call-details.ts'
import { readAnswer, sentBody } from '../../core/journal/read-answer.ts'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import { causeText } from '../calls/list-filter.ts'
import { formatMs } from '../parts/format.ts'

/** The number of the call to compare with at first: the previous attempt, or else the previous call of the key, or any. */
export function choosePartner(call: CallSummary, calls: readonly CallSummary[]): number | undefined {
  const earlier = calls.filter(({ number }) => number < call.number)
  const ofSameKey = earlier.filter(({ caller, endpoint }) => caller === call.caller && endpoint === call.endpoint)
  const previousAttempt = ofSameKey.findLast(({ request }) => request === call.request)
  return (previousAttempt ?? ofSameKey.at(-1) ?? earlier.at(-1))?.number
}

/** The most differences: enough to see what differs, more would hide it. */
const MAX_DIFFERENCES = 200
/** The depth below which values are compared as a whole. */
const MAX_DEPTH = 200
/** The most characters of a value that differs. */
const MAX_TEXT = 3000

type ComparedRow = readonly [name: string, left: string, right: string]

/** The facts of both calls, and the parts of their contents that differ. */
export function compareCalls(left: CallDetails, right: CallDetails): readonly ComparedRow[] {
  const facts: Readonly<Record<string, (call: CallDetails) => string>> = {
    Status: ({ status }) => (status === 0 ? 'none' : String(status)),
    'Matched by': ({ reason }) => causeText(reason),
    Result: ({ outcome }) => outcome.replace('-', ' '),
    Duration: ({ outcome, durationMs }) => (outcome === 'open' ? '…' : formatMs(durationMs)),
    Tokens: ({ usage }) => (usage === undefined ? '' : `${usage.promptTokens} + ${usage.completionTokens}`),
    Key: ({ key }) => key,
    Model: ({ model }) => model,
    Attempt: ({ attempt }) => String(attempt),
  }
  return [
    ...Object.entries(facts).map(([name, read]): ComparedRow => [name, read(left), read(right)]),
    ...compareContents('Request body', left.body, right.body),
    ...compareContents('Response body', responseOf(left), responseOf(right)),
    ...compareContents('Response headers', left.headers, right.headers),
  ]
}

function compareContents(title: string, left: unknown, right: unknown): readonly ComparedRow[] {
  const format = (value: unknown): string => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
    return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
  }
  const differences = diffJson(left, right)
  if (differences.length === 0) return [[title, 'the same', 'the same']]
  return differences.map(({ path, left, right }) => [`${title} ${path}`, format(left), format(right)])
}

/** The content of a chat, so that a stream compares with a whole answer; otherwise the body. */
function responseOf(call: CallDetails): unknown {
  const body = sentBody(call)
  if (body === undefined) return undefined
  return (call.status < 400 ? readAnswer(body) : undefined) ?? parseJson(body) ?? body
}

/**
 * The smallest parts that differ, in the order of the left value; at most 200. Their path is '' for the values as a whole.
 * @example diffJson({ n: 1, tags: ['a'] }, { n: 1, tags: ['b'] }) // [{ path: 'tags[0]', left: 'a', right: 'b' }]
 */
export function diffJson(left: unknown, right: unknown) {
  const differences: { readonly path: string; readonly left: unknown; readonly right: unknown }[] = []
  const compare = (path: string, left: unknown, right: unknown, depth: number): void => {
    if (differences.length >= MAX_DIFFERENCES || Object.is(left, right)) return
    const areLists = Array.isArray(left) && Array.isArray(right)
    const haveFields = areLists || (isObject(left) && isObject(right))
    if (!haveFields || depth >= MAX_DEPTH) return void differences.push({ path, left, right })
    const leftFields = new Map(Object.entries(left))
    const rightFields = new Map(Object.entries(right))
    for (const name of new Set([...leftFields.keys(), ...rightFields.keys()])) {
      const isWord = !areLists && /^[A-Za-z_$][\w$-]*$/.test(name)
      const step = isWord ? `.${name}` : `[${areLists ? name : JSON.stringify(name)}]`
      const fieldPath = path === '' ? step.replace(/^\./, '') : path + step
      compare(fieldPath, leftFields.get(name), rightFields.get(name), depth + 1)
    }
  }
  compare('', left, right, 0)
  return differences
}
