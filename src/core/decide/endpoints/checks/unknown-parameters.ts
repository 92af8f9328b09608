/**
 * Unknown parameters, such as `temprature`, and unknown keys inside of parameters.
 *
 * A strict scenario refuses them as the service does: `Unknown parameter: 'temprature'. Did you mean 'temperature'?` A lenient
 * one accepts them as compatible services do, and writes a note into the journal.
 */

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
 * The check and the notes of an endpoint that knows these parameters.
 * @param isFlat true if no parameter is an object, so that there is nothing to look for inside of them.
 */
export function parameterCheck(known: Table, isFlat = false) {
  const unknownNames = (body: JsonObject): readonly string[] =>
    Object.keys(body).filter((name) => !Object.hasOwn(known.fields, name))
  /** The first key that is refused, and the keys of open objects, which the service ignores. */
  const findNested = (body: JsonObject): { refused?: string | undefined; tolerated: readonly string[] } => {
    const tolerated: string[] = []
    return { refused: unknownAmong(known, body, tolerated), tolerated }
  }
  const strictNotes = (body: JsonObject): readonly string[] => {
    const [first] = isFlat ? [] : findNested(body).tolerated
    return first === undefined ? [] : [`unknown parameter '${truncate(first, MAX_NOTE_LENGTH)}' is ignored`]
  }
  const lenientNotes = (body: JsonObject): readonly string[] => {
    const unknown = unknownNames(body)
    const notes = unknown.slice(0, MAX_NOTES).map((name) => {
      const suggestion = didYouMean(name, known.names).replace(' Did', ', did')
      return `unknown parameter '${truncate(name, MAX_NOTE_LENGTH)}'${suggestion}`
    })
    return unknown.length > MAX_NOTES ? [`${unknown.length - MAX_NOTES} more unknown parameters`, ...notes] : notes
  }
  return {
    /** The error of a strict scenario. */
    check(context: CallContext): ApiError | undefined {
      if (!context.scenario.strict) return undefined
      const [name] = context.request.once(unknownNames)
      if (name !== undefined) {
        // The service does not suggest a parameter that was sent too.
        const others = known.names.filter((other) => context.request.body[other] === undefined)
        return unknownParameter(name, didYouMean(name, others))
      }
      const nested = isFlat ? undefined : context.request.once(findNested).refused
      return nested === undefined ? undefined : unknownParameter(nested, '')
    },
    /** The notes of the journal. */
    notes: (context: CallContext) => context.request.once(context.scenario.strict ? strictNotes : lenientNotes),
  }
}

const unknownParameter = (path: string, suggestion: string): ApiError =>
  apiError('unknown-parameter', { path: truncate(path, MAX_NAME_LENGTH), suggestion })
