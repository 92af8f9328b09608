/** Checks that chat and responses requests share. */

import { checkSchema } from '../../../lib/json-schema/strict-mode.ts'
import { isObject, type JsonObject, toText } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { Model } from '../../../scenario/compile/compile.ts'

/** A token limit above the largest output of the model. */
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
 * The first function whose schema the service refuses.
 * @param functions each with the path of its schema: `tools[0].function.parameters`.
 */
export function functionSchemaProblem(
  functions: readonly (readonly [path: string, declaration: unknown])[],
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
  return undefined
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
