/** The deltas of a stream: the part of each choice that a chunk adds. */

import { MemoCache } from '../../../lib/cache/memo-cache.ts'
import { mayCut } from '../../../lib/text/graphemes.ts'
import type { Encoding } from '../../../lib/tokenizer/split-words.ts'
import type { Piece, Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import type { AssistantMessage, ToolCall } from '../../../protocol/plan/assistant-message.ts'
import type { CallContext } from '../../call/call-context.ts'
import { dataPieces, SECONDS_KEPT } from './audio.ts'
import { type Choices, callHead, inputName } from './completion.ts'

/** Consecutive deltas of one kind. */
export interface DeltaRun {
  readonly length: number
  /** A bound on the length of the JSON of all its deltas. */
  readonly maxLength: number
  /** The JSON of a delta. It may depend on the choice, but its length does not. */
  json(index: number, choice: number): string
  /** The number of tokens in the deltas before this one; `index` may be the length of the run. */
  tokensBefore(index: number): number
}

export function deltaRuns({ message, callIds, audio }: Choices, pieces: Pieces, created: number): readonly DeltaRun[] {
  switch (message.type) {
    case 'text':
      if (audio === undefined) {
        const role = '{"role":"assistant","content":"","refusal":null}'
        return [oneDelta(() => role), textRun(pieces[0]!, '{"content":', '}')]
      }
      return [
        oneDelta(
          () => `{"role":"assistant","content":null,"refusal":null,"audio":{"id":"${audio.id}","transcript":""}}`,
        ),
        textRun(pieces[0]!, '{"audio":{"transcript":', '}}'),
        textRun(dataPieces(audio), '{"audio":{"data":', '}}'),
        oneDelta(() => `{"audio":{"expires_at":${created + SECONDS_KEPT}}}`),
      ]
    case 'refusal': {
      const role = '{"role":"assistant","content":null,"refusal":""}'
      return [oneDelta(() => role), textRun(pieces[0]!, '{"refusal":', '}')]
    }
    case 'calls':
      return callRuns(message.calls, callIds, pieces)
    default:
      return message satisfies never
  }
}

/** Each call with its name first, then its input piece by piece. */
function callRuns(calls: readonly ToolCall[], callIds: Choices['callIds'], pieces: Pieces): DeltaRun[] {
  const role = '{"role":"assistant","content":null'
  const runs = calls.map((call, index) => {
    const { type, laterId } = call
    const isLegacy = type === 'function_call'
    const called = `{"name":${JSON.stringify(call.name)},"${inputName(type)}":""}`
    const head = (choice: number): string =>
      isLegacy
        ? `"function_call":${called}`
        : `"tool_calls":[{"index":${index},${callHead(call, callIds[choice]![index]!)}${called}}]`
    const id = laterId === undefined ? '' : `"id":"${laterId}",`
    const [before, after] = isLegacy
      ? ['{"function_call":', '}}']
      : [`{"tool_calls":[{"index":${index},${id}"${type}":`, '}}]}']
    return { isLegacy, head, input: textRun(pieces[index]!, `${before}{"${inputName(type)}":`, after) }
  })
  const [first] = runs
  if (calls.length === 1 || first!.isLegacy)
    return [oneDelta((choice) => `${role},${first!.head(choice)},"refusal":null}`), first!.input]
  return [
    oneDelta(() => `${role}}`),
    ...runs.flatMap(({ head, input }) => [oneDelta((choice) => `{${head(choice)}}`), input]),
  ]
}

/** One delta. It may have the id of a call, which differs from choice to choice. */
const oneDelta = (json: (choice: number) => string): DeltaRun => ({
  length: 1,
  maxLength: json(0).length,
  json: (_, choice) => json(choice),
  tokensBefore: () => 0,
})

const MAX_LENGTH_PER_UNIT = '\\u0000'.length

/** A text in pieces: each is a delta, as JSON between `before` and `after`. */
function textRun(pieces: Pieces[number], before: string, after: string): DeltaRun {
  const { length } = pieces
  const { text, starts, tokens } = packPieces(pieces)
  return {
    length,
    maxLength: text.length * MAX_LENGTH_PER_UNIT + length * (before.length + after.length + 2),
    json: (index) => before + JSON.stringify(text.slice(starts[index], starts[index + 1])) + after,
    tokensBefore: (index) => tokens[index]!,
  }
}

/** One list of pieces for a text or refusal; for calls, one list for the input of each call. */
export type Pieces = readonly (readonly Piece[])[]

export function splitMessage(message: AssistantMessage, context: CallContext): Pieces {
  return message.type === 'calls'
    ? message.calls.map(({ input }) => splitText(input, context))
    : [splitText(message.text, context)]
}

/** The longest text whose pieces are cached, in characters. */
const MAX_CACHED_LENGTH = 1000
const caches: Readonly<Record<Encoding, MemoCache<readonly Piece[]>>> = {
  o200k_base: new MemoCache(256, MAX_CACHED_LENGTH),
  cl100k_base: new MemoCache(256, MAX_CACHED_LENGTH),
}

function splitText(text: string, context: CallContext): readonly Piece[] {
  const { tokenizer } = context
  if (text.length <= MAX_CACHED_LENGTH) return caches[tokenizer.encoding].of(text, () => joinTokens(text, tokenizer))
  const split = (): PackedPieces => packPieces(joinTokens(text, tokenizer))
  return unpackPieces(context.memo(`stream pieces ${tokenizer.encoding}`, text, split))
}

/** The shortest runs of tokens that do not end inside what a reader sees as one character. */
function joinTokens(text: string, tokenizer: Tokenizer): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let tokens = 0
  tokenizer.walk(text, (end, lengths) => {
    tokens += lengths.length
    if (!mayCut(text, end)) return
    pieces.push({ text: text.slice(start, end), tokens })
    start = end
    tokens = 0
  })
  return pieces
}

/** The pieces of a stream until they are sent: eight bytes each outside the heap, instead of an object with a text. */
interface PackedPieces {
  readonly text: string
  /** The beginning of each piece in characters; one more for the end. */
  readonly starts: Uint32Array
  /** The same in tokens. */
  readonly tokens: Uint32Array
}

function packPieces(pieces: readonly Piece[]): PackedPieces {
  const starts = new Uint32Array(pieces.length + 1)
  const tokens = new Uint32Array(pieces.length + 1)
  for (const [index, piece] of pieces.entries()) {
    starts[index + 1] = starts[index]! + piece.text.length
    tokens[index + 1] = tokens[index]! + piece.tokens
  }
  return { text: pieces.map(({ text }) => text).join(''), starts, tokens }
}

const unpackPieces = ({ text, starts, tokens }: PackedPieces): Piece[] =>
  Array.from({ length: starts.length - 1 }, (_, index) => ({
    text: text.slice(starts[index], starts[index + 1]),
    tokens: tokens[index + 1]! - tokens[index]!,
  }))
