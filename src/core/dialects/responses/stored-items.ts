/**
 * The items of a stored response: its input as the service lists it, and its output.
 *
 *     { input: 'Hello' }  ->  [{ type: 'message', id: 'msg_...', status: 'completed', role: 'user',
 *                                content: [{ type: 'input_text', text: 'Hello' }] }]
 */

import { hash32 } from '../../lib/random/hash.ts'
import { hex32 } from '../../lib/random/random.ts'
import { isObject, type JsonObject, objectsIn, parseJson, toText } from '../../lib/text/json.ts'
import { inputItems, itemType } from './read-responses.ts'

/** An item with an id. */
export interface StoredItem extends JsonObject {
  readonly id: string
}

/** The items of one response, oldest first, without those of the responses before it. References are left as they are. */
export interface OwnItems<Item> {
  readonly input: readonly Item[]
  readonly output: readonly StoredItem[]
}

/** A response as it is stored: its id, and the JSON of its request and of itself. */
type ResponseTexts = Readonly<Record<'id' | 'request' | 'answer', string>>

/** Reads the items of a response as its request has them. */
export const readOwnItems = ({ request, answer }: ResponseTexts): OwnItems<JsonObject> => ({
  input: inputItems(parseObject(request).input),
  output: objectsIn(parseObject(answer).output) as readonly StoredItem[],
})

/** Reads the items of a response as they are listed, each with an id. */
export function readListedItems(response: ResponseTexts): OwnItems<StoredItem> {
  const { input, output } = readOwnItems(response)
  return { input: input.map((item, index) => listedItem(item, response.id, index)), output }
}

function parseObject(text: string): JsonObject {
  const value = parseJson(text)
  return isObject(value) ? value : {}
}

/** The prefixes of the ids of items; `fc` for all others. */
const PREFIXES: Readonly<Record<string, string>> = { message: 'msg', reasoning: 'rs' }

/** The part of a response's id that its items share, after the prefix: 16 letters, `00`, and the time in 8. */
const SHARED_LENGTH = 26

/** An item of an input. One without an id gets one, which shares its first part with the response. */
function listedItem(item: JsonObject, responseId: string, index: number): StoredItem {
  const type = itemType(item)
  let { id } = item as StoredItem
  if (typeof id !== 'string') {
    const shared = responseId.slice('resp_'.length).slice(0, SHARED_LENGTH)
    const own = [1, 2, 3].map((seed) => hex32(hash32(`${responseId} ${index}`, seed))).join('')
    id = `${PREFIXES[toText(type)] ?? 'fc'}_${shared}${own}`
  }
  if (type === 'reasoning' || type === 'item_reference') return { ...item, type, id }
  if (type !== 'message') return { ...item, id, status: 'completed' }

  const { role, content, phase } = item
  const textType = role === 'assistant' ? 'output_text' : 'input_text'
  const given = typeof content === 'string' ? [{ type: textType, text: content }] : objectsIn(content)
  // The text of an assistant has all its keys.
  const parts = given.map((part: JsonObject) =>
    part.type === 'output_text'
      ? { type: part.type, annotations: part.annotations ?? [], logprobs: part.logprobs ?? [], text: part.text }
      : part,
  )
  return { type, id, status: 'completed', role, content: parts, ...(phase !== undefined && { phase }) }
}
