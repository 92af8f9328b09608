/**
 * Drives a rehearsal: plays the app as it is, compares each of its calls under each target, then plays it with each target.
 * A *target* is a model to move to, or `retire`: today's models are gone.
 */

import type { Call } from '../core/decide/call/call.ts'
import { formatPrompt } from '../core/journal/call-text.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { readAnswer, sentBody } from '../core/journal/read-answer.ts'
import { isObject, parseJson } from '../core/lib/text/json.ts'
import { maskKeysIn } from '../core/lib/text/mask-keys.ts'
import { countOf } from '../core/lib/text/wording.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { routeOf } from '../core/protocol/request/request-path.ts'
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

/** @throws MockError when the app fails as it is, makes no call of a model, or none of the one to replace */
export async function driveRehearsal(
  player: RehearsalPlayer,
  source: ScenarioSource,
  choice: ModelChoice,
  { name, seed }: { readonly name: string; readonly seed: string },
): Promise<RehearsalReport> {
  const scenarios = rehearsedScenarios(source, choice, { name, seed })
  const { seen, entries } = await playToday(player, scenarios)
  const called = [...new Set(seen.map(({ call }) => call.model))]
  if (called.length === 0)
    throw new MockError('no-calls', `Failed to rehearse: ${player.name} made no call of a model. ${player.callsHint}`)
  if (choice.from !== undefined && !called.includes(choice.from)) {
    const others = called.map((model) => `'${model}'`).join(', ')
    throw new MockError(
      'no-calls',
      `Failed to rehearse: no call asks for the model '${choice.from}'. The calls ask for ${others}.`,
    )
  }
  const comparedWith = (targetIndex: number): ComparedCall[] =>
    seen
      .filter(({ call }) => scenarios.isReplaced(call.model))
      .map(({ call, comparisons }) => ({ call, comparison: comparisons[targetIndex]! }))

  // Compiled again: `retire` removes the models that the app calls, which are known only now.
  const { targets } = rehearsedScenarios(source, choice, { name, seed, called })
  const reports = []
  for (const [index, target] of targets.entries()) {
    const run = await playTarget(player, target, scenarios, seen)
    reports.push(buildTargetReport(target, scenarios.today.compared, comparedWith(index), run))
  }
  return {
    scenario: name,
    calls: seen.map(({ call }) => call),
    // The same with each target.
    refusedToday: groupRefusals(comparedWith(0), ({ refusedToday }) => refusedToday),
    targets: reports,
    ...(lacksToolCalls(entries) && {
      note: `${countOf(seen.length, 'call')} made, and no answer called a tool: give a scenario whose replies do, --scenario scenario.yaml`,
    }),
  }
}

/** Plays the app as it is, and compares each of its calls under all targets when it arrives. */
async function playToday(
  player: RehearsalPlayer,
  { today, targets }: RehearsedScenarios,
): Promise<{ readonly seen: readonly SeenCall[]; readonly entries: readonly JournalEntry[] }> {
  const seen: SeenCall[] = []
  const run = await player.play(today.played, (engine) => {
    engine.rewrite = (call) => {
      if (!isGeneration(call)) return call
      const comparisons = targets.map(({ compared, model }) =>
        compareModels(call, engine, { today: today.compared, target: compared, model }),
      )
      seen.push({ call: describeCall(call, seen.length + 1), comparisons })
      return call
    }
  })
  requirePassed(
    { ...run, output: errorLine(run.output ?? []) },
    `Failed to rehearse: ${player.name} fails as it is, before a model is replaced. ${player.failureHint}`,
  )
  return { seen, entries: run.entries }
}

/** True for a call that asks a model for an answer. */
function isGeneration({ method, path }: Pick<Call, 'method' | 'path'>): boolean {
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
  // The models that answered more calls than before, each with the number of these calls: `{ 'gpt-4o-mini': 2 }`.
  const counts = new Map<string, number>()
  for (const { status, method, path, model: name } of run.entries)
    if (status === 200 && isGeneration({ method, path })) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const { call } of seen) counts.set(call.model, (counts.get(call.model) ?? 0) - 1)
  const fallbacks = [...counts].filter(([, count]) => count > 0)
  return {
    ...(!run.isPassed && { failure: messageOf(run.error) }),
    output: run.isPassed ? [] : (run.output ?? []),
    ...(model === undefined && { fallbacks: Object.fromEntries(fallbacks) }),
  }
}

/** True if some calls gave tools, all of these were answered, and no answer called a tool. */
function lacksToolCalls(entries: readonly JournalEntry[]): boolean {
  const withTools = entries.filter(({ body }) => Array.isArray(body?.tools) && body.tools.length > 0)
  const isAnsweredWithoutCall = ({ timeline }: JournalEntry): boolean => {
    const answer = timeline && sentBody({ timeline })
    return answer !== undefined && (readAnswer(answer)?.calls ?? []).length === 0
  }
  return withTools.length > 0 && withTools.every(isAnsweredWithoutCall)
}
