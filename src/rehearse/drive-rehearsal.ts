/** Drives a rehearsal: plays the app as it is, compares its calls under each target, and plays it with each target. */

import type { Call } from '../core/decide/call/call-context.ts'
import { formatPrompt } from '../core/journal/call-text.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { readAnswer, sentBody } from '../core/journal/read-answer.ts'
import { isObject, parseJson } from '../core/lib/text/json.ts'
import { maskKeysIn } from '../core/lib/text/mask-keys.ts'
import { countOf } from '../core/lib/text/wording.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { routeOf } from '../core/protocol/request/endpoint-route.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import type { Engine } from '../engine/index.ts'
import { errorLine, messageOf, type Played, requirePassed } from '../play/index.ts'
import { type CallComparison, compareModels, withModel } from './compare-models.ts'
import {
  buildTargetReport,
  type ComparedCall,
  groupRefusals,
  type RehearsalReport,
  type RehearsedCall,
  type TargetRun,
} from './rehearsal-report.ts'
import {
  type ModelChoice,
  modelIn,
  type RehearsedScenarios,
  rehearsedScenarios,
  type Target,
} from './rehearsed-scenarios.ts'

/** Plays an app against a mock. */
export interface RehearsalPlayer {
  /** The app in messages: `the command`. */
  readonly name: string
  /** The remedy for an app that makes no calls. */
  readonly callsHint: string
  /** The remedy for an app that fails as it is. */
  readonly failureHint: string
  /** @param prepare is given the engine before the app makes a call */
  play(scenario: Scenario, prepare: (engine: Engine) => void): Promise<Played>
}

/** A call of the first run, with its comparisons in the order of the targets. */
interface SeenCall {
  readonly call: RehearsedCall
  readonly comparisons: readonly CallComparison[]
}

/** @throws MockError when the app fails as it is, or makes no call of a model */
export async function driveRehearsal(
  player: RehearsalPlayer,
  source: ScenarioSource,
  choice: ModelChoice,
  { name, seed }: { readonly name: string; readonly seed: string },
): Promise<RehearsalReport> {
  const scenarios = rehearsedScenarios(source, choice, { name, seed })
  const seen: SeenCall[] = []
  const today = await player.play(scenarios.today.played, (engine) => {
    engine.rewrite = (call) => {
      if (!isGeneration(call)) return call
      const comparisons = scenarios.targets.map(({ compared: target, model }) =>
        compareModels(call, engine, { today: scenarios.today.compared, target, model }),
      )
      seen.push({ call: describeCall(call, seen.length + 1), comparisons })
      return call
    }
  })
  requirePassed(
    { ...today, output: errorLine(today.output ?? []) },
    `Failed to rehearse: ${player.name} fails as it is, before a model is replaced. ${player.failureHint}`,
  )
  const called = [...new Set(seen.map(({ call }) => call.model))]
  if (seen.length === 0)
    throw new MockError('no-calls', `Failed to rehearse: ${player.name} made no call of a model. ${player.callsHint}`)
  if (choice.from !== undefined && !called.includes(choice.from)) {
    const others = called.map((model) => `'${model}'`).join(', ')
    throw new MockError(
      'no-calls',
      `Failed to rehearse: no call asks for the model '${choice.from}'. The calls ask for ${others}.`,
    )
  }
  const comparedWith = (index: number): ComparedCall[] =>
    seen.flatMap(({ call, comparisons }) =>
      scenarios.isReplaced(call.model) ? { call, comparison: comparisons[index]! } : [],
    )
  const { targets } = rehearsedScenarios(source, choice, { name, seed, called })
  const reports = []
  for (const [index, target] of targets.entries()) {
    const run = await playTarget(player, target, scenarios, seen)
    const modelOf = (model: string) =>
      [scenarios.today.compared.model(model), target.compared.model(target.name)] as const
    reports.push(buildTargetReport(target.name, comparedWith(index), modelOf, run))
  }
  return {
    scenario: name,
    calls: seen.map(({ call }) => call),
    refusedToday: groupRefusals(comparedWith(0), ({ refusedToday }) => refusedToday),
    targets: reports,
    ...(lacksToolCalls(today.entries) && {
      note: `${countOf(seen.length, 'call')} made, and no answer called a tool: give a scenario whose replies do, --scenario scenario.yaml`,
    }),
  }
}

/** True if some calls gave tools, and no answer called one. */
function lacksToolCalls(entries: readonly JournalEntry[]): boolean {
  const given = entries.filter(({ body }) => Array.isArray(body?.tools) && body.tools.length > 0)
  const answers = given.map(({ timeline }) => timeline && sentBody({ timeline }))
  return given.length > 0 && answers.every((body) => body !== undefined && !readAnswer(body)?.calls?.length)
}

const isGeneration = ({ method, path }: Pick<Call, 'method' | 'path'>): boolean => {
  const { readsBody, hasMessages } = routeOf(method, path)
  return readsBody && hasMessages
}

function describeCall(call: Call, number: number): RehearsedCall {
  const { endpoint } = routeOf(call.method, call.path)
  const body = parseJson(call.body ?? '')
  const prompt = isObject(body) ? formatPrompt({ body, endpoint } as JournalEntry) : ''
  const session = call.session ?? call.headers['x-mock-session']
  const key = call.headers.authorization?.replace(/^Bearer /, '') ?? ''
  return {
    number,
    label: maskKeysIn(`${call.path} ${prompt}`.trim(), key),
    model: modelIn(call),
    ...(session !== undefined && { session }),
  }
}

/** Plays the app with the target in the place of each model that it replaces. */
async function playTarget(
  player: RehearsalPlayer,
  { played, model }: Target,
  { isReplaced }: RehearsedScenarios,
  seen: readonly SeenCall[],
): Promise<TargetRun> {
  const run = await player.play(played, (engine) => {
    engine.rewrite = (call) =>
      model !== undefined && isGeneration(call) && isReplaced(modelIn(call)) ? withModel(call, model) : call
  })
  const answered = run.entries.filter(({ status, method, path }) => status === 200 && isGeneration({ method, path }))
  // More calls than before stand in for those to models that are gone.
  const fallbacks = [...new Set(answered.map((entry) => entry.model))].flatMap((name) => {
    const calls = answered.filter((entry) => entry.model === name).length
    const more = calls - seen.filter(({ call }) => call.model === name).length
    return more > 0 ? [[name, more] as const] : []
  })
  return {
    ...(!run.isPassed && { failure: messageOf(run.error) }),
    output: run.isPassed ? [] : (run.output ?? []),
    ...(model === undefined && { fallbacks: Object.fromEntries(fallbacks) }),
  }
}
