/** Parameters that the service does not know. */

import { didYouMean } from '../../../lib/text/did-you-mean.ts'
import type { JsonObject } from '../../../lib/text/json.ts'
import { truncate } from '../../../lib/text/wording.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { CallContext } from '../../call/call-context.ts'

const MAX_NOTES = 10
const MAX_NOTE_LENGTH = 100
/** An error shows a longer name cut: it would repeat megabytes. */
const MAX_NAME_LENGTH = 1000

export interface ParameterCheck {
  /** The error of a strict scenario for an unknown parameter, as the service gives it. */
  readonly check: (context: CallContext) => ApiError | undefined
  /** The notes of a lenient scenario, which accepts unknown parameters as compatible services do. */
  readonly notes: (context: CallContext) => readonly string[]
}

/** Unknown keys inside the parameters of a request. */
interface NestedKeys {
  /** The path of the first one that the service refuses. */
  readonly refused?: string | undefined
  /** The paths of those that it ignores. */
  readonly tolerated: readonly string[]
}

const NO_KEYS: NestedKeys = { tolerated: [] }

/**
 * The check of an endpoint that knows these parameters.
 * @param findNested the unknown keys inside parameters. Default: they are not looked for.
 */
export function parameterCheck(
  names: readonly string[],
  findNested: (body: JsonObject) => NestedKeys = () => NO_KEYS,
): ParameterCheck {
  const known = new Set(names)
  const unknownIn = (body: JsonObject): readonly string[] => Object.keys(body).filter((name) => !known.has(name))
  return {
    check(context) {
      if (!context.scenario.strict) return undefined
      const [name] = context.once(unknownIn)
      const path = name ?? context.once(findNested).refused
      if (path === undefined) return undefined
      // The service does not suggest what was sent too.
      const others = names.filter((one) => context.body[one] === undefined)
      const suggestion = name === undefined ? '' : didYouMean(name, others)
      return apiError('unknown-parameter', { path: truncate(path, MAX_NAME_LENGTH), suggestion })
    },
    notes(context) {
      if (context.scenario.strict) {
        const [first] = context.once(findNested).tolerated
        return first === undefined ? [] : [`unknown parameter '${truncate(first, MAX_NOTE_LENGTH)}' is ignored`]
      }
      const unknown = context.once(unknownIn)
      const notes = unknown.slice(0, MAX_NOTES).map((name) => {
        const suggestion = didYouMean(name, known).replace(' Did', ', did')
        return `unknown parameter '${truncate(name, MAX_NOTE_LENGTH)}'${suggestion}`
      })
      return unknown.length > MAX_NOTES ? [`${unknown.length - MAX_NOTES} more unknown parameters`, ...notes] : notes
    },
  }
}
