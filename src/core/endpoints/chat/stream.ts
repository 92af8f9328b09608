/**
 * The streamed answer: server-sent events with a `chat.completion.chunk` each.
 *
 *   role chunk (each choice) -> content chunks (choices in turn) -> finish chunk (each choice) -> [usage chunk] -> [DONE]
 *
 * Most content chunks hold one token; a chunk never ends inside what a reader sees as one character. A single call begins
 * in the role chunk. Parallel calls begin with a chunk each, and one is complete before the next begins, because clients
 * parse the arguments of a call when another one begins.
 */

import type { ToolCall } from '../../plan/assistant-message.ts'
import type { PlanEvent } from '../../plan/plan.ts'
import type { Random } from '../../random/random.ts'
import { type Choice, calledJson, type Frame, headJson, inputName } from './completion.ts'
import { logprobsJson } from './logprobs.ts'
import type { Pieces } from './stream-pieces.ts'
import { type Usage, usageJson } from './usage.ts'

interface StreamOptions {
  /** Undefined when the request did not ask for usage. */
  readonly usage: Usage | undefined
  /** Undefined when the request did not ask for obfuscation. */
  readonly obfuscation: Random | undefined
  /** The message of every choice, in pieces. */
  readonly pieces: Pieces
  /** The JSON of the logprobs of each token; undefined when the request did not ask for them. */
  readonly logprobs: readonly string[] | undefined
}

/** The `send` events of a stream, one for each server-sent event. */
export function streamEvents(frame: Frame, choices: readonly Choice[], options: StreamOptions): PlanEvent[] {
  const { usage, obfuscation } = options
  // The parts that all chunks share are built once: they are most of a stream.
  const beginning =
    `data: {"id":${JSON.stringify(frame.id)},"object":"chat.completion.chunk","created":${frame.created},` +
    `"model":${JSON.stringify(frame.model)},"service_tier":${JSON.stringify(frame.serviceTier)},` +
    `"system_fingerprint":${JSON.stringify(frame.systemFingerprint)},"choices":`
  const after = usage === undefined ? '' : ',"usage":null'
  const plainRest = restOf('null', 'null', after)
  const heads = choices.map((_, index) => `${beginning}[{"index":${index},"delta":`)

  const events: PlanEvent[] = []
  const send = (text: string, tokens = 0, index = 0): void => {
    const data = `${text}${obfuscation === undefined ? '' : padding(text, obfuscation)}}\n\n`
    if (tokens === 0) events.push({ type: 'send', data })
    else events.push(index === 0 ? { type: 'send', data, tokens } : { type: 'send', data, tokens, isBeside: true })
  }

  const deltas = choices.map((choice) => deltasOf(choice, options))
  const longest = Math.max(...deltas.map(({ length }) => length))
  for (let step = 0; step < longest; step++) {
    for (let index = 0; index < deltas.length; index++) {
      const delta = deltas[index]![step]
      if (delta === undefined) continue
      const { json, tokens, logprobs } = delta
      send(heads[index]! + json + (logprobs === undefined ? plainRest : restOf(logprobs, 'null', after)), tokens, index)
    }
  }
  for (const [index, { finishReason }] of choices.entries()) {
    send(`${heads[index]!}{}${restOf('null', `"${finishReason}"`, after)}`)
  }
  if (usage !== undefined) send(`${beginning}[],"usage":${usageJson(usage)}`)
  events.push({ type: 'send', data: 'data: [DONE]\n\n' })
  return events
}

/** The part of a chunk after its delta. */
const restOf = (logprobs: string, finishReason: string, after: string): string =>
  `,"logprobs":${logprobs},"finish_reason":${finishReason}}]${after}`

/** What one chunk adds to its choice. */
interface Delta {
  readonly json: string
  readonly tokens?: number
  readonly logprobs?: string
}

function deltasOf({ message, callIds }: Choice, { pieces, logprobs }: StreamOptions): Delta[] {
  switch (message.type) {
    case 'text':
      return [{ json: '{"role":"assistant","content":"","refusal":null}' }, ...textDeltas('content', pieces, logprobs)]
    case 'refusal':
      return [{ json: '{"role":"assistant","content":null,"refusal":""}' }, ...textDeltas('refusal', pieces, logprobs)]
    case 'calls':
      return callDeltas(message.calls, callIds, pieces)
    default:
      return message satisfies never
  }
}

function textDeltas(field: 'content' | 'refusal', pieces: Pieces, logprobs: readonly string[] | undefined): Delta[] {
  let sent = 0
  return pieces[0]!.map(({ text, tokens }) => {
    const json = `{"${field}":${JSON.stringify(text)}}`
    if (logprobs === undefined) return { json, tokens }
    const entries = logprobs.slice(sent, sent + tokens)
    sent += tokens
    return { json, tokens, logprobs: logprobsJson(entries, field === 'refusal') }
  })
}

/** Each call with its name first, then its input piece by piece. */
function callDeltas(calls: readonly ToolCall[], ids: readonly string[], pieces: Pieces): Delta[] {
  const role = '{"role":"assistant","content":null'
  const first = calls[0]!
  if (first.type === 'function_call') {
    const head = `${role},"function_call":${calledJson({ ...first, input: '' })},"refusal":null}`
    return [{ json: head }, ...inputDeltas(first, pieces[0]!, (input) => `{"function_call":${input}}`)]
  }
  const heads = calls.map(
    (call, index) => `"tool_calls":[{"index":${index},${headJson({ ...call, input: '' }, ids[index]!)}}]`,
  )
  const each = calls.map((call, index) =>
    inputDeltas(call, pieces[index]!, (input) => `{"tool_calls":[{"index":${index},"${call.type}":${input}}]}`),
  )
  if (heads.length === 1) return [{ json: `${role},${heads[0]},"refusal":null}` }, ...each[0]!]
  return [{ json: `${role}}` }, ...heads.flatMap((head, index) => [{ json: `{${head}}` }, ...each[index]!])]
}

function inputDeltas({ type }: ToolCall, pieces: Pieces[number], frame: (input: string) => string): Delta[] {
  return pieces.map(({ text, tokens }) => ({ json: frame(`{"${inputName(type)}":${JSON.stringify(text)}}`), tokens }))
}

const OBFUSCATION_FRAME = ',"obfuscation":""}'.length - 'data: '.length

/** The field that pads a chunk's JSON to a length of 1 modulo 16, so that sizes on the wire do not tell the tokens. */
function padding(text: string, random: Random): string {
  const length = (17 - ((text.length + OBFUSCATION_FRAME) % 16)) % 16
  return `,"obfuscation":"${random.alphanumeric(length)}"`
}
