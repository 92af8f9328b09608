/**
 * Parts of the checks that several endpoints share: `parameterCheck` for unknown parameters, `outputProblem` for token limits,
 * `schemaProblem` for the schemas of functions and formats, `withNumberAsSent` for numbers in errors.
 */

import { checkSchema } from '../../../lib/json-schema/strict-mode.ts'
import { didYouMean } from '../../../lib/text/did-you-mean.ts'
import { isObject, type JsonObject, toText } from '../../../lib/text/json.ts'
import { truncate } from '../../../lib/text/wording.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { ObjectCheck } from '../../../protocol/request/field-checks.ts'
import type { Model } from '../../../scenario/compile/compile.ts'
import type { CallContext } from '../../call/call-context.ts'

/** The most unknown parameters that have a note each. */
const MAX_NOTES = 10
/** The most characters of a name in a note, and in an error, which would repeat megabytes. */
const MAX_NOTE_LENGTH = 100
const MAX_NAME_LENGTH = 1000

/**
 * The check and the notes of an endpoint that knows these parameters. For unknown parameters, such as `temprature`, and unknown
 * keys inside of parameters, a strict scenario has an error as the service does: `Unknown parameter: 'temprature'. Did you mean
 * 'temperature'?` A lenient one accepts them as compatible services do, and writes notes into the journal.
 * @param isFlat true if no parameter is an object, so that there is nothing to look for inside of them.
 */
export function parameterCheck(known: ObjectCheck, { isFlat = false } = {}) {
  const unknownNames = (body: JsonObject): readonly string[] =>
    Object.keys(body).filter((name) => !Object.hasOwn(known.fields, name))
  /** The first key that is refused, and the keys of open objects, which the service ignores. */
  const findNested = (body: JsonObject): { refused?: string | undefined; tolerated: readonly string[] } => {
    const tolerated: string[] = []
    return { refused: known.unknownIn(body, '', tolerated), tolerated }
  }
  // The keys that a strict scenario does not refuse.
  const strictNotes = (body: JsonObject): readonly string[] => {
    const [first] = isFlat ? [] : findNested(body).tolerated
    return first === undefined ? [] : [`unknown parameter '${truncate(first, MAX_NOTE_LENGTH)}' is ignored`]
  }
  const lenientNotes = (body: JsonObject): readonly string[] => {
    const unknown = unknownNames(body)
    const notes = unknown.slice(0, MAX_NOTES).map((name) => {
      // A sentence there, a part of one here.
      const suggestion = didYouMean(name, known.names).replace(' Did', ', did')
      return `unknown parameter '${truncate(name, MAX_NOTE_LENGTH)}'${suggestion}`
    })
    return unknown.length > MAX_NOTES ? [`${unknown.length - MAX_NOTES} more unknown parameters`, ...notes] : notes
  }
  return {
    /** The error of a strict scenario. */
    check(context: CallContext): ApiError | undefined {
      if (!context.scenario.strict) return undefined
      const { parsed, body } = context.request
      const [name] = parsed.once(unknownNames)
      if (name !== undefined) {
        // The service does not suggest a parameter that was sent too.
        const others = known.names.filter((other) => body[other] === undefined)
        return unknownParameter(name, didYouMean(name, others))
      }
      const nested = isFlat ? undefined : parsed.once(findNested).refused
      return nested === undefined ? undefined : unknownParameter(nested, '')
    },
    /** The notes of the journal. */
    notes: (context: CallContext) => context.request.parsed.once(context.scenario.strict ? strictNotes : lenientNotes),
  }
}

const unknownParameter = (path: string, suggestion: string): ApiError =>
  apiError('unknown-parameter', { path: truncate(path, MAX_NAME_LENGTH), suggestion })

/** A token limit above the largest output of the model. @param paths the fields with a limit. */
export function outputProblem(
  body: JsonObject,
  paths: readonly string[],
  { maxOutputTokens: limit = Number.POSITIVE_INFINITY }: Model = {},
): ApiError | undefined {
  for (const path of paths) {
    const asked = body[path]
    if (typeof asked === 'number' && asked > limit) return apiError('max-tokens-too-large', { path, asked, limit })
  }
  return undefined
}

/**
 * The first schema that the service refuses: first those of functions, then that of the output format.
 * @param functions each with the path of its schema: `tools[0].function.parameters`.
 * @param format its name and schema; undefined for a format without a schema.
 */
export function schemaProblem(
  functions: readonly (readonly [path: string, declaration: unknown])[],
  format: unknown,
  formatError: 'invalid-response-schema' | 'invalid-text-schema',
  formatPath: string,
): ApiError | undefined {
  for (const [path, declaration] of functions) {
    if (!isObject(declaration)) continue
    const { name, parameters, strict } = declaration
    // A function without parameters, or with {}, takes no arguments.
    if (!isObject(parameters) || Object.keys(parameters).length === 0) continue
    const problem = checkSchema(parameters, { isStrict: strict === true })
    if (problem !== undefined)
      return apiError('invalid-function-schema', { subject: `function '${toText(name)}'`, problem, path })
  }
  if (!isObject(format)) return undefined
  const { name, schema, strict } = format
  // A format that is not strict may have no schema.
  if (strict !== true && !isObject(schema)) return undefined
  const problem = checkSchema(schema ?? {}, { isStrict: strict === true })
  if (problem === undefined) return undefined
  return apiError(formatError, { subject: `response_format '${toText(name)}'`, problem, path: formatPath })
}

/**
 * The error with its number as the client wrote it: "got -1.0 instead" for `{"top_p": -1.0}`, which is -1 once it is parsed.
 * @param text the body as it was sent.
 */
export function withNumberAsSent(error: ApiError, body: JsonObject, text: string): ApiError {
  const { param, message } = error.body
  const path = param?.split('.') ?? []
  const value = path.reduce<unknown>((parent, key) => (isObject(parent) ? parent[key] : undefined), body)
  const name = path.at(-1) ?? ''
  // Clients choose the keys of logit_bias, and only a plain one may go into the pattern.
  if (typeof value !== 'number' || !/^\w+$/.test(name)) return error
  // In a text the quotes are escaped, so this finds a field. It may be one of another object, which has another value.
  const [, written = ''] = new RegExp(`"${name}"\\s*:\\s*([-+.\\deE]+)`).exec(text) ?? []
  if (Number(written) !== value) return error
  const words = message.split(' ').map((word) => {
    if (word === `${value}`) return written
    // A sentence may end in the number.
    return word === `${value}.` ? `${written}.` : word
  })
  return { ...error, body: { ...error.body, message: words.join(' ') } }
}
