/**
 * The service of today, as the built-in scenario openai knows it: its table of models, its errors and its answers.
 *
 *     refusalToday({ endpoint: 'chat', body: '{"model": "gpt-4o", "messages": []}' })
 *     ->  { name: 'empty-array', status: 400, message: "Invalid 'messages': empty array. ...", param: 'messages', ... }
 */
import type { Call } from '../../core/decide/call/call.ts'
import { CallContext } from '../../core/decide/call/call-context.ts'
import { type Decision, decide } from '../../core/decide/pipeline/decide.ts'
import { MockState } from '../../core/decide/state/mock-state.ts'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import { statusOf } from '../../core/protocol/plan/plan.ts'
import { sentText } from '../../core/protocol/plan/transform.ts'
import { type ModelEndpoint, pathOf } from '../../core/protocol/request/endpoints.ts'
import { compileScenario, type Scenario } from '../../core/scenario/compile/compile.ts'
import { compilePattern } from '../../core/scenario/compile/pattern.ts'
import type { ModelSource, ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { builtInScenarios } from '../../generated/built-in.ts'
import { tokenizer } from '../tokenizers.ts'

/** A request body as text, and its endpoint. */
export interface RequestText {
  readonly endpoint: ModelEndpoint
  readonly body: string
}

/** An error as the service gives it. */
export type Refusal = NonNullable<ReturnType<typeof refusalOf>>

// The limits are those of one account.
const { limits: _, models = {}, ...SERVICE } = builtInScenarios.openai as ScenarioSource

/** Rows without their limits, which are checked before the rules of a model and would hide them. */
export const withoutLimits = (rows: Readonly<Record<string, ModelSource>>): Readonly<Record<string, ModelSource>> =>
  Object.fromEntries(Object.entries(rows).map(([name, { limits: __, ...row }]) => [name, row]))

/** The rows of the table of models. */
export const MODEL_TABLE = withoutLimits(models)

/** Answers with errors about something that the service stored, which the mock does not have, or about what the mock does not simulate. */
const NOT_OF_THE_REQUEST =
  /"(?:type|code)":\s*"mock_|"param":\s*"(?:previous_response_id|conversation)|with id '|\[redacted\]/

const MAX_BODY_BYTES = 10_000_000

/** Compiled by the first call of `askToday`, which takes 10 ms. */
let service: Scenario | undefined

/** Decides a request as the service does today. A model that is not in the table takes everything. */
export function askToday(request: RequestText): Decision {
  const source = { ...SERVICE, models: { ...MODEL_TABLE, '*': {} } }
  service ??= compileScenario(source, { name: 'openai', compilePattern })
  const call = callOf(request, { scenario: service, bodyLimit: MAX_BODY_BYTES })
  return decide(new CallContext(call, service, new MockState(0), tokenizer, undefined))
}

/** The error that the service gives today; undefined for a request that it answers. */
export function refusalToday(request: RequestText): Refusal | undefined {
  const decision = askToday(request)
  return NOT_OF_THE_REQUEST.test(sentText(decision.plan)) ? undefined : refusalOf(decision)
}

/** The error of an answer; undefined for one without. */
export function refusalOf({ plan }: Decision) {
  const status = statusOf(plan)
  if (status < 400) return undefined
  const body = parseJson(sentText(plan))
  const { message, param, code } = isObject(body) && isObject(body.error) ? body.error : {}
  const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return {
    name: plan.reason.name,
    status,
    message: String(message ?? `status ${status}`),
    param: textOrNull(param),
    code: textOrNull(code),
  }
}

/** The call with a recorded request. @param mock the key and the bound of bodies of the mock that will get it. */
export function callOf(
  { endpoint, body }: RequestText,
  { scenario, bodyLimit }: { readonly scenario: Pick<Scenario, 'exampleKey'>; readonly bodyLimit: number },
): Call {
  const headers = { authorization: `Bearer ${scenario.exampleKey}`, 'content-type': 'application/json' }
  return { transport: 'http', method: 'POST', path: pathOf(endpoint), headers, body, bodyLimit, now: 0 }
}
