/** Checks between the items of a responses request. */

import { itemType } from '../../../dialects/responses/read-responses.ts'
import { isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'

/** Every call of a conversation has its output later, and every output its call earlier. */
export function callPairProblem(messages: readonly JsonObject[]): ApiError | undefined {
  const called = new Set<unknown>()
  const open = new Set<unknown>()
  for (const { role, tool_calls, tool_call_id: id } of messages) {
    for (const call of objectsIn(tool_calls)) {
      called.add(call.id)
      open.add(call.id)
    }
    if (role !== 'tool') continue
    if (!called.has(id)) return apiError('missing-tool-call', { id: String(id) })
    open.delete(id)
  }
  const [first] = open
  return first === undefined ? undefined : apiError('missing-tool-output', { id: String(first) })
}

/** All encrypted content begins like this: it is a Fernet token. */
const ENCRYPTED = 'gAAAAA'

/** The first problem of an item: a repeated id, content that can't be decrypted, or reasoning without the item after it. */
export function itemProblem({ input }: JsonObject): ApiError | undefined {
  if (!Array.isArray(input)) return undefined
  const ids = new Set<string>()
  /** The last item, if it is reasoning. */
  let reasoning: string | undefined
  for (const item of input) {
    if (!isObject(item)) continue
    const { id, encrypted_content: encrypted } = item
    const type = itemType(item)
    if (typeof id === 'string') {
      if (ids.has(id)) return apiError('duplicate-item', { id })
      ids.add(id)
    }
    if (type === 'reasoning') {
      if (typeof encrypted === 'string' && !encrypted.startsWith(ENCRYPTED))
        return apiError('invalid-encrypted-content', { shown: `${encrypted.slice(0, 4)}...${encrypted.slice(-4)}` })
      reasoning = typeof id === 'string' ? id : undefined
      continue
    }
    // A text that the client wrote is not what the service stored with the reasoning: that has an id.
    const breaksReasoning = type === 'function_call_output' || (type === 'message' && typeof id !== 'string')
    if (reasoning !== undefined && breaksReasoning) break
    reasoning = undefined
  }
  return reasoning === undefined ? undefined : apiError('reasoning-alone', { id: reasoning })
}
