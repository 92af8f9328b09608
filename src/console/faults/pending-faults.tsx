/** The pending faults: what is left of each, and buttons to cancel them. The list empties as calls use them up. */
import type { JSX } from 'preact'
import type { InjectedFault } from '../../engine/injection.ts'
import { say } from '../app/notices.tsx'
import { act, api, status } from '../app/store.ts'
import { catalogue } from './catalogue.ts'
import { describeCalls, describeOptions } from './injection-text.ts'

/** A mock may have a thousand. */
const MAX_SHOWN = 50

export function PendingFaults(): JSX.Element {
  const injected = status.value?.injected ?? []
  return (
    <section class="pending" aria-labelledby="pending-title">
      <div class="pending-head">
        <h3 id="pending-title">Pending</h3>
        {injected.length > 1 && (
          <button type="button" onClick={() => act(cancelAll)}>
            Cancel all
          </button>
        )}
      </div>
      {injected.length === 0 ? (
        <p class="hint">No fault is pending. Choose one, and the next calls get it.</p>
      ) : (
        <ul aria-label="Pending faults">
          {injected.slice(0, MAX_SHOWN).map((fault) => (
            <PendingFault key={fault.id} fault={fault} />
          ))}
        </ul>
      )}
      {injected.length > MAX_SHOWN && <p class="hint">and {injected.length - MAX_SHOWN} more</p>}
    </section>
  )
}

function PendingFault({ fault }: { fault: InjectedFault }): JSX.Element {
  const options = describeOptions(
    fault.options,
    catalogue.value.faults.find(({ name }) => name === fault.fault)?.options ?? {},
  )
  return (
    <li>
      <span>
        <code>{fault.fault}</code>
        {options !== '' && <span class="hint"> {options}</span>}
        <span class="pending-calls"> {describeCalls(fault)}</span>
      </span>
      <button
        type="button"
        aria-label={`Cancel ${fault.fault}, ${describeCalls(fault)}`}
        onClick={() => act(() => cancel(fault))}
      >
        Cancel
      </button>
    </li>
  )
}

async function cancel({ id, fault }: InjectedFault): Promise<void> {
  await api.send('DELETE', `/faults/${id}`)
  say(`Cancelled ${fault}.`)
}

async function cancelAll(): Promise<void> {
  await api.send('DELETE', '/faults')
  say('Cancelled all pending faults.')
}
