/** The request of a call. */
import type { JSX } from 'preact'
import type { CallDetails } from '../../core/journal/call-details.ts'

export function RequestTab({ call: { body } }: { call: CallDetails }): JSX.Element {
  if (body === undefined) return <p class="hint">The body is not stored.</p>
  return <pre>{JSON.stringify(body, null, 2)}</pre>
}
