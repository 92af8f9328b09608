/** The fields and the checks of an embeddings request, in the order of the real service. */

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
import type { Model } from '../../../scenario/compile/compile.ts'
import type { CallContext } from '../../call/call-context.ts'
import { parameterCheck } from './unknown-parameters.ts'

/** Dimensions of a model that the scenario does not describe. */
export const DEFAULT_DIMENSIONS = 1536
const MAX_INPUTS = 2048

const token = integer({ min: 0, max: 200_000 })
const input = either(text(), arrayOf(either(text(), token, arrayOf(token, 'integers')), 'strings'))
const checkedFields = table({
  input: required(input),
  dimensions: integer(),
  encoding_format: oneOf('float', 'base64'),
  user: text(),
})

/** Every field that the service knows. */
export const EMBEDDING_FIELDS = table({ model: text(), ...checkedFields.fields })

const parameters = parameterCheck(EMBEDDING_FIELDS, true)
export const embeddingsNotes = parameters.notes

/** The first problem of an embeddings request that can be found without counting tokens. */
export function checkEmbeddings(context: CallContext): ApiError | undefined {
  const { request, rules } = context
  const { body, model } = request
  if (isMissing(body.input)) return apiError('missing-parameter', { path: 'input' })
  return (
    parameters.check(context) ??
    // The service checks the dimensions first, and its messages differ from those of other fields.
    dimensionsProblem(body.dimensions, model, rules.modelRule) ??
    request.once(fieldProblem) ??
    request.once(inputProblem)
  )
}

function dimensionsProblem(dimensions: unknown, model: string, modelRule: Model | undefined): ApiError | undefined {
  // A value of another type is the problem of its field.
  if (typeof dimensions !== 'number' || !Number.isInteger(dimensions)) return undefined
  if (dimensions < 1) return apiError('dimensions-below-min', { got: dimensions })
  if (modelRule?.fixedDimensions === true) return apiError('dimensions-unsupported')
  const limit = modelRule?.dimensions ?? DEFAULT_DIMENSIONS
  return dimensions > limit ? apiError('dimensions-above-max', { model, limit, got: dimensions }) : undefined
}

const fieldProblem = (body: JsonObject): ApiError | undefined => problemAmong(checkedFields, body)

/** An empty input, a list of different types, or a list that is too long. */
function inputProblem({ input }: JsonObject): ApiError | undefined {
  if (input === '') return apiError('invalid-input')
  if (!Array.isArray(input)) return undefined
  const types = new Set(input.map((item) => (Array.isArray(item) ? 'array' : typeof item)))
  const isEmpty = input.length === 0 || input.some((item) => item === '' || (Array.isArray(item) && item.length === 0))
  if (isEmpty || types.size > 1) return apiError('invalid-input')
  // Numbers are the tokens of one input.
  if (types.has('number') || input.length <= MAX_INPUTS) return undefined
  return apiError('too-many-inputs', { limit: MAX_INPUTS })
}
