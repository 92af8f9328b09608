/** Compares a call with another one: the previous attempt at first. */
import { Fragment } from 'preact'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { calls, useCall } from '../app/page-state.ts'
import { navigate, pathTo } from '../app/router.ts'
import { Table } from '../parts/elements.tsx'
import { choosePartner, compareCalls } from './compare.ts'

const MAX_CHOICES = 100
const MAX_TEXT = 3000

export function CompareTab({ call, other }: { call: CallDetails; other: number | undefined }) {
  const partner = other ?? choosePartner(call, calls.all.value)
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
        rows={facts.map(({ name, left, right }) => ({
          class: left === right ? '' : 'differs',
          cells: [name, left, right],
        }))}
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
