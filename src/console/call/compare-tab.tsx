/** Compares a call with another one: the previous attempt at first. */

import { Fragment } from 'preact'
import type { CallDetails, CallSummary } from '../../core/journal/call-details.ts'
import { readAnswer, sentBody } from '../../core/journal/read-answer.ts'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import { calls, useCall } from '../app/page-state.ts'
import { navigate, pathTo } from '../app/router.ts'
import { causeText } from '../calls/list-filter.ts'
import { Table } from '../parts/elements.tsx'
import { formatMs } from '../parts/format.ts'

const MAX_CHOICES = 100
const MAX_TEXT = 3000

/** @param other the number of the other call, as it is in the address; undefined at first. */
export function CompareTab({ call, other }: { call: CallDetails; other: string | undefined }) {
  const partner = other === undefined ? choosePartner(call, calls.all.value) : Number(other)
  if (partner === undefined) return <p class="hint">There is no other call to compare with.</p>
  return <Compared call={call} partner={partner} />
}

function Compared({ call, partner }: { call: CallDetails; partner: number }) {
  const { call: left, problem } = useCall(partner)
  const choices = calls.all.value.filter(({ number }) => number !== call.number).slice(-MAX_CHOICES)
  const isListed = choices.some(({ number }) => number === partner)
  return (
    <>
      <p class="compare-with">
        <label>
          Compare with{' '}
          <select
            value={partner}
            onChange={({ currentTarget }) =>
              navigate(pathTo('calls', call.number, 'compare', currentTarget.value), { replace: true })
            }
          >
            {!isListed && <option value={partner}>call {partner}</option>}
            {choices.toReversed().map(({ number, status, prompt, request, caller }) => (
              <option key={number} value={number}>
                call {number}
                {request === call.request && caller === call.caller ? ' (same request)' : ''}: {status}{' '}
                {prompt.slice(0, 60)}
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
        rows={facts.map(({ name, left, right }) => [name, left, right])}
        rowClasses={facts.map(({ left, right }) => (left === right ? '' : 'differs'))}
      />
      {contents.map(({ title, differences }) => (
        <Fragment key={title}>
          <h3>{differences.length === 0 ? `${title}: the same` : title}</h3>
          {differences.length > 0 && (
            <dl class="differences">
              {differences.map(({ path, left, right }) => (
                <div key={path}>
                  <dt class="code">{path === '' ? 'all of it' : path}</dt>
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

/** The call that is compared first: the last attempt at the same request, or else the last one of the same key. */
export function choosePartner(call: CallSummary, calls: readonly CallSummary[]): number | undefined {
  const earlier = calls.filter(({ number }) => number < call.number)
  const isSameKey = (one: CallSummary): boolean => one.caller === call.caller && one.endpoint === call.endpoint
  const attempt = earlier.findLast((one) => isSameKey(one) && one.request === call.request)
  return (attempt ?? earlier.findLast(isSameKey) ?? earlier.at(-1))?.number
}

/** The facts of both calls, and the differences between their contents. */
export function compareCalls(left: CallDetails, right: CallDetails) {
  const rightFacts = factsOf(right)
  return {
    facts: Object.entries(factsOf(left)).map(([name, fact]) => ({ name, left: fact, right: rightFacts[name]! })),
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

/** The smallest parts that differ, in the order of the left value; at most 200. */
export function diffJson(left: unknown, right: unknown): readonly JsonDifference[] {
  const found: JsonDifference[] = []
  const compare = (path: string, left: unknown, right: unknown, depth: number): void => {
    if (found.length >= MAX_DIFFERENCES || Object.is(left, right)) return
    const isList = Array.isArray(left) && Array.isArray(right)
    if (depth < MAX_DEPTH && (isList || (isObject(left) && isObject(right)))) {
      const [before, after] = [new Map(Object.entries(left)), new Map(Object.entries(right))]
      for (const name of new Set([...before.keys(), ...after.keys()])) {
        const step = isList ? `[${name}]` : formatField(name)
        compare(path === '' ? step.replace(/^\./, '') : path + step, before.get(name), after.get(name), depth + 1)
      }
    } else found.push({ path, left, right })
  }
  compare('', left, right, 0)
  return found
}

const formatField = (name: string): string =>
  /^[A-Za-z_$][\w$-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
