/** The mock's answers to calls of every kind. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'
import type { ModelSource } from '../../src/core/scenario/scenario-source.ts'
import { chunksIn } from '../../test/support/core.ts'
import { send, textOf } from '../../test/support/send.ts'
import { overHttp, stillMock } from '../../test/support/transports.ts'
import {
  CONTRACT_SCENARIO,
  CONTRACT_SEED,
  type ContractCall,
  chatCalls,
  contractCall,
  embeddingCalls,
  modelCalls,
  streamCalls,
} from '../../test/transports/calls.ts'
import { responseCalls } from '../../test/transports/response-calls.ts'

const OPENAI: { readonly models: Readonly<Record<string, ModelSource>> } = parse(
  readFileSync(resolve(import.meta.dirname, '../../scenarios/openai.yaml'), 'utf8'),
)

/** The rows of the table of models. */
export const modelTable = OPENAI.models
/** The names of the models of scenario `openai`, aliases included. */
export const simulatedModels: ReadonlySet<string> = new Set(Object.keys(OPENAI.models))
/** The models with settings that nobody has published enough of. */
export const uncertainModels: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(OPENAI.models).flatMap(([name, { uncertain }]) => (uncertain ? [[name, uncertain] as const] : [])),
)

const IMAGE = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEAAAAALAAAAAABAAEAAAIBADs='

/** What the calls of the contract do not ask for: first whole, then streamed. */
const rareCalls: readonly ContractCall[] = [false, true].map((stream) =>
  contractCall('moderation and an image', {
    body: {
      model: 'gpt-4o',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this? '.repeat(300) },
            { type: 'image_url', image_url: { url: IMAGE } },
          ],
        },
      ],
      stream,
      ...(stream && { stream_options: { include_usage: true } }),
      moderation: { model: 'omni-moderation-latest' },
      metadata: { run: '7' },
      service_tier: 'flex',
      store: true,
    },
    key: 'sk-test',
  }),
)

interface Answers {
  readonly completions: readonly unknown[]
  readonly chunks: readonly unknown[]
  readonly embeddings: readonly unknown[]
  readonly models: readonly unknown[]
  readonly responses: readonly unknown[]
  readonly events: readonly unknown[]
}

export async function collectAnswers(): Promise<Answers> {
  await using contract = await overHttp.open(stillMock(CONTRACT_SCENARIO, CONTRACT_SEED))
  await using openai = await overHttp.open(stillMock(OPENAI, CONTRACT_SEED))
  const rare = await Promise.all(rareCalls.map(async (call) => textOf(await send(openai.baseUrl, call))))
  const answersTo = (calls: readonly ContractCall[]): Promise<string[]> =>
    Promise.all(calls.map(async (call) => textOf(await send(contract.baseUrl, call))))
  const responses = await answersTo(responseCalls)
  const models = (await answersTo(modelCalls)).map((text) => JSON.parse(text))
  return {
    completions: [rare[0]!, ...(await answersTo(chatCalls))]
      .map((text) => JSON.parse(text))
      .filter((answer) => answer.error === undefined),
    chunks: [rare[1]!, ...(await answersTo(streamCalls))].flatMap(chunksIn),
    // The types know vectors as numbers only, though the service has base64 too.
    embeddings: (await answersTo(embeddingCalls.filter(({ body }) => !body?.includes('base64')))).map((text) =>
      JSON.parse(text),
    ),
    responses: responses
      .flatMap((text) => (text.startsWith('{') ? [JSON.parse(text)] : []))
      .filter((answer) => answer.object === 'response'),
    events: responses
      .filter((text) => text.startsWith('event: '))
      .flatMap((text) => [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, json]) => JSON.parse(json!))),
    models: models.flatMap((answer) => answer.data ?? [answer]),
  }
}
