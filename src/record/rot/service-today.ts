/** The service of today, as the mock knows it: its table of models, its errors and the fields of its answers. */
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import { statusOf } from '../../core/protocol/plan/plan.ts'
import { compileScenario, type Scenario } from '../../core/scenario/compile/compile.ts'
import { compilePattern } from '../../core/scenario/compile/pattern.ts'
import type { ModelSource, ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { Engine } from '../../engine/index.ts'
import { builtInScenarios } from '../../generated/built-in.ts'
import { compareAnswers } from '../answer-shape.ts'
import { callOf, comparedOf, type Recording, textIn } from '../drift.ts'

type Request = Pick<Recording, 'endpoint' | 'body'>

const { limits: _, models: TABLE = {}, ...STRICT } = builtInScenarios.openai as ScenarioSource

/** Fields that an answer has or not, depending on what it says. */
const VARIANT =
  /tool_calls|function_call|logprobs|reasoning|audio|moderation|content_filter|encrypted|error|output\[\]|delta|embedding|tools\[\]|chunk\.(?:item|part|text|arguments|name|summary|refusal|annotation|code|partial|output_index|content_index)/
/** The events about a whole response, of which each stream has the same. */
const LIFE_OF_A_RESPONSE = /^event: response\.\w+$/gm
const ENDS = new Set(
  ['completed', 'incomplete', 'failed', 'queued', 'cancelled'].map((end) => `event: response.${end}`),
)
/** Errors about something that the service stored, which the mock does not have, or about what the mock does not simulate. */
const NOT_OF_THE_REQUEST = /^mock_|"param":\s*"(?:previous_response_id|conversation)|with id '|\[redacted\]/

/** An error that the service would give. */
export interface RefusalNow {
  /** `400 Unsupported parameter: 'max_tokens' ...` */
  readonly text: string
}

export class ServiceToday {
  readonly #scenario: Scenario
  readonly #engine: Engine

  /** @param models the models of all requests. One that is not in the table takes everything. */
  constructor(models: readonly string[]) {
    const rows = Object.entries(TABLE).map(([name, { limits: __, ...row }]): [string, ModelSource] => [name, row])
    const source = {
      ...STRICT,
      models: { ...Object.fromEntries(models.map((model) => [model, {}])), ...Object.fromEntries(rows) },
    }
    this.#scenario = compileScenario(source, { name: 'openai', compilePattern })
    this.#engine = new Engine(this.#scenario)
  }

  /** The facts about a model; undefined for one that is not in the table. */
  modelOf(name: string): ModelSource | undefined {
    return Object.hasOwn(TABLE, name) ? TABLE[name] : undefined
  }

  #answer(request: Request): { readonly status: number; readonly body: string } {
    const { plan } = this.#engine.preview(callOf(request, this.#engine), this.#scenario)
    return { status: statusOf(plan), body: textIn(plan.events) }
  }

  /** Undefined for a request that the service answers. */
  refusalOf(request: Request): RefusalNow | undefined {
    const { status, body } = this.#answer(request)
    const answer = parseJson(body)
    if (status < 400 || !isObject(answer) || !isObject(answer.error)) return undefined
    const { message, code, type } = answer.error
    const isOfRequest = ![String(code), String(type), body].some((text) => NOT_OF_THE_REQUEST.test(text))
    return isOfRequest ? { text: `${status} ${message}` } : undefined
  }

  /** The fields that the service has added to such an answer, and dropped from it, since it was recorded. */
  shapeChanges(recording: Recording): { readonly added: readonly string[]; readonly dropped: readonly string[] } {
    const recorded = recording.answers.findLast(({ status, isCut }) => status === 200 && !isCut)
    const now = this.#answer(recording)
    if (recorded === undefined || now.status !== 200) return { added: [], dropped: [] }
    const before = comparedOf(recorded)
    const all = compareAnswers(before, now).filter(({ path }) => !VARIANT.test(path))
    const pathsOf = (wanted: string): string[] => all.flatMap(({ path, change }) => (change === wanted ? path : []))
    const [were, are] = [before, now].map(({ body }) => new Set(body.match(LIFE_OF_A_RESPONSE)))
    const only = (these: Set<string>, those: Set<string>): string[] =>
      [...these].filter((name) => !those.has(name) && !ENDS.has(name))
    return {
      added: [...pathsOf('added'), ...only(are!, were!)],
      dropped: [...pathsOf('missing'), ...only(were!, are!)],
    }
  }
}
