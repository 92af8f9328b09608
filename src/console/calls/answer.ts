/** What an answer says, put together from its pieces, whether it was streamed or not. */
import type { CallDetails } from '../../core/journal/call-details.ts'

/** What the first choice of a chat says. */
export interface Said {
  readonly text?: string
  readonly refusal?: string
  readonly calls?: readonly { readonly name: string; readonly input: string }[]
  readonly finish?: string
}

/** The body of an answer as it went out, all pieces joined; undefined where the journal does not have all of it. */
export function bodyOf({ timeline, isWhole }: Pick<CallDetails, 'timeline' | 'isWhole'>): string | undefined {
  if (timeline === undefined || isWhole !== true) return undefined
  return timeline.map((step) => (step.type === 'send' ? (step.data ?? '') : '')).join('')
}

/** What was said; undefined for anything but a chat that was answered. */
export function saidIn(body: string): Said | undefined {
  const isStream = body.startsWith('data:')
  const values = isStream ? body.split('\n\n').map((event) => parsed(event.replace(/^data: ?/, ''))) : [parsed(body)]
  let text: string | undefined
  let refusal: string | undefined
  let finish: string | undefined
  const calls: { name: string; input: string }[] = []
  for (const value of values) {
    const choice = value?.choices?.find(({ index = 0 }) => index === 0)
    if (choice === undefined) continue
    const message = choice.message ?? choice.delta ?? {}
    if (typeof message.content === 'string') text = (text ?? '') + message.content
    if (typeof message.refusal === 'string') refusal = (refusal ?? '') + message.refusal
    for (const [place, { index = place, function: called, custom }] of (message.tool_calls ?? []).entries()) {
      calls[index] ??= { name: '', input: '' }
      calls[index].name += called?.name ?? custom?.name ?? ''
      calls[index].input += called?.arguments ?? custom?.input ?? ''
    }
    finish = choice.finish_reason ?? finish
  }
  if (calls.length > 0) return { calls: calls.filter(Boolean), ...(finish !== undefined && { finish }) }
  if (refusal !== undefined) return { refusal }
  return text === undefined ? undefined : { text, ...(finish !== undefined && { finish }) }
}

/** A piece of an answer in short: what a chunk of a stream adds; anything else as it stands. */
export function gistOf(data: string): string {
  const events = data.split('\n\n').filter((event) => event !== '')
  const gists = events.map((event) => chunkGist(parsed(event.replace(/^data: ?/, ''))) ?? event)
  return gists.join(' ')
}

function chunkGist(value: Value | undefined): string | undefined {
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
  return parts.length === 0 ? 'the beginning' : parts.join(' ')
}

/** As much of a completion or chunk as is read here; from the mock, but perhaps broken by a fault. */
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
  readonly tool_calls?: readonly {
    readonly index?: number
    readonly function?: { readonly name?: string; readonly arguments?: string }
    readonly custom?: { readonly name?: string; readonly input?: string }
  }[]
}

function parsed(text: string): Value | undefined {
  try {
    return JSON.parse(text) as Value
  } catch {
    return undefined
  }
}
