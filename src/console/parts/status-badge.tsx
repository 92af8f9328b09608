/** The status of a call as a coloured badge, and how the call ended if not normally. */
import type { JSX } from 'preact'
import type { CallSummary } from '../../core/journal/call-details.ts'

const RESULTS = { open: 'open', complete: '', cut: 'cut', 'client-left': 'left' } as const
const MEANINGS = {
  open: 'in progress',
  complete: '',
  cut: 'the mock cut it',
  'client-left': 'the client left',
} as const

export const statusKind = (status: number): 'good' | 'warn' | 'bad' =>
  status === 0 || status >= 500 ? 'bad' : status < 400 ? 'good' : 'warn'

export function StatusBadge({
  call: { status, outcome },
}: {
  call: Pick<CallSummary, 'status' | 'outcome'>
}): JSX.Element {
  return (
    <>
      {/* A call in progress may have no status yet. */}
      {(status !== 0 || outcome !== 'open') && (
        <span class={`status ${statusKind(status)}`}>{status === 0 ? 'none' : status}</span>
      )}
      {outcome !== 'complete' && (
        <span class="ending" title={MEANINGS[outcome]}>
          {RESULTS[outcome]}
        </span>
      )}
    </>
  )
}
