/**
 * Compares the answers to one call under two models. The core decides both, so nothing here knows the rules of a model.
 *
 * A request that a model refuses is mended and asked again until it is answered. A call with `max_tokens: 9` and
 * `stop: 'x'` to a reasoning model has two refusals, each with its mend: `send max_completion_tokens instead of max_tokens`
 * and `leave out stop`. The answer to the mended request is then compared with that of today's model.
 */

import type { Call } from '../core/decide/call/call.ts'
import type { CallUsage } from '../core/journal/entry.ts'
import { isObject, type JsonObject, parseJson } from '../core/lib/text/json.ts'
import { sentText } from '../core/protocol/plan/transform.ts'
import { priceOf, toNumber } from '../core/scenario/compile/budget.ts'
import type { Model, Scenario } from '../core/scenario/compile/compile.ts'
import { type Engine, type Refusal, refusalOf } from '../engine/index.ts'
import { answerDifferences } from './answer-differences.ts'
import { mendOf } from './mends.ts'
import { modelIn } from './rehearsed-scenarios.ts'

/** A refusal, and the change that the request needs. */
export interface MendedRefusal extends Refusal {
  readonly mend: string
}

/** The answers to one call under two models. */
export interface CallComparison {
  /** The refusals that today's model does not give, in the order in which a client meets them: each hides the next. */
  readonly refusals: readonly MendedRefusal[]
  /** The refusals of today's model. */
  readonly refusedToday: readonly MendedRefusal[]
  /** Parts of the answer that differ, once the request is mended. */
  readonly differences: readonly string[]
  /** The tokens of both answers; undefined if they cannot be compared. */
  readonly usage: { readonly before: CallUsage; readonly after: CallUsage } | undefined
}

/** @param model the model in place of that of the call; undefined for the same one */
export function compareModels(
  call: Call,
  engine: Engine,
  { today, target, model }: { today: Scenario; target: Scenario; model: string | undefined },
): CallComparison {
  const before = mendUntilAnswered(call, engine, today)
  const after = mendUntilAnswered(model === undefined ? call : withModel(call, model), engine, target)
  const messagesToday = new Set(before.refusals.map(({ message }) => message))
  const refusals = after.refusals.filter(({ message }) => !messagesToday.has(message))
  const comparison = { refusals, refusedToday: before.refusals, differences: [], usage: undefined }
  if (before.answer === undefined || after.answer === undefined) return comparison
  // `choices[].finish_reason` is the field `finish_reason`.
  const isDueToMend = (path: string): boolean =>
    after.settledFields.some((field) => `.${path.replaceAll('[]', '')}`.endsWith(`.${field}`))
  const differences = answerDifferences(before.answer.bodies, after.answer.bodies)
  return {
    ...comparison,
    differences: differences.filter(({ path }) => !isDueToMend(path)).map(({ text }) => text),
    usage: { before: before.answer.usage, after: after.answer.usage },
  }
}

/** Refusals of one request that are mended one after the other. */
const MAX_MENDS = 20

/**
 * Asks a model, and mends the request after each refusal.
 * @returns no answer if a refusal cannot be mended, or only by making it another request
 */
function mendUntilAnswered(given: Call, engine: Engine, scenario: Scenario) {
  const refusals: MendedRefusal[] = []
  /** The fields of the answer that differ because of the mends, not of the model. */
  const settledFields: string[] = []
  const model = scenario.model(modelIn(given)) ?? {}
  // A fault would hide what the model does.
  let call: Call = { ...given, headers: { ...given.headers, 'x-mock-fault': undefined } }
  let isSameRequest = true
  for (;;) {
    const refusal = refusalOf(engine.preview(call, scenario))
    if (refusal === undefined) {
      const answer = isSameRequest ? answerTo(call, engine, scenario, model) : undefined
      return { refusals, settledFields, answer }
    }
    const { text, apply, isStandIn = false, settles = [refusal.param ?? ''] } = mendOf(refusal, model)
    const isRepeated = refusals.some(({ message }) => message === refusal.message)
    if (!isRepeated) refusals.push({ ...refusal, mend: text })
    // A mend that did not help would not help again.
    if (apply === undefined || isRepeated || refusals.length > MAX_MENDS)
      return { refusals, settledFields, answer: undefined }
    settledFields.push(...settles)
    if (isStandIn) isSameRequest = false
    call = withBody(call, apply)
  }
}

/** Number of draws of an answer of a model that reasons, because the number of its reasoning tokens is drawn. */
const DRAWS = 6

/** The answer to a call, whole: the answer as a stream says the same. It has a body for each draw. Undefined without tokens. */
function answerTo(call: Call, engine: Engine, scenario: Scenario, { prices, reasoning }: Model) {
  const whole = withBody(call, ({ stream: _, stream_options: __, ...body }) => body)
  const decisions = Array.from({ length: reasoning === true ? DRAWS : 1 }, (_, draw) =>
    // The first draw is that of the run.
    engine.preview(whole, draw === 0 ? scenario : { ...scenario, seed: `${scenario.seed}|${draw}` }),
  )
  const usage = decisions[0]?.usage
  if (usage === undefined) return undefined
  const usd = prices && toNumber('usd', priceOf(prices, usage))
  const { prompt: promptTokens, completion: completionTokens } = usage
  return {
    bodies: decisions.map(({ plan }) => parseJson(sentText(plan))).filter(isObject),
    usage: { promptTokens, completionTokens, ...(usd !== undefined && { usd }) },
  }
}

/** The call with another model in its body. */
export const withModel = (call: Call, model: string): Call => withBody(call, (body) => ({ ...body, model }))

/** A string of a JSON text, or a number. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** A number as it is kept while a body is changed: no string of a request begins like this. */
const KEPT_NUMBER = /"\\u0000number ([^"]+)"/g

/**
 * Changes a body. JSON.parse would turn `0.0` into `0`, and messages repeat numbers as they were sent. So each number is a
 * string such as `"\u0000number 0.0"` meanwhile.
 */
function withBody(call: Call, change: (body: JsonObject) => JsonObject): Call {
  const keepNumber = (text: string): string => (text.startsWith('"') ? text : `"\\u0000number ${text}"`)
  const body = parseJson((call.body ?? '').replace(STRING_OR_NUMBER, keepNumber))
  if (!isObject(body)) return call
  return { ...call, body: JSON.stringify(change(body)).replace(KEPT_NUMBER, '$1') }
}
