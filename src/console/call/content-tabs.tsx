/** The content of a call in three tabs: the conversation, the request and the response. */
import { useState } from 'preact/hooks'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { dataOf, isEventStream, sentBody, summarizeChunk } from '../../core/journal/read-answer.ts'
import { parseJson } from '../../core/lib/text/json.ts'
import { Table } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'
import type { Conversation, ShownMessage, ShownPart } from './conversation.ts'
import { readError } from './describe-answer.ts'

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
      <Table class="fact-table" title="The request" rows={rowsOf(facts)} />
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
      ? `The answer is not in the journal: ${formatCount(bytes, 'byte')} were sent.`
      : bytes === 0
        ? 'No body was sent.'
        : 'The journal has no data of this body, which repeats a key.'
  return (
    <>
      {body ? <BodyView text={body} /> : <p class="hint">{problem}</p>}
      {isWhole === false && body && <p class="hint">{describeCut(body, bytes)}</p>}
      <h3>Headers</h3>
      <Table
        class="fact-table"
        title="Headers of the response"
        rows={rowsOf({ status: status === 0 ? 'none' : String(status), ...headers })}
      />
    </>
  )
}

const describeCut = (body: string, bytes: number): string =>
  `These are the first ${formatCount(body.length, 'character')} of ${formatCount(bytes, 'byte')}. The rest is left out.`

const rowsOf = (facts: Readonly<Record<string, string>>) => Object.entries(facts).map((cells) => ({ cells }))

function BodyView({ text }: { text: string }) {
  const [isRaw, setRaw] = useState(false)
  const value = parseJson(text)
  const events = isEventStream(text) ? text.split('\n\n').filter((event) => event !== '') : undefined
  const hasForms = value !== undefined || events !== undefined
  return (
    <>
      <div class="body-head">
        <h3>Body</h3>
        <span class="hint">{formatCount(text.length, 'character')}</span>
        {hasForms && (
          <label>
            <input type="checkbox" checked={isRaw} onChange={({ currentTarget }) => setRaw(currentTarget.checked)} />{' '}
            Raw
          </label>
        )}
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

interface ConversationProps {
  readonly call: CallDetails
  readonly conversation: Conversation
}

export function ConversationTab({ call, conversation: { messages, answers, tools } }: ConversationProps) {
  const { outcome, isWhole } = call
  const error = readError(call)
  return (
    <>
      {tools.length > 0 && (
        <p class="hint">
          {formatCount(tools.length, 'tool')} declared: <span class="code">{tools.join(', ')}</span>
        </p>
      )}
      <ol class="conversation">
        {messages.map((message, index) => (
          <MessageItem key={index} message={message} />
        ))}
        {answers.map((message, index) => (
          <MessageItem
            key={`answer ${index}`}
            message={message}
            title={answers.length === 1 ? 'answer' : `answer ${index + 1} of ${answers.length}`}
          />
        ))}
      </ol>
      {answers.length === 0 && error === undefined && <p class="hint">{whyNoAnswer(call)}</p>}
      {answers.length === 0 && error !== undefined && (
        <div class="message error">
          <p class="message-head">
            <strong>error</strong>
            <span class="hint">{error.code ?? error.type}</span>
          </p>
          <p class="message-text">{error.message}</p>
        </div>
      )}
      {answers.length > 0 && outcome === 'cut' && <p class="hint">The mock cut the answer off here.</p>}
      {answers.length > 0 && outcome === 'client-left' && <p class="hint">The client left here.</p>}
      {answers.length > 0 && isWhole === false && (
        <p class="hint">The answer has {formatCount(call.bytes, 'byte')}. The rest is left out.</p>
      )}
    </>
  )
}

function whyNoAnswer({ status, outcome, timeline, isWhole, bytes }: CallDetails): string {
  if (outcome === 'open') return 'No part of the answer is sent yet.'
  if (status >= 400) return 'The answer is an error: see the tab Response.'
  if (timeline === undefined) return `The answer is not in the journal: ${formatCount(bytes, 'byte')} were sent.`
  const isCut = isWhole === false && bytes > 0
  return isCut ? `The answer of ${formatCount(bytes, 'byte')} is too long for this view.` : 'The client got no message.'
}

function MessageItem({ message, title }: { message: ShownMessage; title?: string }) {
  const { role, detail, parts } = message
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
  switch (part.kind) {
    case 'text':
      return <p class="message-text">{part.text === '' ? <span class="hint">empty</span> : part.text}</p>
    case 'refusal':
    case 'transcript':
      return (
        <p class="message-text">
          {part.kind === 'refusal' ? <span class="badge warn">refusal</span> : <span class="badge">audio</span>}{' '}
          {part.text}
        </p>
      )
    case 'image':
    case 'audio':
    case 'file':
      return <p class="placeholder">{part.label}</p>
    case 'call': {
      const value = parseJson(part.input)
      return (
        <div class="tool-call">
          <p>
            calls <strong class="code">{part.name}</strong> {part.id !== '' && <span class="hint code">{part.id}</span>}
          </p>
          {typeof value === 'object' && value !== null ? <JsonView value={value} /> : <pre>{part.input}</pre>}
        </div>
      )
    }
    case 'other':
      return <JsonView value={part.value} />
    default:
      return part satisfies never
  }
}
