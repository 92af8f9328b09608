/** The response to a call. */
import type { JSX } from 'preact'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { joinBody } from './answer.ts'

export function ResponseTab({ call }: { call: CallDetails }): JSX.Element {
  return <pre>{joinBody(call) ?? 'The answer is no longer stored.'}</pre>
}
