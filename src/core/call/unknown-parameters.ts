/** Parameters the service does not know. */

import { type ApiError, apiError } from '../errors/catalogue.ts'
import { didYouMean } from '../text/did-you-mean.ts'
import type { JsonObject } from '../text/json.ts'
import { truncate } from '../text/truncate.ts'
import type { CallContext } from './call-context.ts'

const MAX_NOTES = 10
const MAX_NOTE_LENGTH = 100

/**
 * The check of an endpoint that knows these parameters. Strict: one it does not know is an error, as the service gives
 * it. Lenient: it is accepted and noted, as compatible services do.
 */
export function parameterCheck(names: readonly string[]): (context: CallContext) => ApiError | undefined {
  const known = new Set(names)
  const unknownIn = (body: JsonObject): readonly string[] => Object.keys(body).filter((name) => !known.has(name))
  return (context) => {
    const unknown = context.once(unknownIn)
    return unknown.length === 0 ? undefined : unknownProblem(context, unknown, known)
  }
}

function unknownProblem(
  { scenario, notes }: CallContext,
  unknown: readonly string[],
  known: ReadonlySet<string>,
): ApiError | undefined {
  if (unknown.length > MAX_NOTES) notes.push(`${unknown.length - MAX_NOTES} more unknown parameters`)
  for (const key of unknown.slice(0, MAX_NOTES)) {
    const suggestion = didYouMean(key, known)
    if (scenario.strict) return apiError('unknown-parameter', { path: key, suggestion })
    notes.push(`unknown parameter '${truncate(key, MAX_NOTE_LENGTH)}'${suggestion.replace(' Did', ', did')}`)
  }
  return undefined
}
