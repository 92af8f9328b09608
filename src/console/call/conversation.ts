/**
 * A call as a conversation: the messages of the request, and the answer as the client got it.
 *
 *     { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,…' } }] }
 *
 * is shown as a message of the user with the placeholder `image: png, 2.1 kB`.
 */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { type AnswerContent, readChoices, sentBody } from '../../core/journal/read-answer.ts'
import { isObject, type JsonObject, objectsIn } from '../../core/lib/text/json.ts'
import { formatCount } from '../parts/format.ts'

/** A part of a message. Parts without text are placeholders: the page shows no images or audio of calls. */
export type ShownPart =
  | { readonly kind: 'text' | 'refusal' | 'transcript'; readonly text: string }
  | { readonly kind: 'image' | 'audio' | 'file'; readonly label: string }
  | { readonly kind: 'call'; readonly name: string; readonly input: string; readonly id: string }
  | { readonly kind: 'other'; readonly value: unknown }

export interface ShownMessage {
  readonly role: string
  /** The name of the participant, or the id of the tool call that it answers. */
  readonly detail: string
  readonly parts: readonly ShownPart[]
}

export type Conversation = NonNullable<ReturnType<typeof readConversation>>

/** The conversation of a call; undefined for a call without messages. */
export function readConversation(call: CallDetails) {
  const { body, messages = body?.messages } = call
  if (body === undefined || !Array.isArray(messages)) return undefined
  return {
    messages: messages.map(readMessage),
    /** The choices of the answer. */
    answers: call.status < 400 ? readChoices(sentBody(call) ?? '').map(readChoice) : [],
    /** The names of the declared tools. */
    tools: [...objectsIn(body.tools), ...objectsIn(body.functions)]
      .map((tool) => tool.name ?? fieldsOf(tool.function).name ?? fieldsOf(tool.custom).name)
      .filter((name) => typeof name === 'string'),
  }
}

// The request may be wrong in any way: a call that was refused is shown too.
const fieldsOf = (value: unknown): JsonObject => (isObject(value) ? value : {})

function readMessage(value: unknown): ShownMessage {
  if (!isObject(value)) return { role: 'invalid', detail: '', parts: [{ kind: 'other', value }] }
  const { role, name, tool_call_id: id, content, refusal, tool_calls: toolCalls, function_call: called, audio } = value
  // The content is a text or a list of parts.
  const parts = [content ?? []].flat().map(readPart)
  if (typeof refusal === 'string') parts.push({ kind: 'refusal', text: refusal })
  parts.push(...objectsIn(toolCalls).map(readToolCall))
  if (isObject(called)) parts.push(readToolCall({ function: called }))
  if (isObject(audio)) parts.push({ kind: 'audio', label: 'audio of an earlier answer' })
  return {
    role: typeof role === 'string' ? role : 'invalid',
    detail: [name, id].filter((text) => typeof text === 'string').join(', '),
    parts,
  }
}

function readPart(value: unknown): ShownPart {
  if (typeof value === 'string') return { kind: 'text', text: value }
  const { type, text, refusal, ...part } = fieldsOf(value)
  if (type === 'text' && typeof text === 'string') return { kind: 'text', text }
  if (type === 'refusal' && typeof refusal === 'string') return { kind: 'refusal', text: refusal }
  if (type === 'image_url') {
    const { url, detail } = fieldsOf(part.image_url)
    const suffix = typeof detail === 'string' ? `, detail ${detail}` : ''
    return { kind: 'image', label: `image: ${describeSource(url)}${suffix}` }
  }
  if (type === 'input_audio') {
    const { data, format } = fieldsOf(part.input_audio)
    return { kind: 'audio', label: `audio: ${String(format)}, ${sizeOfBase64(data)}` }
  }
  if (type === 'file') {
    const { filename, file_id: id, file_data: data } = fieldsOf(part.file)
    const name = String(filename ?? id ?? 'without a name')
    return { kind: 'file', label: `file: ${name}${typeof data === 'string' ? `, ${describeSource(data)}` : ''}` }
  }
  return { kind: 'other', value }
}

function readToolCall({ function: called, custom, id }: JsonObject): ShownPart {
  const { name, arguments: args, input } = fieldsOf(called ?? custom)
  // A custom tool has a text as its input.
  const written = args ?? input ?? ''
  return {
    kind: 'call',
    name: String(name ?? ''),
    input: typeof written === 'string' ? written : JSON.stringify(written),
    id: typeof id === 'string' ? id : '',
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

/** A choice of the answer as a message. */
function readChoice({ text, refusal, calls = [], transcript, finish }: AnswerContent): ShownMessage {
  const parts: ShownPart[] = []
  if (text !== undefined && (text !== '' || calls.length === 0)) parts.push({ kind: 'text', text })
  if (refusal !== undefined) parts.push({ kind: 'refusal', text: refusal })
  if (transcript !== undefined) parts.push({ kind: 'transcript', text: transcript })
  parts.push(...calls.map(({ name, input }) => ({ kind: 'call', name, input, id: '' }) as const))
  return { role: 'assistant', detail: finish === undefined ? '' : `finish: ${finish}`, parts }
}

/** The parts that are missing at the end of an answer. */
export function describeGaps({ outcome, isWhole, bytes }: CallDetails): readonly string[] {
  const gaps = [
    outcome === 'cut' && 'The mock cut the answer off here.',
    outcome === 'client-left' && 'The client left here.',
    isWhole === false && `The answer has ${formatCount(bytes, 'byte')}. The rest is left out.`,
  ]
  return gaps.filter((gap) => gap !== false)
}

/** The reason why a conversation has no answer. */
export function whyNoAnswer(call: CallDetails): string {
  const { status, outcome, isWhole, bytes } = call
  const size = formatCount(bytes, 'byte')
  if (outcome === 'open') return 'No part of the answer is sent yet.'
  if (status >= 400) return 'The answer is an error: see the tab Response.'
  if (bytes === 0 || isWhole === true) return 'The client got no message.'
  // The journal leaves out large answers, and the data of those to requests that repeat a key.
  if (!sentBody(call)) return `The answer is not in the journal: ${size} were sent.`
  return `The answer of ${size} is too long for this view.`
}
