/**
 * The items of a response's `output`: reasoning, a message, or calls; one after the other. `buildOutput` makes them from a
 * reply, `itemParts` writes them as JSON:
 *
 *     {"id":"msg_...","type":"message","status":"completed",
 *      "content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Hello"}],"role":"assistant"}
 *
 * Ids are a prefix and 50 letters of 0-9 and a-f: 16 that a response shares with its items, `00`, 8 for the second in which the
 * response was created, and 24 of their own.
 */

import { hex32, type Random } from '../../lib/random/random.ts'
import { type JsonObject, toText } from '../../lib/text/json.ts'
import { jsonOfText, type Part } from '../../protocol/plan/text-parts.ts'
import type { Logprobs } from '../../protocol/turn/logprobs.ts'
import type { Reply } from '../../protocol/turn/reply.ts'

/** The settings of a response that decide its items. */
export interface ItemOptions {
  readonly createdAt: number
  /** True if the request includes `reasoning.encrypted_content`. */
  readonly isEncrypted: boolean
  /** True if the request asks for a summary of the reasoning. */
  readonly isSummarized: boolean
  /** True if a message of the model has a `phase`. */
  readonly hasPhase: boolean
}

interface ReasoningItem {
  readonly type: 'reasoning'
  readonly id: string
  /** Undefined unless the request includes it. */
  readonly encrypted: string | undefined
  readonly summary: readonly string[]
}

interface MessageItem {
  readonly type: 'message'
  readonly id: string
  readonly status: ItemStatus
  /** The key `phase`, or nothing. */
  readonly phase: string
  readonly kind: 'output_text' | 'refusal'
  /** The text of the item as JSON, without quotes. */
  readonly json: Part
  readonly logprobs: Logprobs | undefined
}

interface CallItem {
  readonly type: 'function_call'
  readonly id: string
  readonly status: ItemStatus
  readonly callId: string
  /** Another id, which a fault gives the item when it is done. */
  readonly laterId: string | undefined
  readonly name: string
  /** The arguments of the call as a JSON string, without quotes. */
  readonly json: Part
}

/** An item of a hosted tool, as the scenario has it. */
interface ScriptedItem {
  readonly type: 'scripted'
  readonly id: string
  readonly item: JsonObject
}

type ItemStatus = 'completed' | 'incomplete'
/** One item of `output`. A message has one part. */
export type ResponseItem = ReasoningItem | MessageItem | CallItem | ScriptedItem

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
    const summary = options.isSummarized ? [SUMMARIES[random.below(SUMMARIES.length)]!] : []
    const encrypted = options.isEncrypted ? drawEncrypted(usage.reasoning, random) : undefined
    items.push({ type: 'reasoning', id: reasoningId, encrypted, summary })
  }

  const lastStatus = isUnfinished(reply) ? 'incomplete' : 'completed'
  if (message.type === 'calls') {
    const { calls } = message
    for (const [index, { name, input, laterId }] of calls.entries()) {
      const status = index === calls.length - 1 ? lastStatus : 'completed'
      const callId = callIds[0]![index]!
      items.push({ type: 'function_call', id: drawId('fc'), status, callId, laterId, name, json: jsonOfText(input) })
    }
    return { id, items }
  }

  const scripted = message.type === 'text' ? (message.items ?? []) : []
  for (const item of scripted) {
    const itemId = typeof item.id === 'string' ? item.id : drawId(ITEM_PREFIXES[toText(item.type)] ?? 'item')
    items.push({ type: 'scripted', id: itemId, item: { id: itemId, ...item } })
  }
  if (message.text !== '') {
    items.push({
      type: 'message',
      id: drawId('msg'),
      status: lastStatus,
      phase: options.hasPhase ? '"phase":"final_answer",' : '',
      kind: message.type === 'text' ? 'output_text' : 'refusal',
      json: jsonOfText(message.text),
      logprobs: message.type === 'text' ? logprobs?.bytesFirst() : undefined,
    })
  }
  return { id, items }
}

/** Reasoning as only the service can read it. It begins as a Fernet token does: version 128, and a time. */
function drawEncrypted(reasoningTokens: number, random: Random): string {
  const length = Math.min(290 + 4 * reasoningTokens, MAX_ENCRYPTED)
  return `gAAAAABo${random.alphanumeric(length)}==`
}

/** The most letters of the encrypted content; more reasoning is longer. */
const MAX_ENCRYPTED = 4000

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

/** The letters of the encrypted content that an item has when it is added to a stream. */
const ENCRYPTED_START = 226

/**
 * The JSON of an item.
 * @param isAdded true for the event that adds the item to a stream, where it is in progress and without its text.
 */
export function itemParts(item: ResponseItem, { isAdded = false } = {}): Part[] {
  const { type, id } = item
  const head = `{"id":"${id}","type":"${type}",`
  switch (type) {
    case 'reasoning': {
      const { encrypted, summary } = item
      const shown = isAdded && encrypted !== undefined ? `${encrypted.slice(0, ENCRYPTED_START)}==` : encrypted
      const encryptedField = shown === undefined ? '' : `"encrypted_content":"${shown}",`
      const parts = isAdded ? '' : summary.map(summaryPart).join(',')
      return [`${head}"content":[],${encryptedField}"summary":[${parts}]}`]
    }
    case 'message': {
      const end = `],${item.phase}"role":"assistant"}`
      if (isAdded) return [`${head}"status":"in_progress","content":[${end}`]
      return [`${head}"status":"${item.status}","content":[`, ...partOf(item), end]
    }
    case 'function_call': {
      const { status, callId, laterId = callId, name, json } = item
      const end = `","call_id":"${isAdded ? callId : laterId}","name":${JSON.stringify(name)}}`
      if (isAdded) return [`${head}"status":"in_progress","arguments":"${end}`]
      return [`${head}"status":"${status}","arguments":"`, json, end]
    }
    case 'scripted': {
      const { item: scripted } = item
      return [JSON.stringify(isAdded && 'status' in scripted ? { ...scripted, status: 'in_progress' } : scripted)]
    }
    default:
      return item satisfies never
  }
}

/** The JSON of the one part of a message. */
export const partOf = ({ kind, json, logprobs }: Pick<MessageItem, 'kind' | 'json' | 'logprobs'>): Part[] =>
  kind === 'refusal'
    ? ['{"type":"refusal","refusal":"', json, '"}']
    : ['{"type":"output_text","annotations":[],"logprobs":[', logprobs ?? '', '],"text":"', json, '"}']

/** The JSON of a part of a summary. */
export const summaryPart = (text: string): string => `{"type":"summary_text","text":${JSON.stringify(text)}}`
