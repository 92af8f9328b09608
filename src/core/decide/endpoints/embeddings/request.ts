/** The embeddings request: its fields as a table, and its inputs. */

import { isMissing, type JsonObject } from '../../../lib/text/json.ts'
import type { Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import { type ApiError, apiError } from '../../../protocol/errors/catalogue.ts'
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
import { parameterCheck } from '../../call/unknown-parameters.ts'

const DEFAULT_DIMENSIONS = 1536
const MAX_INPUTS = 2048
const MAX_TOKENS_PER_INPUT = 8192
const MAX_TOKENS = 300_000

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

/** One text to embed and its tokens. */
interface EmbeddingInput {
  readonly text: string
  readonly tokens: number
}

/** An embeddings request that passed its checks. */
export interface EmbeddingsRequest {
  readonly model: string
  readonly inputs: readonly EmbeddingInput[]
  /** Size of the model's vectors. */
  readonly modelDimensions: number
  /** The requested size: at most that of the model. */
  readonly dimensions: number
  readonly isBase64: boolean
}

/** The first problem that can be found without counting tokens. */
export function checkEmbeddings(context: CallContext): ApiError | undefined {
  const { body } = context
  if (isMissing(body.input)) return apiError('missing-parameter', { path: 'input' })
  return parameters.check(context) ?? dimensionsProblem(context) ?? context.once(problemIn)
}

/** The first problem that the body has whatever the scenario. */
function problemIn(body: JsonObject): ApiError | undefined {
  return problemAmong(fields, body) ?? inputProblem(body)
}

/** The request with its tokens counted, or the problem that the count shows. */
export function readEmbeddings(context: CallContext): EmbeddingsRequest | ApiError {
  const { body, model, modelRule, tokenizer, encoding } = context
  const inputs = context.memo('inputs', encoding, () => countInputs(inputsOf(body.input), tokenizer))
  if ('status' in inputs) return inputs
  const modelDimensions = modelRule?.dimensions ?? DEFAULT_DIMENSIONS
  return {
    model,
    inputs,
    modelDimensions,
    dimensions: (body.dimensions as number | null | undefined) ?? modelDimensions,
    isBase64: body.encoding_format === 'base64',
  }
}

/** The inputs with their tokens, or the error of the first one that is too long. */
function countInputs(
  items: readonly (string | readonly number[])[],
  tokenizer: Tokenizer,
): readonly EmbeddingInput[] | ApiError {
  const inputs: EmbeddingInput[] = []
  let total = 0
  for (const [index, item] of items.entries()) {
    const tokens = typeof item === 'string' ? tokenizer.count(item) : item.length
    if (tokens > MAX_TOKENS_PER_INPUT) {
      return apiError('input-too-long', { path: `input[${index}]`, limit: MAX_TOKENS_PER_INPUT })
    }
    total += tokens
    inputs.push({ text: typeof item === 'string' ? item : tokenizer.decode(item), tokens })
  }
  return total > MAX_TOKENS ? apiError('inputs-too-long', { limit: MAX_TOKENS }) : inputs
}

/** A string, strings, tokens or lists of tokens: as a list of inputs. */
function inputsOf(value: unknown): (string | readonly number[])[] {
  if (typeof value === 'string') return [value]
  const items = value as readonly unknown[]
  return typeof items[0] === 'number' ? [items as readonly number[]] : (items as (string | readonly number[])[])
}

/** The service checks the size first, and its messages differ from those of other fields. */
function dimensionsProblem({ body, model, modelRule }: CallContext): ApiError | undefined {
  const { dimensions } = body
  if (typeof dimensions !== 'number' || !Number.isInteger(dimensions)) return undefined
  if (dimensions < 1) return apiError('dimensions-below-min', { got: dimensions })
  if (modelRule?.fixedDimensions === true) return apiError('dimensions-unsupported')
  const limit = modelRule?.dimensions ?? DEFAULT_DIMENSIONS
  return dimensions > limit ? apiError('dimensions-above-max', { model, limit, got: dimensions }) : undefined
}

function inputProblem({ input }: JsonObject): ApiError | undefined {
  if (input === '') return apiError('invalid-input')
  if (!Array.isArray(input)) return undefined
  const kinds = new Set(input.map((item) => (Array.isArray(item) ? 'array' : typeof item)))
  const isEmpty = input.length === 0 || input.some((item) => item === '' || (Array.isArray(item) && item.length === 0))
  if (isEmpty || kinds.size > 1) return apiError('invalid-input')
  return !kinds.has('number') && input.length > MAX_INPUTS
    ? apiError('too-many-inputs', { limit: MAX_INPUTS })
    : undefined
}
