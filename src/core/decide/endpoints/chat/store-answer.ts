/** Stores the answer to a chat with `store: true`, as a whole completion even where it is streamed. */

import { isObject } from '../../../lib/text/json.ts'
import { joinParts } from '../../../protocol/plan/text-parts.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { Effect } from '../../state/apply-effects.ts'
import { MAX_STORED_LENGTH, type StoredCompletion } from '../../state/completion-store.ts'
import { type Choices, completionParts, type Frame } from './completion.ts'
import type { Usage } from './usage.ts'

/** What storing an answer changes, or why it is not stored. */
export interface Storing {
  readonly effects: readonly Effect[]
  readonly notes: readonly string[]
}

const NOTHING: Storing = { effects: [], notes: [] }

export function storeAnswer(context: CallContext, frame: Frame, choices: Choices, usage: Usage): Storing {
  const { session, body, call } = context
  if (body.store !== true) return NOTHING
  const parts = completionParts({ ...frame, metadata: undefined }, choices, usage)
  const joined = joinParts(parts)
  const request = call.body ?? ''
  const length = request.length + (typeof joined === 'string' ? joined.length : joined.byteLength)
  if (length > MAX_STORED_LENGTH) {
    const note = `the completion was not stored: with its request it has ${length} bytes, and at most ${MAX_STORED_LENGTH} are stored`
    return { effects: [], notes: [note] }
  }
  const completion = typeof joined === 'string' ? joined : [...joined].join('')
  const stored: StoredCompletion = {
    sessionId: session.id,
    id: frame.id,
    model: frame.model,
    completion,
    metadata: isObject(body.metadata) ? (body.metadata as StoredCompletion['metadata']) : {},
    request,
  }
  return { effects: [{ type: 'store-completion', completion: stored }], notes: [] }
}
