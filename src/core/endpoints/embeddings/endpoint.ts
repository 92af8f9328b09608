/** The embeddings endpoint: from a request that passed its checks to the plan of its answer. */

import { MemoCache } from '../../cache/memo-cache.ts'
import type { Answer } from '../../call/answer.ts'
import type { CallContext } from '../../call/call-context.ts'
import { answerError, answerJson, headerText } from '../../call/respond.ts'
import { apiError } from '../../errors/catalogue.ts'
import type { AnswerMutator } from '../../faults/answer-mutator.ts'
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
  const request = readEmbeddings(context)
  if ('status' in request) return { plan: answerError(context, request, { by: 'request', name: request.name }) }

  const { model, inputs } = request
  const { seed } = context.scenario
  const answeredModel = context.modelRule?.snapshot ?? model
  const data = mutator.changesEmbeddings ? mutatedItems(inputs, seed, request, mutator) : items(inputs, seed, request)
  const tokens = inputs.reduce((sum, input) => sum + input.tokens, 0)
  const body =
    `{"object":"list","data":[${data.join(',')}],"model":${JSON.stringify(answeredModel)},` +
    `"usage":{"prompt_tokens":${tokens},"total_tokens":${mutator.total(tokens)}}}`
  const headers = { 'openai-model': headerText(answeredModel) }
  return {
    plan: answerJson(context, body, { by: 'vectors', name: 'vectors' }, { headers }),
    usage: { prompt: tokens, completion: 0, unstreamed: 0 },
  }
}

// An embedding with 1,536 coordinates takes about 19 KB as decimals, so the cache takes about 5 MB at most.
const cache = new MemoCache<string>(256, 1024)

/** The JSON of each embedding, cached because short texts tend to come again. */
function items(inputs: EmbeddingsRequest['inputs'], seed: string, request: EmbeddingsRequest): string[] {
  const { model, modelDimensions, dimensions, isBase64 } = request
  const space = JSON.stringify([seed, model, modelDimensions, dimensions, isBase64])
  return inputs.map(({ text }, index) =>
    itemJson(
      index,
      cache.of(space + text, () => format(vectorOf(text, seed, request), isBase64)),
    ),
  )
}

function mutatedItems(
  inputs: EmbeddingsRequest['inputs'],
  seed: string,
  request: EmbeddingsRequest,
  mutator: AnswerMutator,
): string[] {
  const embedded = inputs.map(({ text }, index) => ({ index, vector: vectorOf(text, seed, request) }))
  return mutator.embeddings(embedded).map(({ index, vector }) => itemJson(index, format(vector, request.isBase64)))
}

const format = (vector: Float32Array, isBase64: boolean): string =>
  isBase64 ? `"${encodeBase64(vector)}"` : formatVector(vector)

const itemJson = (index: number, embedding: string): string =>
  `{"object":"embedding","index":${index},"embedding":${embedding}}`

function vectorOf(text: string, seed: string, { model, modelDimensions, dimensions }: EmbeddingsRequest): Float32Array {
  const vector = embed(text, { seed, model, dimensions: modelDimensions })
  return dimensions === modelDimensions ? vector : shorten(vector, dimensions)
}
