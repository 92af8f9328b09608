/** The tab Compare of a call: the call beside another one, at first beside its previous attempt. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { calls, useCall } from '../app/page-state.ts'
import { navigate, pathTo } from '../app/router.ts'
import { Table } from '../parts/elements.tsx'
import { choosePartner, compareCalls } from './compare-calls.ts'

/** The most calls to choose from. */
const MAX_CHOICES = 100

/** @param other the number of the other call, as it is in the address; undefined at first. */
export function CompareTab({ call, other }: { call: CallDetails; other: string | undefined }) {
  const partner = other === undefined ? choosePartner(call, calls.all.value) : Number(other)
  if (partner === undefined) return <p class="hint">There is no other call to compare with.</p>
  return <Comparison call={call} partner={partner} />
}

/** @param partner the number of the call to compare with. */
function Comparison({ call, partner }: { call: CallDetails; partner: number }) {
  const { call: left, problem } = useCall(partner)
  const rows = left === undefined ? [] : compareCalls(left, call)
  const others = calls.all.value.filter(({ number }) => number !== call.number)
  // The latest calls, and the chosen one however old it is.
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
