/**
 * The recorded calls of a cassette: `{ when: { endpoint: chat, request: ... }, answer: ... }` is a call with its answers, as
 * drift and rot compare them.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fillVectors } from '../core/decide/pipeline/recorded-vectors.ts'
import { sentText } from '../core/protocol/plan/transform.ts'
import { guessEndpoint, type ModelEndpoint } from '../core/protocol/request/endpoints.ts'
import { compileAnswer, type RecordedAnswer } from '../core/scenario/compile/recorded-answer.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { loadScenario } from '../engine/node.ts'
import type { ComparedAnswer } from './answer-shape.ts'

/** A recorded request and its answers. */
export interface Recording {
  /** `replies[2]` */
  readonly ruleId: string
  readonly endpoint: ModelEndpoint
  /** The request body. */
  readonly body: string
  readonly answers: readonly RecordedAnswer[]
}

/**
 * Loads the cassette in a file.
 * @throws Error when there is none, or when it has no recorded requests.
 */
export async function loadCassette(path: string, upstream = 'https://api.openai.com/v1'): Promise<ScenarioSource> {
  const advice = `api-mock record --upstream ${upstream} --out cassette.yaml`
  if (!existsSync(path)) {
    const failure = `Failed to read cassette '${path}': there is no such file (looked for ${resolve(path)}).`
    throw new Error(`${failure} Check the path, or record one: ${advice}`)
  }
  const { source } = await loadScenario(/[/\\]/.test(path) ? path : `./${path}`)
  if (recordedCalls(source).length > 0) return source
  throw new Error(`'${path}' has no recorded requests. Record some: ${advice}`)
}

/** The recorded calls of a scenario; other rules are left out. */
export function recordedCalls({ replies = [] }: ScenarioSource): Recording[] {
  return replies.flatMap(({ when: { request, endpoint } = {}, answer }, index) => {
    if (request === undefined || answer === undefined) return []
    const body = typeof request === 'string' ? request : JSON.stringify(request)
    const answers = [answer].flat().map(compileAnswer)
    return { ruleId: `replies[${index}]`, endpoint: endpoint ?? guessEndpoint(request), body, answers }
  })
}

/** A recorded answer, to compare it. */
export const comparedOf = (answer: RecordedAnswer): ComparedAnswer => ({
  status: answer.status,
  body: answer.stream ? sentText({ events: answer.stream }) : fillVectors(answer),
})
