/** The tab Conversation of a call: the messages of the request, the answer to them, and the reason if there is none. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { parseJson } from '../../core/lib/text/json.ts'
import { Paragraphs } from '../parts/elements.tsx'
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

/** A message of the request under its role, or an answer under its title. */
function MessageItem({ role, detail, parts, title }: ShownMessage & { title?: string }) {
  // A wrong request may have any text as a role.
  const roleClass = /^\w+$/.test(role) ? `role-${role}` : 'role-other'
  return (
    <li class={`message ${title === undefined ? '' : 'answer'} ${roleClass}`}>
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

/** A part of a message: a placeholder, a value, a text or a tool call. */
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
