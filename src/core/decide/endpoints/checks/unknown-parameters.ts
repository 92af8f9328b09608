/** Parameters that the service does not know, and unknown keys inside of parameters. */

import { didYouMean } from '../../../lib/text/did-you-mean.ts'
import type { JsonObject } from '../../../lib/text/json.ts'
import { truncate } from '../../../lib/text/wording.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import { type Table, unknownAmong } from '../../../protocol/request/field-checks.ts'
import type { CallContext } from '../../call/call-context.ts'

const MAX_NOTES = 10
const MAX_NOTE_LENGTH = 100
/** An error shows a longer name cut: it would repeat megabytes. */
const MAX_NAME_LENGTH = 1000

/**
 * The check of an endpoint that knows these parameters.
 * @param isFlat true if their values hold no objects with names.
 */
export function parameterCheck(known: Table, isFlat = false) {
  const unknownIn = (body: JsonObject): readonly string[] =>
    Object.keys(body).filter((name) => !Object.hasOwn(known.fields, name))
  const findNested = (body: JsonObject): { refused?: string | undefined; tolerated: readonly string[] } => {
    const tolerated: string[] = []
    return { refused: unknownAmong(known, body, tolerated), tolerated }
  }
  return {
    /** The error of a strict scenario, as the service gives it. */
    check(context: CallContext): ApiError | undefined {
      if (!context.scenario.strict) return undefined
      const [name] = context.once(unknownIn)
      if (name === undefined && isFlat) return undefined
      const path = name ?? context.once(findNested).refused
      if (path === undefined) return undefined
      // The service does not suggest what was sent too.
      const others = known.names.filter((one) => context.body[one] === undefined)
      const suggestion = name === undefined ? '' : didYouMean(name, others)
      return apiError('unknown-parameter', { path: truncate(path, MAX_NAME_LENGTH), suggestion })
    },
    /** The notes of a lenient scenario, which accepts unknown parameters as compatible services do. */
    notes(context: CallContext): readonly string[] {
      if (context.scenario.strict) {
        const [first] = isFlat ? [] : context.once(findNested).tolerated
        return first === undefined ? [] : [`unknown parameter '${truncate(first, MAX_NOTE_LENGTH)}' is ignored`]
      }
      const unknown = context.once(unknownIn)
      const notes = unknown.slice(0, MAX_NOTES).map((name) => {
        const suggestion = didYouMean(name, known.names).replace(' Did', ', did')
        return `unknown parameter '${truncate(name, MAX_NOTE_LENGTH)}'${suggestion}`
      })
      return unknown.length > MAX_NOTES ? [`${unknown.length - MAX_NOTES} more unknown parameters`, ...notes] : notes
    },
  }
}
