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
  const strictNotes = (body: JsonObject): readonly string[] => {
    const [first] = isFlat ? [] : findNested(body).tolerated
    return first === undefined ? [] : [`unknown parameter '${truncate(first, MAX_NOTE_LENGTH)}' is ignored`]
  }
  /** A lenient scenario accepts unknown parameters as compatible services do. */
  const lenientNotes = (body: JsonObject): readonly string[] => {
    const unknown = unknownIn(body)
    const notes = unknown.slice(0, MAX_NOTES).map((name) => {
      const suggestion = didYouMean(name, known.names).replace(' Did', ', did')
      return `unknown parameter '${truncate(name, MAX_NOTE_LENGTH)}'${suggestion}`
    })
    return unknown.length > MAX_NOTES ? [`${unknown.length - MAX_NOTES} more unknown parameters`, ...notes] : notes
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
    notes: (context: CallContext) => context.once(context.scenario.strict ? strictNotes : lenientNotes),
  }
}
