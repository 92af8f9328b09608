/** Answers the calls that a cassette knows while it is recorded: `record --hybrid`. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Call } from '../core/decide/call/call-context.ts'
import { callerOf } from '../core/decide/state/session.ts'
import { LruMap } from '../core/lib/cache/lru-map.ts'
import type { CallHeaders } from '../core/protocol/request/decisive-headers.ts'
import { type ModelEndpoint, pathOf } from '../core/protocol/request/endpoints.ts'
import { compileScenario, type ReplyRule } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import { compileAnswer, type RecordedAnswer } from '../core/scenario/compile/recorded-answer.ts'
import type { AnswerSource, ScenarioSource } from '../core/scenario/scenario-source.ts'
import { Engine } from '../engine/index.ts'
import { start, UnreadAnswers } from '../http/index.ts'
import { recordingIn } from './cassette.ts'
import type { CassetteRule } from './cassette-text.ts'

/** Answers that are counted, over all keys and rules. */
const MAX_COUNTED = 100_000

export class Replayer {
  readonly #source: ScenarioSource
  /** The rules of the engine's scenario; those recorded now are added. */
  readonly #replies: ReplyRule[]
  readonly #engine: Engine
  /** The number of answers of a rule that a key has got, from the cassette or from the upstream. */
  readonly #given = new LruMap<string, number>(MAX_COUNTED)
  /** The rules that are recordings and nothing else, to which an answer can be added. */
  readonly #recordings: Set<string>

  /** @param source the cassette as it is at the start. */
  constructor(source: ScenarioSource) {
    this.#source = source
    const scenario = compileScenario(source, { name: 'the cassette', compilePattern })
    this.#replies = [...scenario.replies]
    this.#recordings = new Set(
      (source.replies ?? []).flatMap((rule, index) => (recordingIn(rule) ? [`replies[${index}]`] : [])),
    )
    this.#engine = new Engine({ ...scenario, isCassette: true, replies: this.#replies })
  }

  /**
   * Answers a call from the cassette; resolves with the id of the rule when the answer has ended. Undefined for a call
   * that has to go to the upstream: one that is not known, or one whose answers have all been given and end with an
   * error that clients retry.
   */
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    endpoint: ModelEndpoint,
    body: string,
  ): Promise<string> | undefined {
    const { clock, bodyLimit } = this.#engine
    const call: Call = {
      method: 'POST',
      path: pathOf(endpoint),
      headers: request.headers as CallHeaders,
      body,
      bodyLimit,
      now: clock.now(),
      transport: 'http',
    }
    const rule = this.#engine.findRule(call)
    if (rule === undefined) return undefined
    const { ruleId, answers } = rule
    const given = this.#given.get(nameOf(request, ruleId)) ?? 0
    if (answers !== undefined && this.#recordings.has(ruleId) && given >= answers.length && isRetried(answers.at(-1)!))
      return undefined
    this.#count(request, ruleId)
    const serving = { engine: this.#engine, unread: new UnreadAnswers() }
    return new Promise((resolve, reject) => {
      response.once('close', () => resolve(ruleId))
      this.#engine.receive(call, (exchange) => start(exchange, serving, response), reject)
    })
  }

  /** Adds what was recorded. In this run, the newest answer to a request counts. @param id as the cassette returns it. */
  learn(id: string, request: IncomingMessage, when: NonNullable<CassetteRule['when']>, answer: AnswerSource): void {
    const ruleId = id.replace(/\.answer.*/, '')
    const index = Number(/\d+/.exec(ruleId)![0])
    const known = this.#replies[index]
    const { ignore } = this.#source
    const source = { ...(ignore && { ignore }), replies: [{ when, answer }] }
    const [added] = compileScenario(source, { name: 'a recording', compilePattern }).replies
    this.#replies[index] = known === undefined ? { ...added!, ruleId } : { ...known, answers: [compileAnswer(answer)] }
    this.#recordings.add(ruleId)
    this.#count(request, ruleId)
  }

  #count(request: IncomingMessage, ruleId: string): void {
    this.#given.update(nameOf(request, ruleId), (before = 0) => before + 1)
  }
}

const nameOf = ({ headers }: IncomingMessage, ruleId: string): string =>
  `${callerOf(headers.authorization ?? '')} ${ruleId}`

/** True if clients retry a call with this answer. */
const isRetried = ({ status, isCut }: RecordedAnswer): boolean =>
  isCut || status === 408 || status === 409 || status === 429 || status >= 500
