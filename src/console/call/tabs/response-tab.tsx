/** The response to a call. */
import type { JSX } from 'preact'
import type { CallDetails } from '../../../core/journal/call-details.ts'
import { sentBody } from '../answer.ts'
import { BodyView, FactTable } from './body-view.tsx'

export function ResponseTab({ call }: { call: CallDetails }): JSX.Element {
  const { status, headers, bytes, isWhole } = call
  const body = sentBody(call)
  return (
    <>
      {body === undefined ? (
        <p class="hint">The answer is no longer stored.</p>
      ) : body === '' ? (
        <p class="hint">
          {bytes === 0 ? 'No body was sent.' : 'The journal has no data of this body, which repeats a key.'}
        </p>
      ) : (
        <BodyView text={body} />
      )}
      {isWhole === false && body !== '' && <p class="hint">Some of the data is left out.</p>}
      <h3>Headers</h3>
      <FactTable
        title="Headers of the response"
        facts={[['status', status === 0 ? 'none' : String(status)], ...Object.entries(headers)]}
      />
    </>
  )
}
