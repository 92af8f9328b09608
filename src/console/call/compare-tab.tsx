/** Compares a call with another one, at first with the previous attempt: their facts, and what differs in their contents. */
import { Fragment } from 'preact'
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
  const others = calls.all.value.filter(({ number }) => number !== call.number)
  const choices = others.filter(({ number }, index) => number === partner || index >= others.length - MAX_CHOICES)
  const choose = (number: string) => navigate(pathTo('calls', call.number, 'compare', number), { replace: true })
  return (
    <>
      <p class="compare-with">
        <label>
          Compare with{' '}
          <select value={partner} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {choices.toReversed().map(({ number, status, prompt }) => (
              <option key={number} value={number}>
                call {number}: {status} {prompt.slice(0, 60)}
              </option>
            ))}
          </select>
        </label>
      </p>
      {problem !== undefined && <p class="hint">{problem}</p>}
      {left !== undefined && <Differences left={left} right={call} />}
    </>
  )
}

function Differences({ left, right }: { left: CallDetails; right: CallDetails }) {
  const { facts, contents } = compareCalls(left, right)
  return (
    <>
      <Table
        class="compare"
        title="Both calls"
        columns={['Fact', `Call ${left.number}`, `Call ${right.number}`]}
        rows={facts}
        rowClasses={facts.map(([, left, right]) => (left === right ? '' : 'differs'))}
      />
      {contents.map(({ title, differences }) => (
        <Fragment key={title}>
          <h3>{differences.length === 0 ? `${title}: the same` : title}</h3>
          {differences.length > 0 && (
            <dl class="differences">
              {differences.map(({ path, left, right }) => (
                <div key={path}>
                  <dt class="code">{path || 'all of it'}</dt>
                  <dd>
                    <Side mark="−" value={left} />
                    <Side mark="+" value={right} />
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </Fragment>
      ))}
    </>
  )
}

function Side({ mark, value }: { mark: '−' | '+'; value: unknown }) {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <pre class={mark === '+' ? 'added' : 'removed'}>
      {mark} {text.slice(0, MAX_TEXT)}
      {text.length > MAX_TEXT && '…'}
    </pre>
  )
}

/** The number of the call to compare with at first: the previous attempt, or else the previous call of the key, or any. */
export function choosePartner(call: CallSummary, calls: readonly CallSummary[]): number | undefined {
  const earlier = calls.filter(({ number }) => number < call.number)
  const ofSameKey = earlier.filter(({ caller, endpoint }) => caller === call.caller && endpoint === call.endpoint)
  const previousAttempt = ofSameKey.findLast(({ request }) => request === call.request)
  return (previousAttempt ?? ofSameKey.at(-1) ?? earlier.at(-1))?.number
}

/** The facts of both calls, and the differences between their contents. */
export function compareCalls(left: CallDetails, right: CallDetails) {
  const rightFacts = factsOf(right)
  return {
    facts: Object.entries(factsOf(left)).map(([name, fact]) => [name, fact, rightFacts[name]!] as const),
    contents: [
      { title: 'Request body', differences: diffJson(left.body, right.body) },
      { title: 'Response body', differences: diffJson(responseOf(left), responseOf(right)) },
      { title: 'Response headers', differences: diffJson(left.headers, right.headers) },
    ],
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
