/** Compares the answers to one call under two models. The core decides both, so nothing here knows the rules of a model. */

import type { Call } from '../core/decide/call/call-context.ts'
import type { CallUsage } from '../core/journal/entry.ts'
import { isObject, type JsonObject, parseJson } from '../core/lib/text/json.ts'
import { sentText } from '../core/protocol/plan/transform.ts'
import { priceOf, toNumber } from '../core/scenario/compile/budget.ts'
import type { Model, Scenario } from '../core/scenario/compile/compile.ts'
import { type Engine, type Refusal, refusalOf } from '../engine/index.ts'
import { answerDifferences } from './answer-differences.ts'
import { type Mend, mendOf } from './mends.ts'
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

/** Refusals of one request that are mended one after the other. */
const MAX_MENDS = 20

/** @param model the model in place of that of the call; undefined for the same one */
export function compareModels(
  call: Call,
  engine: Engine,
  { today, target, model }: { today: Scenario; target: Scenario; model: string | undefined },
): CallComparison {
  const before = mendAll(call, engine, today)
  const after = mendAll(model === undefined ? call : withModel(call, model), engine, target)
  const known = new Set(before.refusals.map(({ message }) => message))
  const refusals = after.refusals.filter(({ message }) => !known.has(message))
  const comparison = { refusals, refusedToday: before.refusals, differences: [], usage: undefined }
  if (before.answers === undefined || after.answers === undefined) return comparison
  const isSettled = (path: string): boolean =>
    after.settled.some((name) => `.${path.replaceAll('[]', '')}`.endsWith(`.${name}`))
  const differences = answerDifferences(before.answers.bodies, after.answers.bodies)
  return {
    ...comparison,
    differences: differences.filter(({ path }) => !isSettled(path)).map(({ text }) => text),
    usage: { before: before.answers.usage, after: after.answers.usage },
  }
}

/** The call with another model in its body. */
export const withModel = (call: Call, model: string): Call => withBody(call, (body) => ({ ...body, model }))

/** A string of a JSON text, or a number. */
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** A number as it is kept while a body is changed. */
const KEPT_NUMBER = /"\\u0000number ([^"]+)"/g

/** Changes a body. Its numbers stay as they were sent, `0.0` too, because messages repeat them. */
function withBody(call: Call, change: (body: JsonObject) => JsonObject): Call {
  const keep = (text: string): string => (text.startsWith('"') ? text : `"\\u0000number ${text}"`)
  const body = parseJson((call.body ?? '').replace(STRING_OR_NUMBER, keep))
  if (!isObject(body)) return call
  return { ...call, body: JSON.stringify(change(body)).replace(KEPT_NUMBER, '$1') }
}

interface MendedCall {
  readonly refusals: readonly MendedRefusal[]
  /** The fields of the answer that the mends change, rather than the model. */
  readonly settled: readonly string[]
  /** Undefined if a refusal has no mend, or one that makes it another request. */
  readonly answers: { readonly bodies: readonly JsonObject[]; readonly usage: CallUsage } | undefined
}

/** Mends a request until it is answered. */
function mendAll(given: Call, engine: Engine, scenario: Scenario): MendedCall {
  const refusals: MendedRefusal[] = []
  const settled: string[] = []
  const model = scenario.model(modelIn(given)) ?? {}
  // A fault would hide what the model does.
  let call: Call = { ...given, headers: { ...given.headers, 'x-mock-fault': undefined } }
  let isSame = true
  for (;;) {
    const decision = engine.preview(call, scenario)
    const refusal = refusalOf(decision)
    if (refusal === undefined)
      return { refusals, settled, answers: isSame ? answersTo(call, engine, scenario, model) : undefined }
    const { text, apply, isStandIn, settles = [refusal.param ?? ''] }: Mend = mendOf(refusal, model)
    const isRepeated = refusals.some(({ message }) => message === refusal.message)
    if (!isRepeated) refusals.push({ ...refusal, mend: text })
    if (apply === undefined || isRepeated || refusals.length > MAX_MENDS)
      return { refusals, settled, answers: undefined }
    settled.push(...settles)
    isSame &&= isStandIn !== true
    call = withBody(call, apply)
  }
}

/** Draws of the reasoning tokens of a model that has some. The first one is that of the run. */
const DRAWS = 6

/** The answers to a call in several draws, each as one body: a stream and a whole answer say the same. */
function answersTo(
  call: Call,
  engine: Engine,
  scenario: Scenario,
  { prices, reasoning }: Model,
): MendedCall['answers'] {
  const whole = withBody(call, ({ stream: _, stream_options: __, ...body }) => body)
  const decisions = Array.from({ length: reasoning === true ? DRAWS : 1 }, (_, draw) =>
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
