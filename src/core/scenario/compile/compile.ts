/**
 * Compiles a scenario, as YAML or code wrote it, to the form that decides calls: durations become numbers, names and
 * patterns become functions.
 *
 *   { keys: { 'sk-ci-*': {} }, pace: { firstToken: '300ms' } }
 *   { keyRule: (key) => ..., pace: { firstToken: { shape: 'fixed', ms: 300 }, ... }, seed: '1', ... }
 *
 * The source was checked before and is not checked again, so a start with a built-in scenario does not load the schema.
 */
import { Random } from '../../lib/random/random.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import {
  compileFaultRules,
  compileKey,
  compileModel,
  compileReply,
  compileState,
  type FaultRule,
  type KeyRule,
  type Model,
  type ReplyRule,
  type RuleContext,
  type State,
} from './compile-rules.ts'
import { matchesGlob } from './glob.ts'
import { compileIgnore, type Ignore } from './ignore.ts'
import { combineLimits, compileLimits, compileShared, type Limits, type SharedLimits } from './limits.ts'
import { compilePace, type Pace } from './pace.ts'
import type { PatternCompiler } from './pattern-text.ts'
import type { StateMachine } from './states.ts'

export type { KeyRule, Model, ReplyRule, State } from './compile-rules.ts'
export type { Pace } from './pace.ts'

/** A scenario, ready to run. */
export interface Scenario {
  readonly name: string
  readonly description: string
  readonly seed: string
  /** The organisation every key belongs to. */
  readonly organization: string
  /** The project every key belongs to. */
  readonly project: string
  readonly strict: boolean
  /** True if a chat that no reply rule matches is a 404; otherwise it is echoed. */
  readonly refusesUnmatched: boolean
  /** A key that works, for the example the server prints. */
  readonly exampleKey: string
  /** The settings of a key; undefined for a key that is not accepted. */
  readonly keyRule: (key: string) => KeyRule | undefined
  /** True if any key belongs to a session. */
  readonly bindsKeys: boolean
  /** The scenarios of sessions, by the name of the session. */
  readonly sessions: ReadonlyMap<string, Scenario>
  /** The names of the models it lists, those with a star left out; undefined when any model is accepted. */
  readonly modelNames: readonly string[] | undefined
  /** The settings of a model; undefined for a model that the scenario does not know. */
  readonly model: (name: string) => Model | undefined
  readonly replies: readonly ReplyRule[]
  /** True with recorded answers. Then a call that no rule matches was not recorded. */
  readonly isCassette: boolean
  /** Removes the parts of a request that are not compared with a recorded one; undefined when all are compared. */
  readonly ignore: Ignore | undefined
  readonly cache: CacheStyle
  readonly faults: readonly FaultRule[]
  /** Undefined when answers take no time. */
  readonly pace: Pace | undefined
  /** Undefined for a scenario without states. */
  readonly states: States | undefined
  /** The limits of a call, by the rules of its key and its model; undefined when nothing is limited. */
  readonly limitsOf: ((key: KeyRule | undefined, model: Model | undefined) => Limits) | undefined
  /** Undefined for limits that this process counts alone. */
  readonly sharedLimits: SharedLimits | undefined
  /** True if token limits count answers, not only what is sent. */
  readonly chargesAnswers: boolean
  readonly source: ScenarioSource
}

/** The kind of prefixes that the prompt cache keeps. */
export type CacheStyle = NonNullable<ScenarioSource['cache']>

/** The states of a scenario. */
export interface States extends StateMachine {
  readonly byName: ReadonlyMap<string, State>
}

export interface CompileOptions {
  readonly name: string
  /** Overrides the seed of the source. */
  readonly seed?: string | number | undefined
  readonly compilePattern: PatternCompiler
}

/** Compiles a checked source. Throws only if `compilePattern` refuses a pattern. */
export function compileScenario(source: ScenarioSource, options: CompileOptions): Scenario {
  const { keys, models, replies = [], states, limits } = source
  const seed = String(options.seed ?? source.seed ?? 1)
  const ignore = source.ignore && compileIgnore(source.ignore)
  const context: RuleContext = { seed, ignore, compilePattern: options.compilePattern }
  const pace = compilePace(source.pace, 'pace')
  const anyKey = compileKey({}, undefined, source.budget)
  const anyModel: Model = {}
  const scenarioLimits = compileLimits(limits, 'scenario')
  const hasLimits = [source, ...Object.values(keys ?? {}), ...Object.values(models ?? {})].some((one) => one.limits)
  return {
    name: options.name,
    description: source.description ?? '',
    seed,
    organization: `org-${new Random(`${seed}|organization`).alphanumeric(24)}`,
    project: `proj_${new Random(`${seed}|project`).alphanumeric(24)}`,
    strict: source.validation === 'strict',
    refusesUnmatched: source.unmatched === 'refuse',
    exampleKey: findExampleKey(keys),
    keyRule: keys ? compileLookup(keys, (key, name) => compileKey(key, name, source.budget)) : () => anyKey,
    bindsKeys: Object.values(keys ?? {}).some(({ session }) => session !== undefined),
    sessions: compileSessions(keys, options),
    modelNames: models && Object.keys(models).filter((model) => !model.includes('*')),
    model: models ? compileLookup(models, (model, name) => compileModel(model, name, pace)) : () => anyModel,
    replies: replies.map((rule, index) => compileReply(rule, index, context)),
    isCassette: replies.some(({ answer }) => answer !== undefined),
    ignore,
    cache: source.cache ?? 'none',
    faults: compileFaultRules(source.faults, 'faults', context),
    pace,
    states: states && compileStates(states, context),
    limitsOf: hasLimits ? (key, model) => combineLimits(scenarioLimits, key?.limits, model?.limits) : undefined,
    sharedLimits: compileShared(limits?.shared),
    chargesAnswers: limits?.charge === 'answer',
    source,
  }
}

/** A compiled scenario with the faults of another source that differs in nothing else: most of the work is done once. */
export function replaceFaults(scenario: Scenario, source: ScenarioSource, compilePattern: PatternCompiler): Scenario {
  const { seed, ignore } = scenario
  return { ...scenario, faults: compileFaultRules(source.faults, 'faults', { seed, ignore, compilePattern }), source }
}

type Keys = ScenarioSource['keys']

/** Prefers keys without a session and without a star; keys with a fault never count. */
function findExampleKey(keys: Keys = {}): string {
  const working = Object.entries(keys).filter(([, { fault }]) => fault === undefined)
  const unbound = working.filter(([, { session }]) => session === undefined)
  const names = (unbound.length > 0 ? unbound : working).map(([name]) => name)
  const name = names.find((one) => !one.includes('*')) ?? names[0] ?? 'sk-test'
  return name.replaceAll('*', 'local')
}

/** The scenarios that keys have for their sessions. A name has been replaced by its scenario before. */
function compileSessions(keys: Keys = {}, { seed, compilePattern }: CompileOptions): ReadonlyMap<string, Scenario> {
  const sessions = new Map<string, Scenario>()
  for (const { session, scenario } of Object.values(keys)) {
    if (session === undefined || typeof scenario !== 'object') continue
    const options = { name: `session ${session}`, seed, compilePattern }
    sessions.set(session, compileScenario(scenario as ScenarioSource, options))
  }
  return sessions
}

/** The first state that the scenario lists is the initial one. */
function compileStates(states: NonNullable<ScenarioSource['states']>, context: RuleContext): States {
  const byName = new Map<string, State>()
  for (const [name, state] of Object.entries(states)) byName.set(name, compileState(name, state, context))
  return { first: Object.keys(states)[0]!, byName }
}

/** Compiles settings by name to a function that finds those of a name: exact names first, then globs in their order. */
function compileLookup<Settings, Compiled>(
  settingsByName: Readonly<Record<string, Settings>>,
  compile: (settings: Settings, name: string) => Compiled,
): (name: string) => Compiled | undefined {
  const exact = new Map<string, Compiled>()
  const globs: { readonly glob: string; readonly compiled: Compiled }[] = []
  for (const [name, settings] of Object.entries(settingsByName)) {
    const compiled = compile(settings, name)
    if (name.includes('*')) globs.push({ glob: name, compiled })
    else exact.set(name, compiled)
  }
  return (name) => exact.get(name) ?? globs.find(({ glob }) => matchesGlob(glob, name))?.compiled
}
