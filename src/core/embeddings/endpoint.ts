/** The embeddings endpoint: from a request that passed its checks to the plan of its answer. */
import { answerError, answerJson, headerText } from '../answer.ts'
import type { Twist } from '../faults/twist.ts'
import type { Plan } from '../plan.ts'
import type { Turn } from '../turn.ts'
import { encodeBase64, formatVector } from './float32.ts'
import { type EmbeddingsRequest, readEmbeddings } from './request.ts'
import { embed, shorten } from './vector.ts'

/** @param twist a fault of meaning that bends the embeddings; undefined for an honest answer. */
export function answerEmbeddings(turn: Turn, twist?: Twist): Plan {
  const request = readEmbeddings(turn)
  if ('status' in request) return answerError(turn, request, { by: 'request', name: request.name })

  const { model, inputs } = request
  const answeredModel = turn.modelRule?.snapshot ?? model
  const embedded = inputs.map(({ text }, index) => ({ index, vector: vectorOf(text, turn.scenario.seed, request) }))
  const data = (twist?.embeddings(embedded) ?? embedded).map(({ index, vector }) => {
    const written = request.isBase64 ? `"${encodeBase64(vector)}"` : formatVector(vector)
    return `{"object":"embedding","index":${index},"embedding":${written}}`
  })
  const tokens = inputs.reduce((sum, input) => sum + input.tokens, 0)
  turn.usage = { prompt: tokens, completion: 0, silent: 0 }
  const body =
    `{"object":"list","data":[${data.join(',')}],"model":${JSON.stringify(answeredModel)},` +
    `"usage":{"prompt_tokens":${tokens},"total_tokens":${twist?.total(tokens) ?? tokens}}}`
  return answerJson(
    turn,
    body,
    { by: 'vectors', name: 'vectors' },
    { headers: { 'openai-model': headerText(answeredModel) } },
  )
}

function vectorOf(text: string, seed: string, { model, modelDimensions, dimensions }: EmbeddingsRequest): Float32Array {
  const vector = embed(text, { seed, model, dimensions: modelDimensions })
  return dimensions === modelDimensions ? vector : shorten(vector, dimensions)
}
