/**
 * Drift: compares what a real service answers today with what a cassette or the mock answers. Statuses and the names and
 * types of fields are compared, not their values.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Decision } from '../core/decide/pipeline/decide.ts'
import { bodyOf } from '../core/decide/pipeline/replay.ts'
import { statusOf } from '../core/protocol/plan/plan.ts'
import { sentText } from '../core/protocol/plan/transform.ts'
import { guessEndpoint, type ModelEndpoint } from '../core/protocol/request/endpoints.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import { compileAnswer, type RecordedAnswer } from '../core/scenario/compile/recorded-answer.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { bodyOfRequest, callOf, Engine } from '../engine/index.ts'
import { loadScenario } from '../engine/node.ts'
import { type ComparedAnswer, compareAnswers, type ShapeDifference } from './answer-shape.ts'
import { callUpstream } from './upstream.ts'

// The time-out of OpenAI's own client.
const TIMEOUT_MS = 600_000

/** A recorded request and its answers. */
export interface Recording {
  /** `replies[2]` */
  readonly ruleId: string
  readonly endpoint: ModelEndpoint
  /** The request body. */
  readonly body: string
  readonly answers: readonly RecordedAnswer[]
}

/** One request of a cassette, and how its answer has changed. */
export interface Compared extends Pick<Recording, 'ruleId' | 'endpoint'> {
  readonly model: string
  /** The status of the real service's answer. */
  readonly status: number
  readonly differences: readonly ShapeDifference[]
}

export interface DriftOptions {
  readonly upstream: URL
  readonly key: string
  /** Compare with the mock's answers in this scenario. Default: compare with the recorded answers. */
  readonly scenario?: Scenario | undefined
}

/**
 * Sends each call once, one after the other.
 * @throws when a call gets no answer, or when the key is refused.
 */
export async function* findDrift(calls: readonly Recording[], options: DriftOptions): AsyncGenerator<Compared> {
  const engine = options.scenario && new Engine(options.scenario)
  for (const recording of calls) {
    const { ruleId, endpoint, body, answers } = recording
    const now = await askUpstream(endpoint, body, options).catch((error: Error) => {
      throw new Error(`Failed to compare ${ruleId}: ${error.message}.`, { cause: error })
    })
    // Of several recorded answers, the last with this status, or else the last one.
    const recorded = answers.findLast(({ status }) => status === now.status) ?? answers.at(-1)!
    const before =
      engine === undefined ? comparedOf(recorded) : answerIn(engine.preview(callOf(recording, engine), engine.scenario))
    if (now.status === 401 && before.status !== 401)
      throw new Error(`Failed to compare ${ruleId}: the upstream refused the key in OPENAI_API_KEY.`)
    const model = String(bodyOfRequest(body).model ?? '')
    yield { ruleId, endpoint, model, status: now.status, differences: compareAnswers(before, now) }
  }
}

/**
 * Loads the cassette in a file.
 * @param subject the beginning of the message about a file without recordings.
 * @throws Error when there is none, or when it has no recorded requests.
 */
export async function loadCassette(
  path: string,
  subject = 'it',
  upstream = 'https://api.openai.com/v1',
): Promise<ScenarioSource> {
  const advice = `api-mock record --upstream ${upstream} --out cassette.yaml`
  if (!existsSync(path)) {
    const failure = `Failed to read cassette '${path}': there is no such file (looked for ${resolve(path)}).`
    throw new Error(`${failure} Check the path, or record one: ${advice}`)
  }
  const { source } = await loadScenario(/[/\\]/.test(path) ? path : `./${path}`)
  if (recordedCalls(source).length > 0) return source
  throw new Error(`${subject} has no recorded requests. Record some: ${advice}`)
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
  body: answer.stream ? sentText({ events: answer.stream }) : bodyOf(answer),
})

/** The answer of the mock, to compare it. */
export const answerIn = ({ plan }: Decision): ComparedAnswer => ({ status: statusOf(plan), body: sentText(plan) })

async function askUpstream(
  endpoint: ModelEndpoint,
  body: string,
  { upstream, key }: DriftOptions,
): Promise<ComparedAnswer> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const answer = await callUpstream(upstream, { endpoint, headers, body, signal: AbortSignal.timeout(TIMEOUT_MS) })
  return { status: answer.statusCode ?? 0, body: await text(answer) }
}
