/**
 * The scenarios of a rehearsal: that of today, and that of each model the app may move to. With `to: ['gpt-6-luna']`, the
 * rules of the scenario that name today's model answer gpt-6-luna too. With `to: ['retire']`, a call of today's models gets
 * the error of a model that was shut down.
 */
import type { Call } from '../core/decide/call/call.ts'
import { didYouMean } from '../core/lib/text/did-you-mean.ts'
import { isObject, parseJson, toList } from '../core/lib/text/json.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { compileScenario, type Scenario } from '../core/scenario/compile/compile.ts'
import { matchesGlob } from '../core/scenario/compile/glob.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import type { ModelSource, ReplySource, ScenarioSource } from '../core/scenario/scenario-source.ts'
import { MODEL_TABLE, withoutLimits } from '../engine/index.ts'

/** The word for a target that is no model: today's models are gone. */
export const RETIRE = 'retire'

/** The choice of models. */
export interface ModelChoice {
  /** The models to move to, or `retire`. */
  readonly to: readonly string[]
  /** The model that is replaced. Default: every one. */
  readonly from?: string | undefined
}

/** A scenario in two forms. */
export interface RehearsedScenario {
  /** The scenario that the app runs against. */
  readonly played: Scenario
  /** The same without what hides the rules of a model: faults, limits, states and recorded answers. Always strict. */
  readonly compared: Scenario
}

/** Something that an app can move to. */
export interface Target extends RehearsedScenario {
  readonly name: string
  /** The model that replaces the others; undefined for `retire`. */
  readonly model: string | undefined
}

export interface RehearsedScenarios {
  readonly today: RehearsedScenario
  readonly targets: readonly Target[]
  /** True for a model that is replaced. */
  readonly isReplaced: (model: string) => boolean
}

type Models = Readonly<Record<string, ModelSource>>

/**
 * @param source the scenario of the app; its models override rows of the table, setting by setting
 * @param called the models that the app calls: those that `retire` removes. Default: all, as long as they are not known
 * @throws MockError for a model that is not in the table, is there twice, or is the one to replace
 */
export function rehearsedScenarios(
  source: ScenarioSource,
  choice: ModelChoice,
  { name, seed, called }: { name: string; seed: string; called?: readonly string[] },
): RehearsedScenarios {
  // A scenario without models has all models.
  const own = Object.entries(source.models ?? { '*': {} })
  const overridden = own.map(([model, settings]) => [model, { ...MODEL_TABLE[model], ...settings }])
  const models: Models = { ...MODEL_TABLE, ...Object.fromEntries(overridden) }
  checkModels(choice, models)
  const { to, from } = choice
  const compile = (scenario: ScenarioSource): Scenario => compileScenario(scenario, { name, seed, compilePattern })
  const build = (scenario: ScenarioSource): RehearsedScenario => ({
    played: compile(scenario),
    compared: compile(withOnlyRulesOfModels(scenario)),
  })
  const buildTarget = (target: string): Target => {
    if (target === RETIRE) {
      const gone = from === undefined ? (called ?? Object.keys(models)) : [from]
      const retired = gone.map((model) => [model, { ...models[model], unavailable: 'deprecated' }])
      const withRetired: Models = { ...models, ...Object.fromEntries(retired) }
      return { name: target, model: undefined, ...build({ ...source, models: withRetired }) }
    }
    const replies = source.replies?.map((rule) => retarget(rule, target, from))
    return { name: target, model: target, ...build({ ...source, models, ...(replies && { replies }) }) }
  }
  return {
    today: build({ ...source, models }),
    targets: to.map(buildTarget),
    isReplaced: (model) => from === undefined || model === from,
  }
}

/** The scenario without what hides the rules of a model: every key may make every call, and nothing is recorded or fails. */
function withOnlyRulesOfModels(source: ScenarioSource): ScenarioSource {
  const { faults, limits, budget, states, pace, unmatched, keys, models = {}, replies = [], ...rest } = source
  return {
    ...rest,
    validation: 'strict',
    models: withoutLimits(models),
    ...(keys && { keys: Object.fromEntries(Object.keys(keys).map((key) => [key, {}])) }),
    replies: replies.filter(({ answer, fault }) => answer === undefined && fault === undefined),
  }
}

/** @throws MockError for a choice that cannot be rehearsed */
function checkModels({ to, from }: ModelChoice, models: Models): void {
  const fail = (message: string): never => {
    throw new MockError('invalid-option', message)
  }
  const repeated = to.find((model, index) => to.indexOf(model) < index)
  if (repeated !== undefined) fail(`to: '${repeated}' is there twice.`)
  const chatModels = Object.keys(models).filter((name) => (models[name]!.endpoint ?? 'chat') === 'chat')
  const unknown = to.find((model) => model !== RETIRE && !chatModels.includes(model))
  if (unknown !== undefined) {
    const near = didYouMean(unknown, [...chatModels, RETIRE])
    fail(
      `to: no rules are known for the model '${unknown}'.${near} See api-mock list --models, or add it to models of the scenario.`,
    )
  }
  if (from !== undefined && to.includes(from)) fail(`to: '${from}' is the model to replace. Name another one.`)
}

/**
 * A rule that names a replaced model, for the model in its place too: `{ when: { model: 'gpt-4o' }, say: 'Hi' }` becomes
 * `{ when: { model: ['gpt-4o', 'gpt-6-luna'] }, say: 'Hi' }`.
 */
function retarget(rule: ReplySource, model: string, from: string | undefined): ReplySource {
  if (rule.when === undefined) return rule
  const { model: named, request } = rule.when
  const isReplaced = (name: string): boolean => from === undefined || matchesGlob(name, from)
  // The condition `request` is a whole body, so it can have one model only.
  const isRenamed = isObject(request) && typeof request.model === 'string' && isReplaced(request.model)
  const when = {
    ...rule.when,
    ...(named !== undefined && { model: toList(named).flatMap((name) => (isReplaced(name) ? [name, model] : [name])) }),
    ...(isRenamed && { request: { ...request, model } }),
  }
  return { ...rule, when }
}

/** The model that a call asks for; '' without one. */
export function modelIn({ body, deployment }: Pick<Call, 'body' | 'deployment'>): string {
  const parsed = parseJson(body ?? '')
  const model = isObject(parsed) ? (parsed.model ?? deployment) : undefined
  return typeof model === 'string' ? model : ''
}
