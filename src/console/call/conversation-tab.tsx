/** A call as a conversation: its messages, and the answer. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { formatCount } from '../parts/format.ts'
import { JsonView } from '../parts/json-view.tsx'
import type { Conversation, ShownMessage, ShownPart } from './conversation.ts'
import { readError } from './describe-answer.ts'
import { parseJson } from './read-answer.ts'

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
      {answers.length > 0 && isWhole === false && <p class="hint">The rest is not shown: the answer is too long.</p>}
    </>
  )
}

function whyNoAnswer({ status, outcome, timeline }: CallDetails): string {
  if (outcome === 'open') return 'No part of the answer is sent yet.'
  if (status >= 400) return 'The answer is an error: see the tab Response.'
  return timeline === undefined ? 'The answer is no longer stored.' : 'The client got no message.'
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
