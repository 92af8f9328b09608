/** The embeddings endpoint: from a request that passed its checks to the plan of its answer. */

import { embed, shorten } from '../../../lib/embeddings/vector.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { AnswerMutator } from '../../../protocol/faults/answer-mutator.ts'
import { joinParts, type Part, TextSize } from '../../../protocol/plan/text-parts.ts'
import type { Answer } from '../../call/answer.ts'
import { checkAnswerSize } from '../../call/answer-size.ts'
import type { CallContext } from '../../call/call-context.ts'
import { answerError, answerJson, headerText } from '../../call/respond.ts'
import type { EndpointDefinition } from '../definition.ts'
import { LongList, measureList } from './list.ts'
import { checkEmbeddings, type EmbeddingsRequest, embeddingNotes, readEmbeddings } from './request.ts'

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
  const tokens = inputs.reduce((sum, input) => sum + input.tokens, 0)
  const body = joinParts([
    '{"object":"list","data":[',
    listOf(context, request, mutator),
    `],"model":${JSON.stringify(answeredModel)},` +
      `"usage":{"prompt_tokens":${tokens},"total_tokens":${mutator.total(tokens)}}}`,
  ])
  const tooLarge = checkAnswerSize(context, new TextSize(body), REMEDY)
  if (tooLarge !== undefined) return refuse(tooLarge)
  const headers = { 'openai-model': headerText(answeredModel) }
  return {
    plan: answerJson(context, body, { by: 'vectors', name: 'vectors' }, { headers }),
    usage: { prompt: tokens, completion: 0, unstreamed: 0 },
  }
}

const REMEDY = 'Send fewer inputs at once, or ask for fewer dimensions or encoding_format base64'

/** The items of the answer, separated by commas. */
function listOf(context: CallContext, request: EmbeddingsRequest, mutator: AnswerMutator): Part {
  const { seed } = context.scenario
  const { inputs, model, modelDimensions, dimensions, isBase64 } = request
  const plain = inputs.map(({ text }, index) => {
    return { index, text, dimensions, vector: () => vectorOf(text, seed, request) }
  })
  const items = mutator.embeddings(plain)
  const space = JSON.stringify([seed, model, modelDimensions, dimensions, isBase64])
  const input = space + items.map(({ index, dimensions }) => `${index}:${dimensions}`).join()
  const format = { isBase64, space }
  const { byteLength, json } = context.memo('items', input, () => measureList(items, format, context.answerLimit))
  return json ?? new LongList(items, format, byteLength)
}

function vectorOf(text: string, seed: string, { model, modelDimensions, dimensions }: EmbeddingsRequest): Float32Array {
  const vector = embed(text, { seed, model, dimensions: modelDimensions })
  return dimensions === modelDimensions ? vector : shorten(vector, dimensions)
}
