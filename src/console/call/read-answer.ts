/** Reads the content of an answer from its timeline, streamed or not. */
import type { CallDetails } from '../../core/journal/call-details.ts'

/** The most choices that the service gives. */
const MAX_CHOICES = 128

/** The content of a choice of a chat. */
export interface AnswerContent {
  readonly text?: string
  readonly refusal?: string
  readonly calls?: readonly { readonly name: string; readonly input: string }[]
  /** What requested audio says. */
  readonly transcript?: string
  readonly finish?: string
}

/** The body of an answer, all chunks joined; undefined when the journal does not have all of it. */
export function joinBody({ timeline, isWhole }: Pick<CallDetails, 'timeline' | 'isWhole'>): string | undefined {
  if (timeline === undefined || isWhole !== true) return undefined
  return timeline.map((step) => (step.type === 'send' ? (step.data ?? '') : '')).join('')
}

/** What was sent of an answer so far, as far as the journal has it; undefined when it has nothing of it. */
export function sentBody({ timeline }: Pick<CallDetails, 'timeline'>): string | undefined {
  if (timeline === undefined) return undefined
  const isMeasured = timeline.some(({ atMs }) => atMs !== undefined)
  return timeline
    .map((step) => (step.type === 'send' && (!isMeasured || step.atMs !== undefined) ? (step.data ?? '') : ''))
    .join('')
}

/** The content of one choice of an answer; undefined for anything but a successful chat. */
export function readAnswer(body: string, choiceIndex = 0): AnswerContent | undefined {
  const isStream = body.startsWith('data:')
  const values = isStream ? body.split('\n\n').map((event) => readValue(event)) : [readValue(body)]
  let text: string | undefined
  let refusal: string | undefined
  let finish: string | undefined
  let transcript: string | undefined
  const calls: { name: string; input: string }[] = []
  for (const value of values) {
    const choice = value?.choices?.find(({ index = 0 }) => index === choiceIndex)
    if (choice === undefined) continue
    const message = choice.message ?? choice.delta ?? {}
    if (typeof message.content === 'string') text = (text ?? '') + message.content
    if (typeof message.refusal === 'string') refusal = (refusal ?? '') + message.refusal
    if (typeof message.audio?.transcript === 'string') transcript = (transcript ?? '') + message.audio.transcript
    for (const [place, { index = place, function: called, custom }] of (message.tool_calls ?? []).entries()) {
      calls[index] ??= { name: '', input: '' }
      calls[index].name += called?.name ?? custom?.name ?? ''
      calls[index].input += called?.arguments ?? custom?.input ?? ''
    }
    finish = choice.finish_reason ?? finish
  }
  if (calls.length > 0) {
    return { ...(text && { text }), calls: calls.filter(Boolean), ...(finish !== undefined && { finish }) }
  }
  if (refusal !== undefined) return { refusal }
  const ending = finish !== undefined && { finish }
  if (transcript !== undefined) return { ...(text !== undefined && { text }), transcript, ...ending }
  return text === undefined ? undefined : { text, ...ending }
}

/** The choices of an answer, in order. */
export function readChoices(body: string): AnswerContent[] {
  const choices: AnswerContent[] = []
  for (let index = 0; index < MAX_CHOICES; index++) {
    const choice = readAnswer(body, index)
    if (choice === undefined) break
    choices.push(choice)
  }
  return choices
}

/** A short form of sent data: what a stream chunk adds, or else the data itself. */
export function summarizeChunk(data: string): string {
  const events = data.split('\n\n').filter((event) => event !== '')
  const summaries = events.map((event) => summarizeEvent(readValue(event)) ?? event)
  return summaries.join(' ')
}

function summarizeEvent(value: Value | undefined): string | undefined {
  if (value?.choices === undefined || value.choices.some(({ delta }) => delta === undefined)) return undefined
  const parts = value.choices.flatMap(({ delta = {}, finish_reason: finish }) => [
    ...(typeof delta.content === 'string' && delta.content !== '' ? [JSON.stringify(delta.content)] : []),
    ...(typeof delta.refusal === 'string' ? [`refusal ${JSON.stringify(delta.refusal)}`] : []),
    ...(delta.tool_calls ?? []).map(
      ({ function: called, custom }) =>
        `${called?.name ?? custom?.name ?? ''}(${called?.arguments ?? custom?.input ?? ''}`,
    ),
    ...(typeof finish === 'string' ? [`finish: ${finish}`] : []),
  ])
  if (value.choices.length === 0) return 'usage'
  return parts.length === 0 ? 'start' : parts.join(' ')
}

/** The parts of a completion or chunk that are read here; a fault may have broken it. */
interface Value {
  readonly choices?: readonly {
    readonly index?: number
    readonly message?: Message
    readonly delta?: Message
    readonly finish_reason?: string | null
  }[]
}
interface Message {
  readonly content?: unknown
  readonly refusal?: unknown
  readonly audio?: { readonly transcript?: unknown } | null
  readonly tool_calls?: readonly {
    readonly index?: number
    readonly function?: { readonly name?: string; readonly arguments?: string }
    readonly custom?: { readonly name?: string; readonly input?: string }
  }[]
}

/** The JSON of a body or of an event. */
const readValue = (text: string): Value | undefined => parseJson(text.replace(/^data: ?/, '')) as Value | undefined

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
