/**
 * The deltas of a streamed chat: the part of each choice that a chunk adds. They come in runs of one kind. For a text:
 *
 *     {"role":"assistant","content":"","refusal":null}      one delta
 *     {"content":"Hel"} {"content":"lo"}                    a run of text
 */

import type { ToolCall } from '../../protocol/turn/assistant-message.ts'
import { type Pieces, packPieces } from '../../protocol/turn/pieces.ts'
import type { Audio, Reply } from '../../protocol/turn/reply.ts'
import { callHead, encodeAudio, inputName, SECONDS_KEPT } from './completion.ts'

/** Consecutive deltas of one kind. */
export interface DeltaRun {
  /** The number of its deltas. */
  readonly length: number
  /** A bound on the length of the JSON of all its deltas. */
  readonly maxLength: number
  /** The JSON of a delta. It may depend on the choice, but its length does not. */
  json(index: number, choice: number): string
  /** The number of tokens in the deltas before this one; `index` may be the length of the run. */
  tokensBefore(index: number): number
}

/** The runs of a reply, in the order in which they are sent. */
export function deltaRuns({ message, callIds, audio }: Reply, pieces: Pieces, created: number): readonly DeltaRun[] {
  switch (message.type) {
    case 'text': {
      if (audio !== undefined) return audioRuns(audio, pieces, created)
      const role = '{"role":"assistant","content":"","refusal":null}'
      return [oneDelta(() => role), textRun(pieces[0]!, '{"content":', '}')]
    }
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

/** The transcript of a spoken text, then its audio. */
function audioRuns(audio: Audio, pieces: Pieces, created: number): readonly DeltaRun[] {
  const role = `{"role":"assistant","content":null,"refusal":null,"audio":{"id":"${audio.id}","transcript":""}}`
  const file = encodeAudio(audio)
  const size = file.length / audio.tokens
  // Each piece is one audio token. Clients decode each on its own, so none ends inside a group of base64.
  const data = Array.from({ length: audio.tokens }, (_, index) => ({
    text: file.slice(index * size, (index + 1) * size),
    tokens: 1,
  }))
  return [
    oneDelta(() => role),
    textRun(pieces[0]!, '{"audio":{"transcript":', '}}'),
    textRun(data, '{"audio":{"data":', '}}'),
    oneDelta(() => `{"audio":{"expires_at":${created + SECONDS_KEPT}}}`),
  ]
}

/** Each call with its name first, then its input piece by piece. A single call begins in the delta with the role. */
function callRuns(calls: readonly ToolCall[], callIds: Reply['callIds'], pieces: Pieces): readonly DeltaRun[] {
  const role = '"role":"assistant","content":null'
  const first = calls[0]!
  if (first.type === 'function_call') {
    const start = `"function_call":{"name":${JSON.stringify(first.name)},"arguments":""}`
    return [
      oneDelta(() => `{${role},${start},"refusal":null}`),
      textRun(pieces[0]!, '{"function_call":{"arguments":', '}}'),
    ]
  }
  const isSingle = calls.length === 1
  const runs = calls.flatMap((call, index) => {
    const { type, name, laterId } = call
    const called = `{"name":${JSON.stringify(name)},"${inputName(type)}":""}`
    const id = laterId === undefined ? '' : `"id":"${laterId}",`
    const before = `{"tool_calls":[{"index":${index},${id}"${type}":{"${inputName(type)}":`
    const start = oneDelta((choice) => {
      const fields = `"tool_calls":[{"index":${index},${callHead(call, callIds[choice]![index]!)}${called}}]`
      return isSingle ? `{${role},${fields},"refusal":null}` : `{${fields}}`
    })
    return [start, textRun(pieces[index]!, before, '}}]}')]
  })
  return isSingle ? runs : [oneDelta(() => `{${role}}`), ...runs]
}

/** One delta. It may have the id of a call, which differs from choice to choice. */
const oneDelta = (json: (choice: number) => string): DeltaRun => ({
  length: 1,
  maxLength: json(0).length,
  json: (_, choice) => json(choice),
  tokensBefore: () => 0,
})

/** The longest JSON of a UTF-16 code unit. */
const MAX_LENGTH_PER_UNIT = '\\u0000'.length

/** A text in pieces: each is a delta, as JSON between `before` and `after`. */
function textRun(pieces: Pieces[number], before: string, after: string): DeltaRun {
  const { length } = pieces
  const { text, starts, tokens } = packPieces(pieces)
  return {
    length,
    maxLength: text.length * MAX_LENGTH_PER_UNIT + length * (before.length + '""'.length + after.length),
    json: (index) => before + JSON.stringify(text.slice(starts[index], starts[index + 1])) + after,
    tokensBefore: (index) => tokens[index]!,
  }
}
