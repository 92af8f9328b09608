/** Parameters that the service does not know. */

import { didYouMean } from '../../lib/text/did-you-mean.ts'
import type { JsonObject } from '../../lib/text/json.ts'
import { truncate } from '../../lib/text/truncate.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { CallContext } from './call-context.ts'

const MAX_NOTES = 10
const MAX_NOTE_LENGTH = 100
/** An error shows a longer name cut: it would repeat megabytes. */
const MAX_NAME_LENGTH = 1000
const NO_NOTES: readonly string[] = []

export interface ParameterCheck {
  /** In a strict scenario an unknown parameter is an error, as the service gives it. */
  readonly check: (context: CallContext) => ApiError | undefined
  /** In a lenient scenario it is accepted and noted, as compatible services do. */
  readonly notes: (context: CallContext) => readonly string[]
}

/**
 * The check of an endpoint that knows these parameters.
 * @param findNested the path of the first unknown key inside a parameter.
 */
export function parameterCheck(
  names: readonly string[],
  findNested: (body: JsonObject) => string | undefined = () => undefined,
): ParameterCheck {
  const known = new Set(names)
  const unknownIn = (body: JsonObject): readonly string[] => Object.keys(body).filter((name) => !known.has(name))
  return {
    check(context) {
      if (!context.scenario.strict) return undefined
      const { body } = context
      const name = context.once(unknownIn)[0]
      if (name === undefined) {
        const path = context.once(findNested)
        return path === undefined
          ? undefined
          : apiError('unknown-parameter', { path: truncate(path, MAX_NAME_LENGTH), suggestion: '' })
      }
      // The service does not suggest what was sent too.
      const suggestion = didYouMean(
        name,
        names.filter((one) => body[one] === undefined),
      )
      return apiError('unknown-parameter', { path: truncate(name, MAX_NAME_LENGTH), suggestion })
    },
    notes(context) {
      const unknown = context.scenario.strict ? NO_NOTES : context.once(unknownIn)
      return unknown.length === 0 ? NO_NOTES : notesOn(unknown, known)
    },
  }
}

function notesOn(unknown: readonly string[], known: ReadonlySet<string>): string[] {
  const more = unknown.length - MAX_NOTES
  const notes = unknown.slice(0, MAX_NOTES).map((name) => {
    const suggestion = didYouMean(name, known).replace(' Did', ', did')
    return `unknown parameter '${truncate(name, MAX_NOTE_LENGTH)}'${suggestion}`
  })
  return more > 0 ? [`${more} more unknown parameters`, ...notes] : notes
}
