/**
 * The items of a response's `output`: reasoning, a message, or calls; one after the other. Each is written as JSON, and as the
 * events that a stream has for it between `output_item.added` and `output_item.done`:
 *
 *     {"id":"msg_...","type":"message","status":"completed",
 *      "content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Hello"}],"role":"assistant"}
 *
 *     content_part.added -> output_text.delta (each piece of the text) -> output_text.done -> content_part.done
 *
 * The fields of an event are in alphabetical order, but for its `type`. So its number is in the middle, and a delta has fields
 * before and after its text.
 *
 * Ids are a prefix and 50 letters of 0-9 and a-f: 16 that a response shares with its items, `00`, 8 for the second in which the
 * response was created, and 24 of their own.
 */

import { hex32, type Random } from '../../lib/random/random.ts'
import { toText } from '../../lib/text/json.ts'
import type { Piece } from '../../lib/tokenizer/tokenizer.ts'
import { jsonOfText, type Part } from '../../protocol/plan/text-parts.ts'
import type { ToolCall } from '../../protocol/turn/assistant-message.ts'
import type { Logprobs } from '../../protocol/turn/logprobs.ts'
import type { Reply } from '../../protocol/turn/reply.ts'
import { type EventRun, OneEvent, ResponseDeltas } from './event-parts.ts'

/** The settings of a response that decide its items. */
interface ItemOptions {
  readonly createdAt: number
  /** True if the request includes `reasoning.encrypted_content`. */
  readonly isEncrypted: boolean
  /** True if the request asks for a summary of the reasoning. */
  readonly isSummarized: boolean
  /** True if a message of the model has a `phase`. */
  readonly hasPhase: boolean
}

/** One item of `output`. */
export interface ResponseItem {
  readonly json: readonly Part[]
  /** The JSON in the event that adds the item to a stream: in progress, and without its text. */
  readonly addedJson: string
  /** The events between that one and the one that says that the item is done. */
  readonly runs: (place: PlaceInStream) => readonly EventRun[]
}

/** The properties of a stream that the events of an item need. */
export interface PlaceInStream {
  /** The field with the place of the item: `,"output_index":0`. */
  readonly outputIndex: string
  /** Returns the pieces of the next message, or of the arguments of the next call. */
  readonly nextPieces: () => readonly Piece[]
  /** The letters for the obfuscation; undefined for none. */
  readonly pool: string | undefined
}

type ItemStatus = 'completed' | 'incomplete'

/** The id and the items of a response. */
export type ResponseOutput = Readonly<ReturnType<typeof buildOutput>>

/** An answer that ends early: at the token limit, or by the content filter. */
export const isUnfinished = ({ finishReason }: Reply): boolean =>
  finishReason === 'length' || finishReason === 'content_filter'

/**
 * The items of a reply.
 * @param random draws the ids, the summary and the encrypted content. Their order is fixed: seeded output depends on it.
 */
export function buildOutput(reply: Reply, options: ItemOptions, random: Random) {
  const { message, callIds, logprobs, usage } = reply
  const shared = `${random.hex(16)}00${hex32(options.createdAt)}`
  const drawId = (prefix: string): string => `${prefix}_${shared}${random.hex(24)}`
  const id = drawId('resp')
  const items: ResponseItem[] = []

  // The service takes no reasoning back that nothing follows, so a whole answer does not end with it.
  const isFollowed = message.type === 'calls' || message.text !== '' || isUnfinished(reply)
  if (usage.reasoning > 0 && isFollowed) {
    const reasoningId = drawId('rs')
    const summary = options.isSummarized ? SUMMARIES[random.below(SUMMARIES.length)] : undefined
    // Reasoning as only the service can read it. It begins as a Fernet token does: version 128, and a time.
    const length = Math.min(290 + 4 * usage.reasoning, MAX_ENCRYPTED)
    const encrypted = options.isEncrypted ? `gAAAAABo${random.alphanumeric(length)}==` : undefined
    items.push(reasoningItem(reasoningId, summary, encrypted))
  }

  const lastStatus = isUnfinished(reply) ? 'incomplete' : 'completed'
  if (message.type === 'calls') {
    const { calls } = message
    for (const [index, call] of calls.entries()) {
      const status = index === calls.length - 1 ? lastStatus : 'completed'
      items.push(callItem(drawId('fc'), status, callIds[0]![index]!, call))
    }
    return { id, items }
  }

  const scripted = message.type === 'text' ? (message.items ?? []) : []
  for (const given of scripted) {
    const itemId = typeof given.id === 'string' ? given.id : drawId(ITEM_PREFIXES[toText(given.type)] ?? 'item')
    const item = { id: itemId, ...given }
    const added = 'status' in item ? { ...item, status: 'in_progress' } : item
    items.push({ json: [JSON.stringify(item)], addedJson: JSON.stringify(added), runs: () => [] })
  }
  if (message.text !== '') {
    const facts: MessageFacts = {
      type: message.type,
      id: drawId('msg'),
      status: lastStatus,
      phase: options.hasPhase ? '"phase":"final_answer",' : '',
      json: jsonOfText(message.text),
      logprobs: logprobs?.bytesFirst(),
    }
    items.push(messageItem(facts))
  }
  return { id, items }
}

/** The most letters of the encrypted content; more reasoning is longer. */
const MAX_ENCRYPTED = 4000
/** The letters of the encrypted content that an item has when it is added to a stream. */
const ENCRYPTED_START = 226

/** The prefixes of the ids of hosted tools' items. */
const ITEM_PREFIXES: Readonly<Record<string, string>> = {
  web_search_call: 'ws',
  file_search_call: 'fs',
  code_interpreter_call: 'ci',
  computer_call: 'cu',
  image_generation_call: 'ig',
  mcp_call: 'mcp',
  mcp_list_tools: 'mcpl',
}

const SUMMARIES = [
  '**Considering the request**\n\nI look at what the user asks for and which parts of it matter, and then choose the shortest way to answer it.',
  '**Planning the answer**\n\nThe question is clear, so I decide what has to be in the answer and leave out the rest.',
  '**Checking the details**\n\nI go through the conversation once more, so that the answer agrees with everything that was said before.',
]

/** Reasoning, whose summary has one part at most. */
function reasoningItem(id: string, summary: string | undefined, encrypted: string | undefined): ResponseItem {
  const write = (shown: string | undefined, parts: string): string => {
    const encryptedField = shown === undefined ? '' : `"encrypted_content":"${shown}",`
    return `{"id":"${id}","type":"reasoning","content":[],${encryptedField}"summary":[${parts}]}`
  }
  const partOf = (text: string): string => `{"type":"summary_text","text":${JSON.stringify(text)}}`
  return {
    json: [write(encrypted, summary === undefined ? '' : partOf(summary))],
    addedJson: write(encrypted && `${encrypted.slice(0, ENCRYPTED_START)}==`, ''),
    runs: ({ outputIndex, pool }) => {
      if (summary === undefined) return []
      const place = `"item_id":"${id}"${outputIndex}`
      const summaryIndex = ',"summary_index":0'
      const words = summary.match(/\s*\S+/g)!.map((text) => ({ text, tokens: 0 }))
      const fields = { afterText: `,"item_id":"${id}"`, pool, beforeNumber: outputIndex, afterNumber: summaryIndex }
      const whole = `${summaryIndex},"text":${JSON.stringify(summary)}`
      return [
        new OneEvent('reasoning_summary_part.added', [`${place},"part":${partOf('')}`], [summaryIndex]),
        new ResponseDeltas('reasoning_summary_text.delta', words, fields),
        new OneEvent('reasoning_summary_text.done', [place], [whole]),
        new OneEvent('reasoning_summary_part.done', [`${place},"part":${partOf(summary)}`], [summaryIndex]),
      ]
    },
  }
}

/** A message, which has one part: a text or a refusal. */
interface MessageFacts {
  readonly type: 'text' | 'refusal'
  readonly id: string
  readonly status: ItemStatus
  /** The key `phase`, or nothing. */
  readonly phase: string
  /** The text as JSON, without quotes. */
  readonly json: Part
  readonly logprobs: Logprobs | undefined
}

function messageItem(message: MessageFacts): ResponseItem {
  const { type, id, status, phase, json, logprobs = '' } = message
  const head = `{"id":"${id}","type":"message","status":`
  const end = `],${phase}"role":"assistant"}`
  return {
    json: [`${head}"${status}","content":[`, ...messagePart(type, json, logprobs), end],
    addedJson: `${head}"in_progress","content":[${end}`,
    runs: (place) => messageRuns(message, place),
  }
}

/** The JSON of the part. */
const messagePart = (type: MessageFacts['type'], json: Part, logprobs: Part): readonly Part[] =>
  type === 'refusal'
    ? ['{"type":"refusal","refusal":"', json, '"}']
    : ['{"type":"output_text","annotations":[],"logprobs":[', logprobs, '],"text":"', json, '"}']

function messageRuns(
  { type, id, json, logprobs }: MessageFacts,
  { outputIndex, nextPieces, pool }: PlaceInStream,
): readonly EventRun[] {
  const content = '"content_index":0'
  const itemId = `,"item_id":"${id}"`
  const part = `${content}${itemId}${outputIndex},"part":`
  const added = new OneEvent('content_part.added', [part, ...messagePart(type, '', '')])
  const done = new OneEvent('content_part.done', [part, ...messagePart(type, json, logprobs ?? '')])
  const fields = { beforeText: `${content},`, afterText: itemId, beforeNumber: outputIndex }
  if (type === 'refusal') {
    const deltas = new ResponseDeltas('refusal.delta', nextPieces(), fields)
    const whole = [`${content}${itemId}${outputIndex},"refusal":"`, json, '"']
    return [added, deltas, new OneEvent('refusal.done', whole), done]
  }
  const textFields = { ...fields, hasLogprobs: true, logprobs, pool }
  const deltas = new ResponseDeltas('output_text.delta', nextPieces(), textFields)
  const before = [`${content}${itemId},"logprobs":[`, logprobs ?? '', `]${outputIndex}`]
  return [added, deltas, new OneEvent('output_text.done', before, [',"text":"', json, '"']), done]
}

function callItem(
  id: string,
  status: ItemStatus,
  callId: string,
  { name, input, laterId = callId }: ToolCall,
): ResponseItem {
  const json = jsonOfText(input)
  const head = `{"id":"${id}","type":"function_call","status":`
  const endOf = (shownId: string): string => `","call_id":"${shownId}","name":${JSON.stringify(name)}}`
  return {
    json: [`${head}"${status}","arguments":"`, json, endOf(laterId)],
    addedJson: `${head}"in_progress","arguments":"${endOf(callId)}`,
    runs: ({ outputIndex, nextPieces, pool }) => {
      const itemId = `,"item_id":"${id}"`
      const fields = { afterText: itemId, pool, beforeNumber: outputIndex }
      return [
        new ResponseDeltas('function_call_arguments.delta', nextPieces(), fields),
        new OneEvent('function_call_arguments.done', ['"arguments":"', json, `"${itemId}${outputIndex}`]),
      ]
    },
  }
}
