/** The deltas of a stream: the part of each choice that a chunk adds. */

import type { ToolCall } from '../../protocol/turn/assistant-message.ts'
import type { Pieces } from '../../protocol/turn/pieces.ts'
import { packPieces } from '../../protocol/turn/pieces.ts'
import type { Reply } from '../../protocol/turn/reply.ts'
import { callHead, inputName } from './completion.ts'
import { dataPieces, SECONDS_KEPT } from './spoken-audio.ts'

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

export function deltaRuns({ message, callIds, audio }: Reply, pieces: Pieces, created: number): readonly DeltaRun[] {
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
function callRuns(calls: readonly ToolCall[], callIds: Reply['callIds'], pieces: Pieces): DeltaRun[] {
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
