/** Three tabs of a call: its messages as a conversation, its request, and its response with the headers. */
import { useState } from 'preact/hooks'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { dataOf, isEventStream, sentBody, summarizeChunk } from '../../core/journal/read-answer.ts'
import { parseJson } from '../../core/lib/text/json.ts'
import { Paragraphs, Table } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'
import { type Conversation, describeGaps, type ShownMessage, type ShownPart, whyNoAnswer } from './conversation.ts'
import { readError } from './describe-answer.ts'

export function ConversationTab({ call, conversation }: { call: CallDetails; conversation: Conversation }) {
  const { messages, answers, tools } = conversation
  const error = readError(call)
  const titleOf = (index: number): string =>
    answers.length === 1 ? 'answer' : `answer ${index + 1} of ${answers.length}`
  return (
    <>
      {tools.length > 0 && (
        <p class="hint">
          {formatCount(tools.length, 'tool')} declared: <span class="code">{tools.join(', ')}</span>
        </p>
      )}
      <ol class="conversation">
        {messages.map((message, index) => (
          <MessageItem key={index} {...message} />
        ))}
        {answers.map((message, index) => (
          <MessageItem key={`answer ${index}`} {...message} title={titleOf(index)} />
        ))}
        {error !== undefined && (
          <li class="message error">
            <p class="message-head">
              <strong>error</strong>
              <span class="hint">{error.code ?? error.type}</span>
            </p>
            <p class="message-text">{error.message}</p>
          </li>
        )}
      </ol>
      {answers.length > 0 && <Paragraphs class="hint" texts={describeGaps(call)} />}
      {answers.length === 0 && error === undefined && <p class="hint">{whyNoAnswer(call)}</p>}
    </>
  )
}

function MessageItem({ role, detail, parts, title }: ShownMessage & { title?: string }) {
  return (
    <li class={`message ${title === undefined ? '' : 'answer'} role-${/^\w+$/.test(role) ? role : 'other'}`}>
      <p class="message-head">
        <strong>{title ?? role}</strong>
        {detail !== '' && <span class="hint">{detail}</span>}
      </p>
      {parts.map((part, index) => (
        <PartView key={index} part={part} />
      ))}
      {parts.length === 0 && <p class="hint">empty</p>}
    </li>
  )
}

function PartView({ part }: { part: ShownPart }) {
  if ('label' in part) return <p class="placeholder">{part.label}</p>
  if ('value' in part) return <JsonView value={part.value} />
  if ('text' in part) {
    return (
      <p class="message-text">
        {part.kind === 'refusal' && <span class="badge warn">refusal</span>}
        {part.kind === 'transcript' && <span class="badge">audio</span>}
        {part.kind !== 'text' && ' '}
        {part.text === '' ? <span class="hint">empty</span> : part.text}
      </p>
    )
  }
  const { name, id, input } = part
  const value = parseJson(input)
  return (
    <div class="tool-call">
      <p>
        calls <strong class="code">{name}</strong> {id !== '' && <span class="hint code">{id}</span>}
      </p>
      {typeof value === 'object' && value !== null ? <JsonView value={value} /> : <pre>{input}</pre>}
    </div>
  )
}

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
  const body = sentBody(call)
  const rows = Object.entries({ status: status || 'none', ...headers })
  const sent = bytes === 0 ? 'No body was sent.' : `${formatCount(bytes, 'byte')} were sent`
  return (
    <>
      {body && <BodyView text={body} />}
      {!body && <p class="hint">{bytes === 0 ? sent : `The body is not in the journal: ${sent}.`}</p>}
      {body && isWhole === false && (
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
