/** Parameters the service does not know. */

import { type ApiError, apiError } from '../errors/catalogue.ts'
import type { JsonObject } from '../request/messages.ts'
import { didYouMean } from '../text/did-you-mean.ts'
import { beginningOf } from '../text/truncate.ts'
import type { Turn } from './call-context.ts'

const MOST_NOTES = 10
const LONGEST_NOTE = 100

/**
 * The check of an endpoint that knows these parameters. Strict: one it does not know is an error, as the service gives
 * it. Lenient: it is accepted and noted, as compatible services do.
 */
export function parameterCheck(names: readonly string[]): (turn: Turn) => ApiError | undefined {
  const known = new Set(names)
  const unknownIn = (body: JsonObject): readonly string[] => Object.keys(body).filter((name) => !known.has(name))
  return (turn) => {
    const unknown = turn.once(unknownIn)
    return unknown.length === 0 ? undefined : unknownProblem(turn, unknown, known)
  }
}

function unknownProblem(
  { scenario, notes }: Turn,
  unknown: readonly string[],
  known: ReadonlySet<string>,
): ApiError | undefined {
  if (unknown.length > MOST_NOTES) notes.push(`${unknown.length - MOST_NOTES} more unknown parameters`)
  for (const key of unknown.slice(0, MOST_NOTES)) {
    const suggestion = didYouMean(key, known)
    if (scenario.strict) return apiError('unknown-parameter', { path: key, suggestion })
    notes.push(`unknown parameter '${beginningOf(key, LONGEST_NOTE)}'${suggestion.replace(' Did', ', did')}`)
  }
  return undefined
}
