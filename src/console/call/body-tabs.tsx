/** The tabs Request and Response of a call: the facts of its head, and the body as JSON that folds or as events. */
import { useState } from 'preact/hooks'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { dataOf, isEventStream, sentBody, summarizeChunk } from '../../core/journal/read-answer.ts'
import { parseJson } from '../../core/lib/text/json.ts'
import { Table } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'

export function RequestTab({ call }: { call: CallDetails }) {
  const { method, path, query, key, session, model, body, attempt } = call
  const facts = [
    ['Request', query === undefined ? `${method} ${path}` : `${method} ${path}?${query}`],
    ['Key', key || 'none'],
    ...(session === undefined ? [] : [['Session', session]]),
    ['Model', model || 'none'],
    ['Attempt', attempt],
  ]
  return (
    <>
      <Table class="fact-table" title="The request" rows={facts} />
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
  const body = sentBody(call) ?? ''
  const rows = Object.entries({ status: status || 'none', ...headers })
  const sent = `${formatCount(bytes, 'byte')} were sent`
  return (
    <>
      {body !== '' && <BodyView text={body} />}
      {bytes === 0 && <p class="hint">No body was sent.</p>}
      {body === '' && bytes > 0 && <p class="hint">The body is not in the journal: {sent}.</p>}
      {body !== '' && isWhole === false && (
        <p class="hint">
          {sent}, of which these are the first {formatCount(body.length, 'character')}.
        </p>
      )}
      <h3>Headers</h3>
      <Table class="fact-table" title="Headers of the response" rows={rows} />
    </>
  )
}

/** A body as JSON that folds, as the events of a stream, or as it is. */
function BodyView({ text }: { text: string }) {
  const [isRaw, setRaw] = useState(false)
  const value = parseJson(text)
  const events = isEventStream(text) ? <EventList text={text} /> : undefined
  /** The view that folds; undefined for a text that is neither JSON nor events. */
  const folded = value === undefined ? events : <JsonView value={value} />
  return (
    <>
      <div class="body-head">
        <h3>Body</h3>
        <span class="hint">{formatCount(text.length, 'character')}</span>
        {folded !== undefined && (
          <label>
            <input type="checkbox" checked={isRaw} onChange={({ currentTarget }) => setRaw(currentTarget.checked)} />{' '}
            Raw
          </label>
        )}
      </div>
      {isRaw || folded === undefined ? <pre class="raw">{text}</pre> : folded}
    </>
  )
}

/** The most events that are listed; the raw text has all. */
const MAX_EVENTS = 300

function EventList({ text }: { text: string }) {
  const events = text.split('\n\n').filter((event) => event !== '')
  return (
    <ol class="events">
      {events.slice(0, MAX_EVENTS).map((event, index) => (
        <StreamEvent key={index} event={event} />
      ))}
      {events.length > MAX_EVENTS && <li class="hint">And {events.length - MAX_EVENTS} more: see Raw.</li>}
    </ol>
  )
}

/** An event as one line, which opens to its data. Only open data is in the document. */
function StreamEvent({ event }: { event: string }) {
  const [isOpen, setOpen] = useState(false)
  const value = parseJson(dataOf(event))
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
