/** Compares a call with another one, at first with the previous attempt: their facts, and what differs in their contents. */
import type { CallDetails, CallSummary } from '../../core/journal/call-details.ts'
import { readAnswer, sentBody } from '../../core/journal/read-answer.ts'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import { calls, useCall } from '../app/page-state.ts'
import { navigate, pathTo } from '../app/router.ts'
import { causeText } from '../calls/list-filter.ts'
import { Table } from '../parts/elements.tsx'
import { formatMs } from '../parts/format.ts'

/** The most calls to choose from, and the most characters of a value that differs. */
const MAX_CHOICES = 100
const MAX_TEXT = 3000

/** @param other the number of the other call, as it is in the address; undefined at first. */
export function CompareTab({ call, other }: { call: CallDetails; other: string | undefined }) {
  const number = other === undefined ? choosePartner(call, calls.all.value) : Number(other)
  if (number === undefined) return <p class="hint">There is no other call to compare with.</p>
  return <Comparison call={call} partner={number} />
}

/** @param partner the number of the call to compare with. */
function Comparison({ call, partner }: { call: CallDetails; partner: number }) {
  const { call: left, problem } = useCall(partner)
  const rows = left === undefined ? [] : compareCalls(left, call)
  const others = calls.all.value.filter(({ number }) => number !== call.number)
  const choices = others.filter(({ number }, index) => number === partner || index >= others.length - MAX_CHOICES)
  const choose = (number: string) => navigate(pathTo('calls', call.number, 'compare', number), { replace: true })
  return (
    <>
      <p class="compare-with">
        <label>
          Compare with{' '}
          <select value={partner} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {choices.toReversed().map(({ number, status, prompt, request, caller }) => (
              <option key={number} value={number}>
                call {number}
                {request === call.request && caller === call.caller && ' (same request)'}: {status}{' '}
                {prompt.slice(0, 60)}
              </option>
            ))}
          </select>
        </label>
      </p>
      {problem !== undefined && <p class="hint">{problem}</p>}
      {rows.length > 0 && (
        <Table
          class="compare"
          title="Both calls"
          columns={['Part', `Call ${partner}`, `Call ${call.number}`]}
          rows={rows}
          rowClasses={rows.map(([, left, right]) => (left === right ? '' : 'differs'))}
        />
      )}
    </>
  )
}

/** The number of the call to compare with at first: the previous attempt, or else the previous call of the key, or any. */
export function choosePartner(call: CallSummary, calls: readonly CallSummary[]): number | undefined {
  const earlier = calls.filter(({ number }) => number < call.number)
  const ofSameKey = earlier.filter(({ caller, endpoint }) => caller === call.caller && endpoint === call.endpoint)
  const previousAttempt = ofSameKey.findLast(({ request }) => request === call.request)
  return (previousAttempt ?? ofSameKey.at(-1) ?? earlier.at(-1))?.number
}

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

interface JsonDifference {
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

/**
 * The smallest parts that differ, in the order of the left value; at most 200.
 * @example diffJson({ n: 1, tags: ['a'] }, { n: 1, tags: ['b'] }) // [{ path: 'tags[0]', left: 'a', right: 'b' }]
 */
export function diffJson(left: unknown, right: unknown): readonly JsonDifference[] {
  const found: JsonDifference[] = []
  const compare = (path: string, left: unknown, right: unknown, depth: number): void => {
    if (found.length >= MAX_DIFFERENCES || Object.is(left, right)) return
    const areLists = Array.isArray(left) && Array.isArray(right)
    const haveFields = areLists || (isObject(left) && isObject(right))
    if (!haveFields || depth >= MAX_DEPTH) return void found.push({ path, left, right })
    const leftFields = new Map(Object.entries(left))
    const rightFields = new Map(Object.entries(right))
    for (const name of new Set([...leftFields.keys(), ...rightFields.keys()])) {
      const step = areLists ? `[${name}]` : formatField(name)
      const fieldPath = path === '' ? step.replace(/^\./, '') : path + step
      compare(fieldPath, leftFields.get(name), rightFields.get(name), depth + 1)
    }
  }
  compare('', left, right, 0)
  return found
}

/** `.name`, or `["a name"]`. */
const formatField = (name: string): string =>
  /^[A-Za-z_$][\w$-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
