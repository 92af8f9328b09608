/** The embeddings endpoint: from a request that passed its checks to the plan of its answer. */

import { embed, shortenVector } from '../../../lib/embeddings/vector.ts'
import type { Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'
import type { AnswerMutator } from '../../../protocol/faults/answer-mutator.ts'
import { joinParts, TextSize } from '../../../protocol/plan/text-parts.ts'
import type { Answer } from '../../call/answer.ts'
import { checkAnswerSize } from '../../call/answer-size.ts'
import type { CallContext } from '../../call/call-context.ts'
import { answerError, answerJson, headerText } from '../../call/respond.ts'
import { checkEmbeddings, DEFAULT_DIMENSIONS, embeddingNotes } from '../checks/check-embeddings.ts'
import type { EndpointDefinition } from '../endpoint-definition.ts'
import { LongList, measureList } from './embeddings-list.ts'

export const embeddings: EndpointDefinition = {
  check: checkEmbeddings,
  notes: embeddingNotes,
  wrongModel: () => apiError('not-an-embedding-model'),
  answer,
}

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
    json ?? new LongList(items, format, byteLength),
    `],"model":${JSON.stringify(answeredModel)},` +
      `"usage":{"prompt_tokens":${tokens},"total_tokens":${mutator.total(tokens)}}}`,
  ])
  const tooLarge = checkAnswerSize(context, new TextSize(text), REMEDY)
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
      return apiError('input-too-long', { path: `input[${index}]`, limit: MAX_TOKENS_PER_INPUT })
    }
    total += tokens
    inputs.push({ text: typeof item === 'string' ? item : tokenizer.decode(item), tokens })
  }
  return total > MAX_TOKENS ? apiError('inputs-too-long', { limit: MAX_TOKENS }) : inputs
}
