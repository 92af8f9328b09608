/** The messages of the request that a stored completion answered, as the service lists them. */

import { isObject, type JsonObject, objectsIn, parseJson } from '../../../lib/text/json.ts'
import type { StoredCompletion } from '../../state/completion-store.ts'
import type { Item } from './page.ts'

export function messagesOf({ id, request }: StoredCompletion): readonly Item[] {
  const body = parseJson(request)
  return objectsIn(isObject(body) ? body.messages : undefined).map((message, index) => {
    const messageId = `${id}-${index}`
    return { id: messageId, isListed: true, json: () => JSON.stringify(describe(messageId, message)) }
  })
}

const LISTED = new Set<unknown>(['text', 'image_url'])

/** A list of content parts moves to `content_parts`, without audio and files. */
function describe(id: string, { role, content = null, name = null, ...more }: JsonObject): JsonObject {
  const parts = Array.isArray(content) ? objectsIn(content).filter(({ type }) => LISTED.has(type)) : null
  return { id, role, content: parts === null ? content : null, refusal: null, name, content_parts: parts, ...more }
}
