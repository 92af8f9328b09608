/** Parameters the service does not know. */
import { type ApiError, apiError } from './errors.ts'
import { didYouMean } from './suggest.ts'
import type { Turn } from './turn.ts'

/** Strict: an error, as the service gives it. Lenient: accepted and noted, as compatible services do. */
export function checkParameters(turn: Turn, known: ReadonlySet<string>): ApiError | undefined {
  const { body, scenario, notes } = turn
  for (const key of Object.keys(body)) {
    if (known.has(key)) continue
    const suggestion = didYouMean(key, known)
    if (scenario.strict) return apiError('unknown-parameter', { path: key, suggestion })
    notes.push(`unknown parameter '${key}'${suggestion.replace(' Did', ', did')}`)
  }
  return undefined
}
