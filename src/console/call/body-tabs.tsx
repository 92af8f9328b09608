/** A body: JSON that folds, the events of a stream, or the text as it is. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { JsonView } from '../parts/json-view.tsx'
import { parseJson, sentBody, summarizeChunk } from './read-answer.ts'

const MAX_EVENTS = 300

export function BodyView({ text }: { text: string }): JSX.Element {
  const isRaw = useSignal(false)
  const value = parseJson(text)
  const events = text.startsWith('data:') ? text.split('\n\n').filter((event) => event !== '') : undefined
  const hasForms = value !== undefined || events !== undefined
  return (
    <>
      <div class="body-head">
        <h3>Body</h3>
        <span class="hint">{text.length.toLocaleString('en')} characters</span>
        {hasForms && (
          <label>
            <input
              type="checkbox"
              checked={isRaw.value}
              onChange={({ currentTarget }) => {
                isRaw.value = currentTarget.checked
              }}
            />{' '}
            Raw
          </label>
        )}
      </div>
      {isRaw.value || !hasForms ? (
        <pre class="raw">{text}</pre>
      ) : events === undefined ? (
        <JsonView value={value} />
      ) : (
        <Events events={events} />
      )}
    </>
  )
}

function Events({ events }: { events: readonly string[] }): JSX.Element {
  return (
    <ol class="events">
      {events.slice(0, MAX_EVENTS).map((event, index) => {
        const value = parseJson(event.replace(/^data: ?/, ''))
        return <li key={index}>{value === undefined ? <pre>{event}</pre> : <Event event={event} value={value} />}</li>
      })}
      {events.length > MAX_EVENTS && <li class="hint">And {events.length - MAX_EVENTS} more: see Raw.</li>}
    </ol>
  )
}

function Event({ event, value }: { event: string; value: unknown }): JSX.Element {
  const isOpen = useSignal(false)
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary class="code">{summarizeChunk(event)}</summary>
      {isOpen.value && <JsonView value={value} />}
    </details>
  )
}

/** Names and values, as headers and facts have them. */
export function FactTable({
  title,
  facts,
}: {
  title: string
  facts: readonly (readonly [string, string])[]
}): JSX.Element {
  return (
    <table class="fact-table">
      <caption class="unseen">{title}</caption>
      <tbody>
        {facts.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

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
