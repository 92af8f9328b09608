/** The checks of an embeddings request: its fields as a table, and what the service checks besides. */

import { isMissing, type JsonObject } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import {
  arrayOf,
  either,
  integer,
  oneOf,
  problemAmong,
  required,
  table,
  text,
} from '../../../protocol/request/field-checks.ts'
import type { CallContext } from '../../call/call-context.ts'
import { parameterCheck } from './unknown-parameters.ts'

/** Dimensions of a model that the scenario does not describe. */
export const DEFAULT_DIMENSIONS = 1536
const MAX_INPUTS = 2048

const token = integer({ min: 0, max: 200_000 })
const input = either(text(), arrayOf(either(text(), token, arrayOf(token, 'integers')), 'strings'))
const fields = table({
  input: required(input),
  dimensions: integer(),
  encoding_format: oneOf('float', 'base64'),
  user: text(),
})

/** Every field that the service knows. */
export const EMBEDDING_FIELDS = table({ model: text(), ...fields.fields })
const parameters = parameterCheck(EMBEDDING_FIELDS.names)
export const embeddingNotes = parameters.notes

/** The first problem that can be found without counting tokens. */
export function checkEmbeddings(context: CallContext): ApiError | undefined {
  const { body, model, modelRule } = context
  if (isMissing(body.input)) return apiError('missing-parameter', { path: 'input' })
  const unknown = parameters.check(context)
  if (unknown !== undefined) return unknown
  // The service checks the size first, and its messages differ from those of other fields.
  const { dimensions } = body
  if (typeof dimensions === 'number' && Number.isInteger(dimensions)) {
    if (dimensions < 1) return apiError('dimensions-below-min', { got: dimensions })
    if (modelRule?.fixedDimensions === true) return apiError('dimensions-unsupported')
    const limit = modelRule?.dimensions ?? DEFAULT_DIMENSIONS
    if (dimensions > limit) return apiError('dimensions-above-max', { model, limit, got: dimensions })
  }
  return context.once(problemIn)
}

/** The first problem that the body has whatever the scenario. */
function problemIn(body: JsonObject): ApiError | undefined {
  const problem = problemAmong(fields, body)
  if (problem !== undefined) return problem
  const { input } = body
  if (input === '') return apiError('invalid-input')
  if (!Array.isArray(input)) return undefined
  const kinds = new Set(input.map((item) => (Array.isArray(item) ? 'array' : typeof item)))
  const isEmpty = input.length === 0 || input.some((item) => item === '' || (Array.isArray(item) && item.length === 0))
  if (isEmpty || kinds.size > 1) return apiError('invalid-input')
  return !kinds.has('number') && input.length > MAX_INPUTS
    ? apiError('too-many-inputs', { limit: MAX_INPUTS })
    : undefined
}
