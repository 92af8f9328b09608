/** A call as a conversation: the messages of the request, and the answer as the client got it. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { type AnswerContent, readChoices, sentBody } from './read-answer.ts'

/** A part of a message. What is not text is a placeholder: the page shows no images or audio of calls. */
export type Part =
  | { readonly kind: 'text' | 'refusal' | 'transcript'; readonly text: string }
  | { readonly kind: 'image' | 'audio' | 'file'; readonly label: string }
  | { readonly kind: 'call'; readonly name: string; readonly input: string; readonly id: string }
  | { readonly kind: 'other'; readonly value: unknown }

export interface Message {
  readonly role: string
  /** The name of the participant, or the id of the tool call that it answers. */
  readonly detail: string
  readonly parts: readonly Part[]
}

export interface Conversation {
  readonly messages: readonly Message[]
  /** The choices of the answer. */
  readonly answers: readonly Message[]
  /** The names of the declared tools. */
  readonly tools: readonly string[]
}

/** The conversation of a call; undefined for a call without messages. */
export function readConversation(call: CallDetails): Conversation | undefined {
  const { body } = call
  if (!Array.isArray(body?.messages)) return undefined
  return {
    messages: body.messages.map(readMessage),
    answers: call.status < 400 ? readChoices(sentBody(call) ?? '').map(answerMessage) : [],
    tools: [...listOf(body.tools), ...listOf(body.functions)].flatMap((tool) => {
      const { name, function: declared, custom } = tool as Fields
      const found = name ?? asFields(declared)?.name ?? asFields(custom)?.name
      return typeof found === 'string' ? [found] : []
    }),
  }
}

type Fields = Readonly<Record<string, unknown>>
const asFields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(asFields).filter((one) => one !== undefined) : []

function readMessage(value: unknown): Message {
  const message = asFields(value)
  if (message === undefined) return { role: 'invalid', detail: '', parts: [{ kind: 'other', value }] }
  const { role, name, tool_call_id: id, content, refusal, tool_calls: calls, function_call: called, audio } = message
  const parts: Part[] = [
    ...readContent(content),
    ...(typeof refusal === 'string' ? [{ kind: 'refusal', text: refusal } as const] : []),
    ...listOf(calls).map(readCall),
    ...(asFields(called) === undefined ? [] : [readCall({ function: called })]),
    ...(asFields(audio) === undefined ? [] : [{ kind: 'audio', label: 'audio of an earlier answer' } as const]),
  ]
  return {
    role: typeof role === 'string' ? role : 'invalid',
    detail: [name, id].filter((one) => typeof one === 'string').join(', '),
    parts,
  }
}

function readContent(content: unknown): Part[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return Array.isArray(content) ? content.map(readPart) : [{ kind: 'other', value: content }]
}

function readPart(value: unknown): Part {
  const part = asFields(value) ?? {}
  const { text, refusal } = part
  if (part.type === 'text' && typeof text === 'string') return { kind: 'text', text }
  if (part.type === 'refusal' && typeof refusal === 'string') return { kind: 'refusal', text: refusal }
  if (part.type === 'image_url') {
    const { url, detail } = asFields(part.image_url) ?? {}
    const suffix = typeof detail === 'string' ? `, detail ${detail}` : ''
    return { kind: 'image', label: `image: ${describeSource(url)}${suffix}` }
  }
  if (part.type === 'input_audio') {
    const { data, format } = asFields(part.input_audio) ?? {}
    return { kind: 'audio', label: `audio: ${String(format)}, ${sizeOfBase64(data)}` }
  }
  if (part.type === 'file') {
    const { filename, file_id: id, file_data: data } = asFields(part.file) ?? {}
    const name = String(filename ?? id ?? 'without a name')
    return { kind: 'file', label: `file: ${name}${typeof data === 'string' ? `, ${describeSource(data)}` : ''}` }
  }
  return { kind: 'other', value }
}

function readCall(call: Fields): Part {
  const called = asFields(call.function) ?? asFields(call.custom) ?? {}
  const input = called.arguments ?? called.input ?? ''
  return {
    kind: 'call',
    name: String(called.name ?? ''),
    input: typeof input === 'string' ? input : JSON.stringify(input),
    id: typeof call.id === 'string' ? call.id : '',
  }
}

/** `png, 2.1 kB` for a data URL, or else the address itself. */
function describeSource(url: unknown): string {
  if (typeof url !== 'string') return 'without an address'
  const [, type = '', data = ''] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(url) ?? []
  return type === '' ? url.slice(0, 300) : `${type.replace(/^\w+\//, '')}, ${sizeOfBase64(data)}`
}

function sizeOfBase64(data: unknown): string {
  const bytes = typeof data === 'string' ? Math.floor((data.replace(/=+$/, '').length * 3) / 4) : 0
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`
}

function answerMessage({ text, refusal, calls = [], transcript, finish }: AnswerContent): Message {
  const parts: Part[] = [
    ...(text !== undefined && (text !== '' || calls.length === 0) ? [{ kind: 'text', text } as const] : []),
    ...(refusal === undefined ? [] : [{ kind: 'refusal', text: refusal } as const]),
    ...(transcript === undefined ? [] : [{ kind: 'transcript', text: transcript } as const]),
    ...calls.map(({ name, input }) => ({ kind: 'call', name, input, id: '' }) as const),
  ]
  return { role: 'assistant', detail: finish === undefined ? '' : `finish: ${finish}`, parts }
}
