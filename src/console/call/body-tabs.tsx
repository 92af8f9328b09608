/** The request and the response of a call, with their bodies as JSON that folds, as events of a stream, or as text. */
import { useState } from 'preact/hooks'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { Checkbox } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'
import { parseJson, sentBody, summarizeChunk } from './read-answer.ts'

const MAX_EVENTS = 300

export function RequestTab({ call }: { call: CallDetails }) {
  const { method, path, query, key, session, model, body, attempt } = call
  const facts = {
    Request: `${method} ${path}${query === undefined ? '' : `?${query}`}`,
    Key: key === '' ? 'none' : key,
    ...(session !== undefined && { Session: session }),
    Model: model === '' ? 'none' : model,
    Attempt: String(attempt),
  }
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

export function ResponseTab({ call }: { call: CallDetails }) {
  const { status, headers, bytes, isWhole } = call
  const body = sentBody(call)
  const problem =
    body === undefined
      ? 'The answer is no longer stored.'
      : bytes === 0
        ? 'No body was sent.'
        : 'The journal has no data of this body, which repeats a key.'
  return (
    <>
      {body ? <BodyView text={body} /> : <p class="hint">{problem}</p>}
      {isWhole === false && body !== '' && <p class="hint">Some of the data is left out.</p>}
      <h3>Headers</h3>
      <FactTable
        title="Headers of the response"
        facts={{ status: status === 0 ? 'none' : String(status), ...headers }}
      />
    </>
  )
}

function FactTable({ title, facts }: { title: string; facts: Readonly<Record<string, string>> }) {
  return (
    <table class="fact-table">
      <caption class="unseen">{title}</caption>
      <tbody>
        {Object.entries(facts).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function BodyView({ text }: { text: string }) {
  const [isRaw, setRaw] = useState(false)
  const value = parseJson(text)
  const events = text.startsWith('data:') ? text.split('\n\n').filter((event) => event !== '') : undefined
  const hasForms = value !== undefined || events !== undefined
  return (
    <>
      <div class="body-head">
        <h3>Body</h3>
        <span class="hint">{formatCount(text.length, 'character')}</span>
        {hasForms && <Checkbox label="Raw" checked={isRaw} onChange={setRaw} />}
      </div>
      {isRaw || !hasForms ? (
        <pre class="raw">{text}</pre>
      ) : events === undefined ? (
        <JsonView value={value} />
      ) : (
        <ol class="events">
          {events.slice(0, MAX_EVENTS).map((event, index) => (
            <StreamEvent key={index} event={event} />
          ))}
          {events.length > MAX_EVENTS && <li class="hint">And {events.length - MAX_EVENTS} more: see Raw.</li>}
        </ol>
      )}
    </>
  )
}

function StreamEvent({ event }: { event: string }) {
  const [isOpen, setOpen] = useState(false)
  const value = parseJson(event.replace(/^data: ?/, ''))
  return (
    <li>
      {value === undefined ? (
        <pre>{event}</pre>
      ) : (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary class="code">{summarizeChunk(event)}</summary>
          {isOpen && <JsonView value={value} />}
        </details>
      )}
    </li>
  )
}
