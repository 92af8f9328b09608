/** The embeddings endpoint: from a request that passed its checks to the plan of its answer. */

import { MemoCache } from '../../lib/cache/memo-cache.ts'
import { encodeBase64, formatVector } from '../../lib/embeddings/float32.ts'
import { embed, shortenVector } from '../../lib/embeddings/vector.ts'
import { isMissing, type JsonObject } from '../../lib/text/json.ts'
import type { Tokenizer } from '../../lib/tokenizer/tokenizer.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { AnswerMutator } from '../../protocol/faults/answer-mutator.ts'
import type { EmbeddingItem } from '../../protocol/faults/fault.ts'
import { joinParts, type TextParts } from '../../protocol/plan/text-parts.ts'
import {
  arrayOf,
  either,
  integer,
  oneOf,
  problemAmong,
  required,
  table,
  text,
} from '../../protocol/request/field-checks.ts'
import type { CallContext } from '../call/call-context.ts'
import {
  type Answer,
  answerError,
  answerJson,
  checkAnswerSize,
  type EndpointDefinition,
  headerText,
} from '../call/respond.ts'
import { parameterCheck } from './checks/unknown-parameters.ts'

const MAX_TOKENS_PER_INPUT = 8192
const MAX_TOKENS = 300_000
const REMEDY = 'Send fewer inputs at once, or ask for fewer dimensions or encoding_format base64'

function answer(context: CallContext, mutator: AnswerMutator): Answer {
  const refuse = (error: ApiError): Answer => ({
    plan: answerError(context, error, { by: 'request', name: error.name }),
  })
  const { body, model, modelRule, tokenizer, encoding, answerLimit } = context
  const inputs = context.memo('inputs', encoding, () => countInputs(body.input, tokenizer))
  if ('status' in inputs) return refuse(inputs)

  const { seed } = context.scenario
  const modelDimensions = modelRule?.dimensions ?? DEFAULT_DIMENSIONS
  const dimensions = (body.dimensions as number | null | undefined) ?? modelDimensions
  const isBase64 = body.encoding_format === 'base64'
  const items = mutator.embeddings(
    inputs.map(({ text }, index) => {
      const vector = (): Float32Array => {
        const whole = embed(text, { seed, model, dimensions: modelDimensions })
        return dimensions === modelDimensions ? whole : shortenVector(whole, dimensions)
      }
      return { index, text, dimensions, vector }
    }),
  )
  const space = JSON.stringify([seed, model, modelDimensions, dimensions, isBase64])
  const format = { isBase64, space }
  const measured = space + items.map(({ index, dimensions }) => `${index}:${dimensions}`).join()
  const { byteLength, json } = context.memo('items', measured, () => measureList(items, format, answerLimit))

  const answeredModel = modelRule?.snapshot ?? model
  const tokens = inputs.reduce((sum, input) => sum + input.tokens, 0)
  const text = joinParts([
    '{"object":"list","data":[',
    json ?? longList(items, format, byteLength),
    `],"model":${JSON.stringify(answeredModel)},` +
      `"usage":{"prompt_tokens":${tokens},"total_tokens":${mutator.total(tokens)}}}`,
  ])
  const tooLarge = checkAnswerSize(context, text, REMEDY)
  if (tooLarge !== undefined) return refuse(tooLarge)
  const headers = { 'openai-model': headerText(answeredModel) }
  return {
    plan: answerJson(context, text, { by: 'vectors', name: 'vectors' }, { headers }),
    usage: { prompt: tokens, completion: 0, unstreamed: 0 },
  }
}

/** A text to embed and its tokens. */
interface EmbeddingInput {
  readonly text: string
  readonly tokens: number
}

/** The inputs with their tokens, or the error of the first one that is too long. */
function countInputs(input: unknown, tokenizer: Tokenizer): readonly EmbeddingInput[] | ApiError {
  // A string, strings, tokens or lists of tokens.
  const isOne = typeof input === 'string' || typeof (input as readonly unknown[])[0] === 'number'
  const items = (isOne ? [input] : input) as readonly (string | readonly number[])[]
  const inputs: EmbeddingInput[] = []
  let total = 0
  for (const [index, item] of items.entries()) {
    const tokens = typeof item === 'string' ? tokenizer.count(item) : item.length
    if (tokens > MAX_TOKENS_PER_INPUT) {
      const limit = MAX_TOKENS_PER_INPUT
      return isOne
        ? apiError('input-over-context', { limit })
        : apiError('input-too-long', { path: `input[${index}]`, limit })
    }
    total += tokens
    inputs.push({ text: typeof item === 'string' ? item : tokenizer.decode(item), tokens })
  }
  return total > MAX_TOKENS ? apiError('inputs-too-long', { limit: MAX_TOKENS }) : inputs
}

/** The form of the vectors of a list. */
interface VectorFormat {
  readonly isBase64: boolean
  /** Everything that an item depends on besides its text. */
  readonly space: string
}

/** A longer list is built when it is sent: a full batch takes up to 85 MB. */
const MAX_BUILT_BYTES = 1_000_000

/**
 * Measures the items as JSON, separated by commas. A short list comes with its JSON.
 * @param maxBytes the size at which measuring stops, because the answer is too large then; its size is an estimate.
 */
function measureList(
  items: readonly EmbeddingItem[],
  format: VectorFormat,
  maxBytes: number,
): { readonly byteLength: number; readonly json: string | undefined } {
  if (format.isBase64) {
    let byteLength = 0
    for (const [position, { index, dimensions }] of items.entries())
      byteLength += itemJson(position, index, '""').length + 4 * Math.ceil((dimensions * 4) / 3)
    if (byteLength > MAX_BUILT_BYTES) return { byteLength, json: undefined }
  }
  let json = ''
  let bytes = 0
  for (let position = 0; position < items.length; position++) {
    const text = textOf(items, position, format)
    bytes += text.length
    if (bytes > maxBytes) return { byteLength: Math.ceil((bytes * items.length) / (position + 1)), json: undefined }
    json = bytes > MAX_BUILT_BYTES ? '' : json + text
  }
  return { byteLength: bytes, json: bytes > MAX_BUILT_BYTES ? undefined : json }
}

/** A list whose items are built when they are sent. */
const longList = (items: readonly EmbeddingItem[], format: VectorFormat, byteLength: number): TextParts => ({
  byteLength,
  *[Symbol.iterator]() {
    for (let position = 0; position < items.length; position++) yield textOf(items, position, format)
  },
})

// An embedding with 1,536 coordinates takes about 19 KB as decimals, so the cache takes about 5 MB at most.
const cache = new MemoCache<string>(256, 1024)

/** The JSON of an item. Vectors are cached by text, because tests send the same short texts often. */
function textOf(items: readonly EmbeddingItem[], position: number, { isBase64, space }: VectorFormat): string {
  const { index, text, vector } = items[position]!
  const write = (): string => (isBase64 ? `"${encodeBase64(vector())}"` : formatVector(vector()))
  return itemJson(position, index, text === undefined ? write() : cache.of(space + text, write))
}

const itemJson = (position: number, index: number, embedding: string): string =>
  `${position === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":${embedding}}`

/** Dimensions of a model that the scenario does not describe. */
const DEFAULT_DIMENSIONS = 1536
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
const parameters = parameterCheck(EMBEDDING_FIELDS, true)

/** The first problem that can be found without counting tokens. */
function checkEmbeddings(context: CallContext): ApiError | undefined {
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

export const embeddings: EndpointDefinition = {
  check: checkEmbeddings,
  notes: parameters.notes,
  answer,
}
