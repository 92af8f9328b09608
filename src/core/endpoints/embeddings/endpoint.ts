/** The embeddings endpoint: from a request that passed its checks to the plan of its answer. */

import { MemoCache } from '../../cache/memo-cache.ts'
import type { Answer } from '../../call/answer.ts'
import { answerTooLarge, checkAnswerSize } from '../../call/answer-size.ts'
import type { CallContext } from '../../call/call-context.ts'
import { answerError, answerJson, headerText } from '../../call/respond.ts'
import { type ApiError, apiError } from '../../errors/catalogue.ts'
import type { AnswerMutator } from '../../faults/answer-mutator.ts'
import { TextSize } from '../../plan/text-parts.ts'
import { finish, type Steps, UNITS_PER_SLICE } from '../../work/steps.ts'
import type { EndpointDefinition } from '../definition.ts'
import { encodeBase64, formatVector } from './float32.ts'
import { checkEmbeddings, type EmbeddingsRequest, embeddingNotes, readEmbeddings } from './request.ts'
import { embed, shorten } from './vector.ts'

export const embeddings: EndpointDefinition = {
  check: checkEmbeddings,
  notes: embeddingNotes,
  wrongModel: () => apiError('not-an-embedding-model'),
  answer,
}

function answer(context: CallContext, mutator: AnswerMutator): Answer {
  const refuse = (error: ApiError): Answer => ({
    plan: answerError(context, error, { by: 'request', name: error.name }),
  })
  const request = readEmbeddings(context)
  if ('status' in request) return refuse(request)

  const { model, inputs } = request
  const answeredModel = context.modelRule?.snapshot ?? model
  const data = itemsOf(context, request, mutator)
  if ('bytes' in data) return refuse(answerTooLarge(context, data.bytes, REMEDY))
  const tokens = inputs.reduce((sum, input) => sum + input.tokens, 0)
  const body =
    `{"object":"list","data":[${data.join(',')}],"model":${JSON.stringify(answeredModel)},` +
    `"usage":{"prompt_tokens":${tokens},"total_tokens":${mutator.total(tokens)}}}`
  const tooLarge = checkAnswerSize(context, new TextSize(body), REMEDY)
  if (tooLarge !== undefined) return refuse(tooLarge)
  const headers = { 'openai-model': headerText(answeredModel) }
  return {
    plan: answerJson(context, body, { by: 'vectors', name: 'vectors' }, { headers }),
    usage: { prompt: tokens, completion: 0, unstreamed: 0 },
  }
}

const REMEDY = 'Send fewer inputs at once, or ask for fewer dimensions or encoding_format base64'

/** The items, or about how many bytes they would take when that is more than the limit. */
type Items = readonly string[] | { readonly bytes: number }

function itemsOf(context: CallContext, request: EmbeddingsRequest, mutator: AnswerMutator): Items {
  const { scenario, answerLimit } = context
  const { inputs, model, modelDimensions } = request
  const { changesEmbeddings } = mutator
  const steps = () => {
    const items = changesEmbeddings ? mutatedItems(scenario.seed, request, mutator) : plainItems(scenario.seed, request)
    return collectItems(items, request, answerLimit)
  }
  const units = inputs.reduce((sum, { text }) => sum + unitsOf(text), 0)
  if (units <= UNITS_PER_SLICE) return finish(steps())
  return context.prepare('items', JSON.stringify([scenario.seed, model, modelDimensions, changesEmbeddings]), steps)
}

/** @param items yields units of work, and the items in between. */
function* collectItems(
  items: Iterable<string | number>,
  { inputs, dimensions, isBase64 }: EmbeddingsRequest,
  maxBytes: number,
): Steps<Items> {
  // The size of base64 is known before a vector is computed.
  const base64Bytes = isBase64 ? inputs.length * 4 * Math.ceil((dimensions * 4) / 3) : 0
  if (base64Bytes > maxBytes) return { bytes: base64Bytes }
  const data: string[] = []
  let bytes = 0
  for (const item of items) {
    if (typeof item === 'number') {
      yield item
      continue
    }
    data.push(item)
    bytes += item.length
    if (bytes > maxBytes) return { bytes: Math.ceil((bytes * inputs.length) / data.length) }
  }
  return data
}

const UNITS_PER_VECTOR = 500

/** What embedding a text and writing its vector takes. */
const unitsOf = (text: string): number => UNITS_PER_VECTOR + text.length

// An embedding with 1,536 coordinates takes about 19 KB as decimals, so the cache takes about 5 MB at most.
const cache = new MemoCache<string>(256, 1024)

/** The JSON of each embedding, cached because short texts tend to come again. */
function* plainItems(seed: string, request: EmbeddingsRequest): Generator<string | number> {
  const { model, modelDimensions, dimensions, isBase64 } = request
  const space = JSON.stringify([seed, model, modelDimensions, dimensions, isBase64])
  for (const [index, { text }] of request.inputs.entries()) {
    const embedding = cache.of(space + text, () => format(vectorOf(text, seed, request), isBase64))
    yield itemJson(index, embedding)
    yield unitsOf(text)
  }
}

function* mutatedItems(seed: string, request: EmbeddingsRequest, mutator: AnswerMutator): Generator<string | number> {
  const embedded: { readonly index: number; readonly vector: Float32Array }[] = []
  for (const [index, { text }] of request.inputs.entries()) {
    embedded.push({ index, vector: vectorOf(text, seed, request) })
    yield unitsOf(text)
  }
  for (const { index, vector } of mutator.embeddings(embedded)) {
    yield itemJson(index, format(vector, request.isBase64))
    yield UNITS_PER_VECTOR
  }
}

const format = (vector: Float32Array, isBase64: boolean): string =>
  isBase64 ? `"${encodeBase64(vector)}"` : formatVector(vector)

const itemJson = (index: number, embedding: string): string =>
  `{"object":"embedding","index":${index},"embedding":${embedding}}`

function vectorOf(text: string, seed: string, { model, modelDimensions, dimensions }: EmbeddingsRequest): Float32Array {
  const vector = embed(text, { seed, model, dimensions: modelDimensions })
  return dimensions === modelDimensions ? vector : shorten(vector, dimensions)
}
