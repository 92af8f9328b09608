/**
 * The embeddings endpoint: checks a body, and answers with a vector for each input.
 *
 *     {"input": ["a cat", "a dog"], "model": "text-embedding-3-small"}
 *     -> {"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": [0.01, ...]}, ...],
 *         "model": "text-embedding-3-small", "usage": {"prompt_tokens": 4, "total_tokens": 4}}
 */

import { MemoCache } from '../../lib/cache/bounded-maps.ts'
import { encodeBase64, formatVector } from '../../lib/embeddings/float32.ts'
import { embed, shortenVector } from '../../lib/embeddings/vector.ts'
import { isMissing, type JsonObject } from '../../lib/text/json.ts'
import type { Tokenizer } from '../../lib/tokenizer/tokenizer.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { AnswerMutator } from '../../protocol/faults/answer-mutator.ts'
import type { EmbeddingItem } from '../../protocol/faults/fault.ts'
import { joinParts } from '../../protocol/plan/text-parts.ts'
import { withHeaders } from '../../protocol/plan/transform.ts'
import { arrayOf, either, integer, object, oneOf, required, text } from '../../protocol/request/field-checks.ts'
import type { Answer, EndpointDefinition } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { answerJson, checkAnswerSize, headerText, refuse } from '../call/respond.ts'
import { parameterCheck } from './checks/common-checks.ts'

/** Dimensions of a model that the scenario does not describe. */
const DEFAULT_DIMENSIONS = 1536
/** The most texts of one request. */
const MAX_INPUTS = 2048

const tokenCheck = integer({ min: 0, max: 200_000 })
const inputCheck = either(text(), arrayOf(either(text(), tokenCheck, arrayOf(tokenCheck, 'integers')), 'strings'))
const checkedFields = object({
  input: required(inputCheck),
  dimensions: integer(),
  encoding_format: oneOf('float', 'base64'),
  user: text(),
})

/** Every field that the service knows. */
export const EMBEDDING_FIELDS = object({ model: text(), ...checkedFields.fields })

const parameters = parameterCheck(EMBEDDING_FIELDS, { isFlat: true })

export const embeddings: EndpointDefinition = {
  check: checkEmbeddings,
  notes: parameters.notes,
  answer: answerEmbeddings,
}

/** The first problem of an embeddings request that can be found without counting tokens. */
function checkEmbeddings(context: CallContext): ApiError | undefined {
  const { request, rules } = context
  const { body, model } = request
  if (isMissing(body.input)) return apiError('missing-parameter', { path: 'input' })
  const unknown = parameters.check(context)
  if (unknown !== undefined) return unknown
  // The service checks the dimensions first, and its messages differ from those of other fields.
  const { dimensions: got } = body
  if (typeof got === 'number' && Number.isInteger(got)) {
    const { fixedDimensions, dimensions: limit = DEFAULT_DIMENSIONS } = rules.modelRule ?? {}
    if (got < 1) return apiError('dimensions-below-min', { got })
    if (fixedDimensions === true) return apiError('dimensions-unsupported')
    if (got > limit) return apiError('dimensions-above-max', { model, limit, got })
  }
  return request.parsed.once(fieldProblem)
}

/** The first problem of a field; an empty input, a list of different types, or a list that is too long. */
function fieldProblem(body: JsonObject): ApiError | undefined {
  const problem = checkedFields.problem(body, '')
  if (problem !== undefined) return problem
  const { input } = body
  if (input === '') return apiError('invalid-input')
  if (!Array.isArray(input)) return undefined
  const types = new Set(input.map((item) => (Array.isArray(item) ? 'array' : typeof item)))
  const isEmpty = input.length === 0 || input.some((item) => item === '' || (Array.isArray(item) && item.length === 0))
  if (isEmpty || types.size > 1) return apiError('invalid-input')
  // Numbers are the tokens of one input.
  if (types.has('number') || input.length <= MAX_INPUTS) return undefined
  return apiError('too-many-inputs', { limit: MAX_INPUTS })
}

function answerEmbeddings(context: CallContext, mutator: AnswerMutator): Answer {
  const { request, rules, scenario, answerLimit } = context
  const { body, model, tokenizer, encoding } = request
  const { modelRule } = rules
  const inputs = request.memo('inputs', encoding, () => countInputs(body.input, tokenizer))
  if ('status' in inputs) return refuse(context, 'request', inputs)

  const { seed } = scenario
  const modelDimensions = modelRule?.dimensions ?? DEFAULT_DIMENSIONS
  const dimensions = (body.dimensions as number | null | undefined) ?? modelDimensions
  const items = mutator.embeddings(
    inputs.map(({ text }, index) => ({
      index,
      text,
      dimensions,
      vector() {
        const whole = embed(text, { seed, model, dimensions: modelDimensions })
        return dimensions === modelDimensions ? whole : shortenVector(whole, dimensions)
      },
    })),
  )

  const isBase64 = body.encoding_format === 'base64'
  const space = JSON.stringify([seed, model, modelDimensions, dimensions, isBase64])
  const format = { isBase64, space }
  // A fault may change the order and the dimensions of the items.
  const memoInput = space + items.map(({ index, dimensions }) => `${index}:${dimensions}`).join()
  const { byteLength, json } = request.memo('items', memoInput, () => buildItems(items, format, answerLimit))

  const tokens = inputs.reduce((sum, input) => sum + input.tokens, 0)
  const answeredModel = modelRule?.snapshot ?? model
  const list = joinParts([
    '{"object":"list","data":[',
    // The items of a long list are built one by one when they are sent.
    json ?? {
      byteLength,
      *[Symbol.iterator]() {
        for (const position of items.keys()) yield buildItem(items, position, format)
      },
    },
    `],"model":${JSON.stringify(answeredModel)},` +
      `"usage":{"prompt_tokens":${tokens},"total_tokens":${mutator.total(tokens)}}}`,
  ])
  const remedy = 'Send fewer inputs at once, or ask for fewer dimensions or encoding_format base64'
  const tooLarge = checkAnswerSize(context, list, remedy)
  if (tooLarge !== undefined) return refuse(context, 'request', tooLarge)
  const plan = answerJson(context, list, { by: 'vectors', name: 'vectors' })
  return {
    plan: withHeaders(plan, { 'openai-model': headerText(answeredModel) }),
    usage: { prompt: tokens, completion: 0, unstreamed: 0 },
  }
}

const MAX_TOKENS_PER_INPUT = 8192
const MAX_TOKENS = 300_000

/**
 * The texts to embed with their tokens, or the error of the first one that is too long.
 * @param input a string, a list of strings, the tokens of one input, or a list of such tokens.
 */
function countInputs(input: unknown, tokenizer: Tokenizer) {
  const isOne = typeof input === 'string' || typeof (input as readonly unknown[])[0] === 'number'
  const items = (isOne ? [input] : input) as readonly (string | readonly number[])[]
  const inputs: { readonly text: string; readonly tokens: number }[] = []
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
  /** A text for everything that a vector depends on besides the embedded text: the name of the space, and the form. */
  readonly space: string
}

/** Size of the longest list that is built at once. A longer one is built when it is sent: a full batch takes up to 85 MB. */
const MAX_BUILT_BYTES = 1_000_000

/**
 * The items of `data` as JSON and their size. A long list has its size only.
 * @param maxBytes the size at which this stops, because the answer is too large then; the size is an estimate.
 */
function buildItems(
  items: readonly EmbeddingItem[],
  format: VectorFormat,
  maxBytes: number,
): { readonly byteLength: number; readonly json: string | undefined } {
  if (format.isBase64) {
    // Base64 has a known length, so a long list need not be built to be measured.
    let knownLength = 0
    for (const [position, { index, dimensions }] of items.entries())
      knownLength += itemJson(position, index, '""').length + 4 * Math.ceil((dimensions * 4) / 3)
    if (knownLength > MAX_BUILT_BYTES) return { byteLength: knownLength, json: undefined }
  }
  let json = ''
  let byteLength = 0
  for (let position = 0; position < items.length; position++) {
    const item = buildItem(items, position, format)
    byteLength += item.length
    if (byteLength > maxBytes) {
      const estimate = Math.ceil((byteLength * items.length) / (position + 1))
      return { byteLength: estimate, json: undefined }
    }
    if (byteLength <= MAX_BUILT_BYTES) json += item
  }
  return { byteLength, json: byteLength <= MAX_BUILT_BYTES ? json : undefined }
}

// An embedding with 1,536 coordinates takes about 19 KB as decimals, so the cache takes about 5 MB at most.
const vectorCache = new MemoCache<string>(256, 1024)

/** The JSON of one item. Vectors are cached by text, because tests send the same short texts often. */
function buildItem(items: readonly EmbeddingItem[], position: number, { isBase64, space }: VectorFormat): string {
  const { index, text, vector } = items[position]!
  const write = (): string => (isBase64 ? `"${encodeBase64(vector())}"` : formatVector(vector()))
  return itemJson(position, index, text === undefined ? write() : vectorCache.of(space + text, write))
}

/** `{"object":"embedding","index":0,"embedding":[0.1]}`, after a comma unless it is the first one. */
const itemJson = (position: number, index: number, embedding: string): string =>
  `${position === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":${embedding}}`
