/** Answers conform to the published OpenAPI description. */
import { describe, expect, test } from 'vitest'
import { EMBEDDING_FIELDS } from '../../src/core/decide/endpoints/embeddings-endpoint.ts'
import { CHAT_FIELDS } from '../../src/core/dialects/chat/chat-fields.ts'
import { chunksIn } from '../support/core.ts'
import { hasOpenApi, readOpenApi, type SchemaName } from '../support/openapi.ts'
import { type Answer, jsonOf, send, textOf } from '../support/send.ts'
import { overHttp, stillMock } from '../support/transports.ts'
import {
  CONTRACT_SCENARIO,
  CONTRACT_SEED,
  type ContractCall,
  chatCalls,
  embeddingCalls,
  modelCalls,
  refusedCalls,
  streamCalls,
  unreadableCalls,
} from './calls.ts'

const suffix = hasOpenApi ? '' : ' (skipped: ../shared/openapi is not beside this checkout)'
const { problems, parametersOf } = hasOpenApi ? readOpenApi() : { problems: () => '', parametersOf: () => [] }

async function answerTo(call: ContractCall): Promise<Answer> {
  await using opened = await overHttp.open(stillMock(CONTRACT_SCENARIO, CONTRACT_SEED))
  return await send(opened.baseUrl, call)
}

const calmCalls = chatCalls.filter(({ name }) => !name.includes('perhaps'))
// The description knows vectors as numbers only, though the service has base64 too.
const numberCalls = embeddingCalls.filter(({ body }) => !body?.includes('base64'))

/** The description requires the key `logprobs`, which the service leaves out for reasoning models (contract, 11.2). */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
function described({ name }: ContractCall, answer: any): any {
  if (!name.includes('reasoning model')) return answer
  for (const choice of answer.choices) expect(choice).not.toHaveProperty('logprobs')
  return { ...answer, choices: answer.choices.map((choice: object) => ({ ...choice, logprobs: null })) }
}

describe.skipIf(!hasOpenApi)(`the published OpenAPI description${suffix}`, () => {
  test('refuses an answer with a wrong type', () => {
    expect(problems('ErrorResponse', { error: { message: 'no type' } })).toContain("must have required property 'type'")
    expect(problems('CreateChatCompletionStreamResponse', { choices: [{ delta: {} }] })).not.toBe('')
  })

  test.each(calmCalls)('allows the answer to $name', async (call) => {
    const answer = await answerTo(call)
    expect(answer.status).toBe(200)
    expect(problems('CreateChatCompletionResponse', described(call, jsonOf(answer)))).toBe('')
  })

  test.each(streamCalls)('allows every chunk of $name', async (call) => {
    const chunks = chunksIn(textOf(await answerTo(call)))
    expect(chunks.length).toBeGreaterThan(1)
    for (const chunk of chunks) expect(problems('CreateChatCompletionStreamResponse', chunk)).toBe('')
  })

  test.each(numberCalls)('allows the answer to $name', async (call) => {
    const answer = await answerTo(call)
    expect(answer.status).toBe(200)
    expect(problems('CreateEmbeddingResponse', jsonOf(answer))).toBe('')
  })

  test.each(modelCalls)('allows the answer to $name', async (call) => {
    const schema: SchemaName = call.path === '/models' ? 'ListModelsResponse' : 'Model'
    expect(problems(schema, jsonOf(await answerTo(call)))).toBe('')
  })

  test.each([...refusedCalls, ...unreadableCalls])('allows the error that answers $name', async (call) => {
    const answer = await answerTo(call)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(problems('ErrorResponse', jsonOf(answer))).toBe('')
    expect(Object.keys(jsonOf(answer).error)).toEqual(['message', 'type', 'param', 'code'])
  })

  test('has the same chat parameters as the mock', () => {
    expect([...CHAT_FIELDS.names].sort()).toEqual(parametersOf('CreateChatCompletionRequest').sort())
  })

  test('has the same embeddings parameters as the mock', () => {
    expect([...EMBEDDING_FIELDS.names].sort()).toEqual(parametersOf('CreateEmbeddingRequest').sort())
  })
})
