/**
 * The worker thread of `Rehearsals`: decides heavy calls, and sends back the results that took long.
 *
 *     <- { type: 'scenario', source, ... }          once for each scenario
 *     <- { type: 'call', call, stored, attempts }
 *     -> [['content hashes', '', [...]], ...]
 */
import { parentPort } from 'node:worker_threads'
import { CallContext, identify } from '../core/decide/call/call-context.ts'
import { decide } from '../core/decide/pipeline/decide.ts'
import { MockState } from '../core/decide/state/mock-state.ts'
import { Session } from '../core/decide/state/session.ts'
import { Memos } from '../core/lib/cache/memos.ts'
import { compileScenario, type Scenario } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import type { CallMessage, ScenarioMessage, WorkerMessage } from './rehearsals.ts'
import { tokenizer } from './tokenizers.ts'

/** Time in ms from which a result is worth sending. */
const MIN_MS = 1

/** Takes note of the results that took long. */
class RecordedMemos extends Memos {
  readonly results: [name: string, input: string, result: unknown][] = []

  override of<Result>(name: string, input: string, compute: () => Result): Result {
    return super.of(name, input, () => {
      const start = performance.now()
      const result = compute()
      if (performance.now() - start >= MIN_MS && isPlain(result)) this.results.push([name, input, result])
      return result
    })
  }
}

/** An object of a class would arrive without its methods. */
function isPlain(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || ArrayBuffer.isView(result) || Array.isArray(result)) return true
  return Object.getPrototypeOf(result) === Object.prototype
}

// Those of the last message with a scenario.
let scenario: Scenario
let answerLimit: number | undefined

parentPort!.on('message', (message: ScenarioMessage | CallMessage) => {
  switch (message.type) {
    case 'scenario': {
      const { source, name, seed } = message
      scenario = compileScenario(source, { name, seed, compilePattern })
      answerLimit = message.answerLimit
      return
    }
    case 'call': {
      const { call, startedAt, stored, attempts } = message
      const memos = new RecordedMemos()
      const state = new MockState(startedAt)
      for (const answer of stored) state.answers.put(answer)
      const { sessionId } = identify(call)
      const session = new Session(sessionId)
      state.sessions.set(sessionId, session)
      for (const [fingerprint, count] of attempts) session.attempts.set(fingerprint, count)
      try {
        decide(new CallContext(call, scenario, state, tokenizer, answerLimit, memos))
      } catch {
        // The real decision fails in the same way, and reports it.
      }
      return parentPort!.postMessage(memos.results satisfies WorkerMessage)
    }
    default:
      message satisfies never
  }
})
