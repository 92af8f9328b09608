/** The request of a call. */
import type { JSX } from 'preact'
import type { CallDetails } from '../../../core/journal/call-details.ts'
import { BodyView, FactTable } from './body-view.tsx'

export function RequestTab({ call }: { call: CallDetails }): JSX.Element {
  const { method, path, query, key, session, model, body, attempt } = call
  const facts: (readonly [string, string])[] = [
    ['Request', `${method} ${path}${query === undefined ? '' : `?${query}`}`],
    ['Key', key === '' ? 'none' : key],
    ...(session === undefined ? [] : [['Session', session] as const]),
    ['Model', model === '' ? 'none' : model],
    ['Attempt', String(attempt)],
  ]
  return (
    <>
      <FactTable title="The request" facts={facts} />
      {body === undefined ? (
        <p class="hint">The journal has no body for this call.</p>
      ) : (
        <BodyView text={JSON.stringify(body, null, 2)} />
      )}
    </>
  )
}
