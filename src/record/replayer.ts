/**
 * Answers the calls that a cassette knows while it is recorded: `record --hybrid`.
 *
 * An engine with the cassette as its scenario answers them. What is recorded meanwhile becomes a rule of this scenario.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Call } from '../core/decide/call/call.ts'
import { callerOf } from '../core/decide/state/session-id.ts'
import { LruMap } from '../core/lib/cache/bounded-maps.ts'
import type { CallHeaders } from '../core/protocol/request/decisive-headers.ts'
import { type ModelEndpoint, pathOf } from '../core/protocol/request/endpoints.ts'
import { compileScenario, type ReplyRule } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import { compileAnswer } from '../core/scenario/compile/recorded-answer.ts'
import type { AnswerSource, ScenarioSource } from '../core/scenario/scenario-source.ts'
import { Engine } from '../engine/index.ts'
import { start, UnreadAnswers } from '../http/index.ts'
import { recordingIn } from './cassette.ts'
import type { CassetteRule } from './cassette-text.ts'

/** Answers that are counted, over all keys and rules. */
const MAX_COUNTED = 100_000

export class Replayer {
  readonly #source: ScenarioSource
  /** The rules of the engine's scenario; `learn` adds those that are recorded now. */
  readonly #replies: ReplyRule[]
  readonly #engine: Engine
  /** The number of answers of a rule that a key has got, from the cassette or from the upstream. */
  readonly #answersGiven = new LruMap<string, number>(MAX_COUNTED)
  /** The ids of the rules that are recordings and nothing else: the cassette can add an answer to them. */
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
   * that has to go to the upstream: an unknown one, or one that has got all its answers and whose last one is an error
   * that clients retry.
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
    if (answers !== undefined && this.#recordings.has(ruleId)) {
      const given = this.#answersGiven.get(nameOf(request, ruleId)) ?? 0
      const { status, isCut } = answers.at(-1)!
      const isRetried = isCut || status === 408 || status === 409 || status === 429 || status >= 500
      if (given >= answers.length && isRetried) return undefined
    }
    this.#countAnswer(request, ruleId)
    const serving = { engine: this.#engine, unread: new UnreadAnswers() }
    return new Promise((resolve, reject) => {
      response.once('close', () => resolve(ruleId))
      this.#engine.receive(call, (exchange) => start(exchange, serving, response), reject)
    })
  }

  /**
   * Adds what was recorded. In this run, the newest answer to a request counts.
   * @param id as the cassette returns it: `replies[2]`, or `replies[2].answer[1]` for another answer of a rule.
   */
  learn(id: string, request: IncomingMessage, when: NonNullable<CassetteRule['when']>, answer: AnswerSource): void {
    const ruleId = id.replace(/\.answer.*/, '')
    const index = Number(/\d+/.exec(ruleId)![0])
    const knownRule = this.#replies[index]
    if (knownRule !== undefined) this.#replies[index] = { ...knownRule, answers: [compileAnswer(answer)] }
    else {
      const { ignore } = this.#source
      const source = { ...(ignore && { ignore }), replies: [{ when, answer }] }
      const [rule] = compileScenario(source, { name: 'a recording', compilePattern }).replies
      this.#replies[index] = { ...rule!, ruleId }
    }
    this.#recordings.add(ruleId)
    this.#countAnswer(request, ruleId)
  }

  #countAnswer(request: IncomingMessage, ruleId: string): void {
    const name = nameOf(request, ruleId)
    this.#answersGiven.set(name, (this.#answersGiven.get(name) ?? 0) + 1)
  }
}

/** Names a rule and the key of a caller. */
const nameOf = ({ headers }: IncomingMessage, ruleId: string): string =>
  `${callerOf(headers.authorization ?? '')} ${ruleId}`
