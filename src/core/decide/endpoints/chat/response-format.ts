/** Reads `response_format` and checks the JSON Schemas of a request as the service does. */

import { checkStrictSchema } from '../../../lib/json-schema/strict-mode.ts'
import { isObject, type JsonObject } from '../../../lib/text/json.ts'
import { toText } from '../../../lib/text/to-text.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'

export interface ResponseFormat {
  readonly type: 'text' | 'json_object' | 'json_schema'
  /** The name of the schema; '' without one. */
  readonly name: string
  /** Undefined when any JSON is valid. */
  readonly schema: unknown
}

const TEXT: ResponseFormat = { type: 'text', name: '', schema: undefined }

/** Reads a format that passed its checks. */
export function readResponseFormat(value: unknown): ResponseFormat {
  if (!isObject(value) || value.type === 'text') return TEXT
  const { json_schema: given } = value
  if (!isObject(given)) return { type: 'json_object', name: '', schema: undefined }
  return { type: 'json_schema', name: toText(given.name), schema: given.schema ?? undefined }
}

/** The first schema that the service would refuse: first the tools, then the response format. */
export function schemaProblem(body: JsonObject): ApiError | undefined {
  return toolProblem(body) ?? formatProblem(body.response_format)
}

function toolProblem({ tools }: JsonObject): ApiError | undefined {
  if (!Array.isArray(tools)) return undefined
  for (const [index, tool] of tools.entries()) {
    const declared = isObject(tool) ? tool.function : undefined
    if (!isObject(declared) || !isObject(declared.parameters)) continue
    const { name, parameters, strict } = declared
    const problem = strict === true ? checkStrictSchema(parameters) : looseProblem(parameters)
    if (problem === undefined) continue
    const path = `tools[${index}].function.parameters`
    return apiError('invalid-function-schema', { subject: `function '${toText(name)}'`, problem, path })
  }
  return undefined
}

/** Without `strict`, the parameters only have to describe an object. */
function looseProblem({ type }: JsonObject): string | undefined {
  if (type === undefined || type === 'object') return undefined
  return `schema must be a JSON Schema of 'type: "object"', got 'type: "${toText(type)}"'.`
}

function formatProblem(format: unknown): ApiError | undefined {
  const given = isObject(format) ? format.json_schema : undefined
  if (!isObject(given) || given.strict !== true) return undefined
  const problem = checkStrictSchema(given.schema ?? {})
  if (problem === undefined) return undefined
  const subject = `response_format '${toText(given.name)}'`
  return apiError('invalid-response-schema', { subject, problem, path: 'response_format' })
}
