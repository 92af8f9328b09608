/** Drift: what a real service answers today, compared with what a cassette or the mock answers. */
import type { IncomingMessage } from 'node:http'
import { bodyOf } from '../core/pipeline/replay.ts'
import { statusOf } from '../core/plan/plan.ts'
import { ENDPOINTS, type ModelEndpoint } from '../core/request/endpoints.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import { compileAnswer, type RecordedAnswer } from '../core/scenario/compile/recorded-answer.ts'
import type { ScenarioSource } from '../core/scenario/grammar/schema.ts'
import { Engine } from '../engine/engine.ts'
import { compareAnswers, type Difference, type Shown } from './shape.ts'
import { callUpstream, isRedirect } from './upstream.ts'

// As long as the official client waits.
const PATIENCE_MS = 600_000
const MAX_ANSWER_BYTES = 50_000_000

/** A request that was recorded, and its answers. */
interface RecordedCall {
  readonly place: string
  readonly endpoint: ModelEndpoint
  /** As it is sent. */
  readonly body: string
  readonly answers: readonly RecordedAnswer[]
}

/** One request of a cassette, and how the answer to it has changed. */
export interface Compared {
  /** `replies[2]` */
  readonly place: string
  readonly endpoint: ModelEndpoint
  readonly model: string
  /** What the real service answered. */
  readonly status: number
  readonly differences: readonly Difference[]
}

/** The calls of a cassette; rules without a request or a recorded answer are none. */
export function recordedCalls({ replies = [] }: ScenarioSource): RecordedCall[] {
  return replies.flatMap(({ when: { request, endpoint } = {}, answer }, index) => {
    if (request === undefined || answer === undefined) return []
    const body = typeof request === 'string' ? request : JSON.stringify(request)
    const guess: ModelEndpoint = typeof request === 'object' && 'input' in request ? 'embeddings' : 'chat'
    const answers = [answer].flat().map(compileAnswer)
    return [{ place: `replies[${index}]`, endpoint: endpoint ?? guess, body, answers }]
  })
}

export interface DriftOptions {
  readonly upstream: URL
  readonly key: string
  /** What to compare with: the mock's own answers in this scenario. Absent: what was recorded. */
  readonly scenario?: Scenario | undefined
}

/**
 * Sends each call once, one after the other.
 * @throws when one gets no answer, or the key is not accepted.
 */
export async function* findDrift(calls: readonly RecordedCall[], options: DriftOptions): AsyncGenerator<Compared> {
  const engine = options.scenario && new Engine(options.scenario)
  for (const call of calls) {
    const now = await askUpstream(call, options)
    const before = engine === undefined ? recordedFor(call, now.status) : await askMock(call, engine)
    if (now.status === 401 && before.status !== 401)
      throw new Error(`Failed to compare ${call.place}: the upstream does not accept the key in OPENAI_API_KEY.`)
    yield {
      place: call.place,
      endpoint: call.endpoint,
      model: modelOf(call.body),
      status: now.status,
      differences: compareAnswers(before, now),
    }
  }
}

/** Where it was answered in several ways, the one that ended as it does now, or the one that stays. */
function recordedFor({ answers }: RecordedCall, status: number): Shown {
  const answer = answers.findLast((one) => one.status === status) ?? answers.at(-1)!
  const { stream } = answer
  const body = stream?.map((event) => (event.type === 'send' ? event.data : '')).join('') ?? bodyOf(answer)
  return { status: answer.status, body }
}

async function askMock({ endpoint, body }: RecordedCall, engine: Engine): Promise<Shown> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${engine.scenario.exampleKey}`,
    'content-type': 'application/json',
  }
  const exchange = await engine.begin({
    transport: 'http',
    method: 'POST',
    path: ENDPOINTS[endpoint].paths[0],
    header: (name) => headers[name],
    body,
    bodyLimit: engine.bodyLimit,
    now: 0,
  })
  exchange.end('complete')
  const { plan } = exchange
  return {
    status: statusOf(plan),
    body: plan.events.map((event) => (event.type === 'send' ? event.data : '')).join(''),
  }
}

async function askUpstream({ place, endpoint, body }: RecordedCall, { upstream, key }: DriftOptions): Promise<Shown> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = await callUpstream(upstream, { endpoint, headers, body, signal })
    if (isRedirect(answer)) {
      answer.destroy()
      throw new Error(`the upstream answered ${answer.statusCode}, a redirect, which is not followed`)
    }
    return { status: answer.statusCode ?? 0, body: await readText(answer) }
  } catch (error) {
    throw new Error(`Failed to compare ${place}: ${(error as Error).message}.`, { cause: error })
  }
}

async function readText(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) throw new Error(`its answer has more than ${MAX_ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function modelOf(body: string): string {
  try {
    const { model } = JSON.parse(body) as { model?: unknown }
    return typeof model === 'string' ? model : ''
  } catch {
    return ''
  }
}
