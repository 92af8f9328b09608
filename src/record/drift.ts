/**
 * Drift: compares what a real service answers today with what a cassette or the mock answers. Statuses and the names and
 * types of fields are compared, not their values:
 *
 *     { ruleId: 'replies[2]', endpoint: 'chat', model: 'gpt-4o', status: 200,
 *       differences: [{ path: 'usage.cost', change: 'added', before: 'nothing', now: 'number' }] }
 */
import { text } from 'node:stream/consumers'
import type { Decision } from '../core/decide/pipeline/decide.ts'
import { statusOf } from '../core/protocol/plan/plan.ts'
import { sentText } from '../core/protocol/plan/transform.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import { bodyOfRequest, callOf, Engine } from '../engine/index.ts'
import { type ComparedAnswer, compareAnswers, type ShapeDifference } from './answer-shape.ts'
import { comparedOf, type Recording } from './recorded-calls.ts'
import { callUpstream } from './upstream.ts'

// The time-out of OpenAI's own client.
const TIMEOUT_MS = 600_000

/** One request of a cassette, and how its answer has changed. */
export interface Compared extends Pick<Recording, 'ruleId' | 'endpoint'> {
  readonly model: string
  /** The status of the real service's answer. */
  readonly status: number
  readonly differences: readonly ShapeDifference[]
}

/**
 * Sends each call once, one after the other.
 * @param options.scenario compare with the mock's answers in it. Default: compare with the recorded answers.
 * @throws when a call gets no answer, or when the key is refused.
 */
export async function* findDrift(
  calls: readonly Recording[],
  { upstream, key, scenario }: { upstream: URL; key: string; scenario?: Scenario | undefined },
): AsyncGenerator<Compared> {
  const engine = scenario && new Engine(scenario)
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  for (const recording of calls) {
    const { ruleId, endpoint, body, answers } = recording
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const sent = callUpstream(upstream, { endpoint, headers, body, signal })
    // Its body can break off too.
    const read = sent.then(async (answer) => ({ status: answer.statusCode ?? 0, body: await text(answer) }))
    const now = await read.catch((error: Error) => {
      throw new Error(`Failed to compare ${ruleId}: ${error.message}. Check --upstream.`, { cause: error })
    })
    // Of several recorded answers, the last with this status, or else the last one.
    const recorded = answers.findLast(({ status }) => status === now.status) ?? answers.at(-1)!
    const before = engine ? answerIn(engine.preview(callOf(recording, engine), engine.scenario)) : comparedOf(recorded)
    if (now.status === 401 && before.status !== 401)
      throw new Error(`Failed to compare ${ruleId}: the upstream refused the key in OPENAI_API_KEY.`)
    const model = String(bodyOfRequest(body).model ?? '')
    yield { ruleId, endpoint, model, status: now.status, differences: compareAnswers(before, now) }
  }
}

/** The answer of the mock, to compare it. */
export const answerIn = ({ plan }: Decision): ComparedAnswer => ({ status: statusOf(plan), body: sentText(plan) })
