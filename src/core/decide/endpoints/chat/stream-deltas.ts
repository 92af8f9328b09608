/** What the chunks of a stream add to each choice: its deltas. */

import type { ToolCall } from '../../../protocol/plan/assistant-message.ts'
import { type Audio, dataPieces, expiresAt } from './audio.ts'
import { type Choices, callHead, emptyCallJson, inputName } from './completion.ts'
import { type PackedPieces, type Pieces, packPieces } from './stream-pieces.ts'

/** Consecutive deltas of one kind. */
export interface DeltaRun {
  readonly length: number
  /** A bound on the length of the JSON of all its deltas. */
  readonly maxLength: number
  /** The JSON of a delta. It may depend on the choice, but its length does not. */
  json(index: number, choice: number): string
  /** How many tokens the deltas before this one hold; `index` may be the length of the run. */
  tokensBefore(index: number): number
}

export function deltaRuns({ message, callIds, audio }: Choices, pieces: Pieces, created: number): readonly DeltaRun[] {
  switch (message.type) {
    case 'text':
      if (audio !== undefined) return audioRuns(audio, pieces[0]!, created)
      return [single('{"role":"assistant","content":"","refusal":null}'), textRun(pieces[0]!, '{"content":', '}')]
    case 'refusal':
      return [single('{"role":"assistant","content":null,"refusal":""}'), textRun(pieces[0]!, '{"refusal":', '}')]
    case 'calls':
      return callRuns(message.calls, callIds, pieces)
    default:
      return message satisfies never
  }
}

/** The id of the audio, its transcript, its data, and last when it expires. */
const audioRuns = (audio: Audio, transcript: Pieces[number], created: number): DeltaRun[] => [
  single(`{"role":"assistant","content":null,"refusal":null,"audio":{"id":"${audio.id}","transcript":""}}`),
  textRun(transcript, '{"audio":{"transcript":', '}}'),
  textRun(dataPieces(audio), '{"audio":{"data":', '}}'),
  single(`{"audio":{"expires_at":${expiresAt(created)}}}`),
]

/** Each call with its name first, then its input piece by piece. */
function callRuns(calls: readonly ToolCall[], callIds: Choices['callIds'], pieces: Pieces): DeltaRun[] {
  const role = '{"role":"assistant","content":null'
  const [first] = calls
  if (first!.type === 'function_call') {
    const head = `${role},"function_call":${emptyCallJson(first!)},"refusal":null}`
    return [single(head), inputRun(first!, pieces[0]!, '{"function_call":', '}')]
  }
  const heads = calls.map((call, index) => {
    const called = emptyCallJson(call)
    return (choice: number): string =>
      `"tool_calls":[{"index":${index},${callHead(call, callIds[choice]![index]!)}${called}}]`
  })
  const inputs = calls.map((call, index) => {
    const id = call.laterId === undefined ? '' : `"id":"${call.laterId}",`
    return inputRun(call, pieces[index]!, `{"tool_calls":[{"index":${index},${id}"${call.type}":`, '}]}')
  })
  if (calls.length === 1) return [perChoice((choice) => `${role},${heads[0]!(choice)},"refusal":null}`), inputs[0]!]
  return [
    single(`${role}}`),
    ...heads.flatMap((head, index) => [perChoice((choice) => `{${head(choice)}}`), inputs[index]!]),
  ]
}

const inputRun = ({ type }: ToolCall, pieces: Pieces[number], before: string, after: string): DeltaRun =>
  textRun(pieces, `${before}{"${inputName(type)}":`, `}${after}`)

/** One delta that is the same for each choice. */
const single = (json: string): DeltaRun => ({
  length: 1,
  maxLength: json.length,
  json: () => json,
  tokensBefore: () => 0,
})

/** One delta with the id of a call, which differs from choice to choice. */
const perChoice = (json: (choice: number) => string): DeltaRun => ({
  length: 1,
  maxLength: json(0).length,
  json: (_, choice) => json(choice),
  tokensBefore: () => 0,
})

const MAX_LENGTH_PER_UNIT = '\\u0000'.length

const textRun = (pieces: Pieces[number], before: string, after: string): DeltaRun => new TextRun(pieces, before, after)

/** A text in pieces: each is a delta, as JSON between `before` and `after`. */
class TextRun implements DeltaRun {
  readonly length: number
  readonly #pieces: Pieces[number]
  readonly #before: string
  readonly #after: string
  #packed: PackedPieces | undefined

  constructor(pieces: Pieces[number], before: string, after: string) {
    this.length = pieces.length
    this.#pieces = pieces
    this.#before = before
    this.#after = after
  }

  /** Packed when it is first read: most streams that are too large are refused for their number of events. */
  get #list(): PackedPieces {
    this.#packed ??= packPieces(this.#pieces)
    return this.#packed
  }

  get maxLength(): number {
    const perPiece = this.#before.length + this.#after.length + 2
    return this.#list.text.length * MAX_LENGTH_PER_UNIT + this.length * perPiece
  }

  json(index: number): string {
    const { text, starts } = this.#list
    return this.#before + JSON.stringify(text.slice(starts[index], starts[index + 1])) + this.#after
  }

  tokensBefore(index: number): number {
    return this.#list.tokens[index]!
  }
}
