/**
 * The streamed answer: server-sent events with a `chat.completion.chunk` each.
 *
 *   role chunk (each choice) -> content chunks (choices in turn) -> finish chunk (each choice) -> [usage chunk] -> [DONE]
 *
 * A content chunk holds the fewest tokens that end where a text may be cut, so most hold one.
 */
import { mayCut } from '../graphemes.ts'
import type { PlanEvent } from '../plan.ts'
import type { Random } from '../random.ts'
import type { Piece, Tokenizer } from '../tokens.ts'
import { type Frame, type Usage, usageJson } from './completion.ts'
import type { Reply } from './reply.ts'

interface StreamOptions {
  /** Undefined when the request did not ask for usage. */
  readonly usage: Usage | undefined
  /** Undefined when the request did not ask for obfuscation. */
  readonly obfuscation: Random | undefined
  readonly tokenizer: Tokenizer
}

/** The `send` events of a stream, one for each server-sent event. */
export function streamEvents(frame: Frame, replies: readonly Reply[], options: StreamOptions): PlanEvent[] {
  const { usage, obfuscation, tokenizer } = options
  // Everything around the choices is the same in every chunk: it is written once.
  const before =
    `{"id":${JSON.stringify(frame.id)},"object":"chat.completion.chunk","created":${frame.created},` +
    `"model":${JSON.stringify(frame.model)},"service_tier":${JSON.stringify(frame.serviceTier)},` +
    `"system_fingerprint":${JSON.stringify(frame.systemFingerprint)},"choices":`
  const after = usage === undefined ? '' : ',"usage":null'

  const events: PlanEvent[] = []
  const send = (choices: string, end: string, tokens = 0): void => {
    const json = before + choices + end
    const data = `data: ${json}${obfuscation === undefined ? '' : padding(json, obfuscation)}}\n\n`
    events.push(tokens === 0 ? { type: 'send', data } : { type: 'send', data, tokens })
  }
  const chunk = (index: number, delta: string, finish: string, tokens = 0): void =>
    send(`[{"index":${index},"delta":${delta},"logprobs":null,"finish_reason":${finish}}]`, after, tokens)

  for (const index of replies.keys()) chunk(index, '{"role":"assistant","content":"","refusal":null}', 'null')
  const pieces = replies.map(({ text }) => piecesOf(text, tokenizer))
  const longest = Math.max(...pieces.map(({ length }) => length))
  for (let turn = 0; turn < longest; turn++) {
    for (const [index, ofChoice] of pieces.entries()) {
      const piece = ofChoice[turn]
      if (piece !== undefined) chunk(index, `{"content":${JSON.stringify(piece.text)}}`, 'null', piece.tokens)
    }
  }
  for (const [index, { finishReason }] of replies.entries()) chunk(index, '{}', `"${finishReason}"`)
  if (usage !== undefined) send('[]', `,"usage":${usageJson(usage)}`)
  events.push({ type: 'send', data: 'data: [DONE]\n\n' })
  return events
}

/** The text in pieces that end where it may be cut, each of as few tokens as that takes. */
function piecesOf(text: string, tokenizer: Tokenizer): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let end = 0
  let tokens = 0
  for (const piece of tokenizer.pieces(text)) {
    end += piece.text.length
    tokens += piece.tokens
    if (!mayCut(text, end)) continue
    pieces.push({ text: text.slice(start, end), tokens })
    start = end
    tokens = 0
  }
  if (start < text.length) pieces.push({ text: text.slice(start), tokens })
  return pieces
}

const OBFUSCATION_FRAME = ',"obfuscation":""}'.length

/** The field that pads a chunk's JSON to a length of 1 modulo 16, so that sizes on the wire do not tell the tokens. */
function padding(json: string, random: Random): string {
  const length = (17 - ((json.length + OBFUSCATION_FRAME) % 16)) % 16
  return `,"obfuscation":"${random.alphanumeric(length)}"`
}
