/** The name of a fault with its status, and the address of its form. */
import type { JSX } from 'preact'
import type { CallSummary } from '../../core/journal/call-details.ts'
import { pathTo } from '../app/router.ts'
import { nameOfFault } from '../calls/call-filter.ts'

/** The address of the form for a fault, for calls like `like`: `/_mock/faults/cut/17`. */
export const pathToFault = (name: string, like?: number): string =>
  like === undefined ? pathTo('faults', name) : pathTo('faults', name, like)

/** The form that fails the next call like this one, with the same fault if it had one. */
export const pathToFailing = ({ number, reason }: Pick<CallSummary, 'number' | 'reason'>): string =>
  pathToFault(reason.by === 'fault' ? nameOfFault(reason.name) : 'server-error', number)

/** The name of a fault, and the status of its answer if the fault sets one. */
export function FaultName({ name, status }: { name: string; status: number | undefined }): JSX.Element {
  return (
    <span class="fault-name">
      <code>{name}</code>
      {status !== undefined && <span class={`status ${status >= 500 ? 'bad' : 'warn'}`}>{status}</span>}
    </span>
  )
}
