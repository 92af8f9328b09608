/** Parameters the service does not know. */
import { beginningOf } from './beginning.ts'
import { type ApiError, apiError } from './errors.ts'
import { didYouMean } from './suggest.ts'
import type { Turn } from './turn.ts'

const MOST_NOTES = 10
const LONGEST_NOTE = 100

/** Strict: an error, as the service gives it. Lenient: accepted and noted, as compatible services do. */
export function checkParameters(turn: Turn, known: ReadonlySet<string>): ApiError | undefined {
  const { body, scenario, notes } = turn
  const unknown = Object.keys(body).filter((key) => !known.has(key))
  if (unknown.length > MOST_NOTES) notes.push(`${unknown.length - MOST_NOTES} more unknown parameters`)
  for (const key of unknown.slice(0, MOST_NOTES)) {
    const suggestion = didYouMean(key, known)
    if (scenario.strict) return apiError('unknown-parameter', { path: key, suggestion })
    notes.push(`unknown parameter '${beginningOf(key, LONGEST_NOTE)}'${suggestion.replace(' Did', ', did')}`)
  }
  return undefined
}
