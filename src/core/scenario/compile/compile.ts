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
  type KeyRule,
  type Model,
  type RuleContext,
} from './compile-rules.ts'
import { matchesGlob } from './glob.ts'
import { compileIgnore } from './ignore.ts'
import { combineLimits, compileLimits, type Limits } from './limits.ts'
import { compilePace } from './pace.ts'
import type { PatternCompiler } from './pattern-text.ts'

// The types of the parts of a scenario, for the rooms above.
export type { KeyRule, Model, ReplyRule, State } from './compile-rules.ts'
export type { Pace } from './pace.ts'

/** A scenario, ready to run. */
export interface Scenario extends Readonly<ReturnType<typeof compileSettings>> {
  /** The scenarios of sessions, by the name of the session. */
  readonly sessions: ReadonlyMap<string, Scenario>
}

export interface CompileOptions {
  readonly name: string
  /** Overrides the seed of the source. */
  readonly seed?: string | number | undefined
  readonly compilePattern: PatternCompiler
}

/** Compiles a checked source. Throws only if `compilePattern` refuses a pattern. */
export function compileScenario(source: ScenarioSource, options: CompileOptions): Scenario {
  const sessions = new Map<string, Scenario>()
  for (const { session, scenario } of Object.values(source.keys ?? {})) {
    // A name has been replaced by its scenario before.
    if (session === undefined || typeof scenario !== 'object') continue
    sessions.set(session, compileScenario(scenario as ScenarioSource, { ...options, name: `session ${session}` }))
  }
  return { ...compileSettings(source, options), sessions }
}

/** Compiles everything but the scenarios of sessions. */
function compileSettings(source: ScenarioSource, { name, seed: seedOption, compilePattern }: CompileOptions) {
  const { keys, models, replies = [], states, limits } = source
  const seed = String(seedOption ?? source.seed ?? 1)
  const ignore = source.ignore && compileIgnore(source.ignore)
  const context: RuleContext = { seed, ignore, compilePattern }
  const pace = compilePace(source.pace, 'pace')
  const anyKey = compileKey({}, undefined, source.budget)
  const anyModel: Model = {}
  const scenarioLimits = compileLimits(limits ?? {}, 'scenario')
  const shared = limits?.shared
  const sharedLimits: Exclude<typeof shared, string> = typeof shared === 'string' ? { url: shared } : shared
  const hasLimits = [source, ...Object.values(keys ?? {}), ...Object.values(models ?? {})].some((owner) => owner.limits)
  const limitsOf = (key: KeyRule | undefined, model: Model | undefined): Limits =>
    combineLimits(scenarioLimits, key?.limits, model?.limits)
  return {
    name,
    description: source.description ?? '',
    seed,
    /** The organisation every key belongs to. */
    organization: `org-${new Random(`${seed}|organization`).alphanumeric(24)}`,
    /** The project every key belongs to. */
    project: `proj_${new Random(`${seed}|project`).alphanumeric(24)}`,
    strict: source.validation === 'strict',
    /** True if a chat that no reply rule matches is a 404; otherwise it is echoed. */
    refusesUnmatched: source.unmatched === 'refuse',
    /** A key that works, for the example the server prints. */
    exampleKey: findExampleKey(keys),
    /** The settings of a key; undefined for a key that is not accepted. */
    keyRule: keys ? compileLookup(keys, (key, listed) => compileKey(key, listed, source.budget)) : () => anyKey,
    /** True if any key belongs to a session. */
    bindsKeys: Object.values(keys ?? {}).some(({ session }) => session !== undefined),
    /** The names of the models it lists, those with a star left out; undefined when any model is accepted. */
    modelNames: models && Object.keys(models).filter((model) => !model.includes('*')),
    /** The settings of a model; undefined for a model that the scenario does not know. */
    model: models ? compileLookup(models, (model, listed) => compileModel(model, listed, pace)) : () => anyModel,
    replies: replies.map((rule, index) => compileReply(rule, index, context)),
    /** True with recorded answers. Then a call that no rule matches was not recorded. */
    isCassette: replies.some(({ answer }) => answer !== undefined),
    /** Removes the parts of a request that are not compared with a recorded one; undefined when all are compared. */
    ignore,
    /** The kind of prefixes that the prompt cache keeps. */
    cache: source.cache ?? ('none' as const),
    faults: compileFaultRules(source.faults, 'faults', context),
    /** Undefined when answers take no time. */
    pace,
    /** Undefined for a scenario without states. */
    states: states && {
      // The first state that the scenario lists is the initial one.
      first: Object.keys(states)[0]!,
      byName: new Map(Object.entries(states).map(([name, state]) => [name, compileState(name, state, context)])),
    },
    /** The limits of a call, by the rules of its key and its model; undefined when nothing is limited. */
    limitsOf: hasLimits ? limitsOf : undefined,
    /** The store of the limits; undefined for limits that this process counts alone. */
    sharedLimits,
    /** True if token limits count answers, not only what is sent. */
    chargesAnswers: limits?.charge === 'answer',
    source,
  }
}

/** A compiled scenario with the faults of another source that differs in nothing else: most of the work is done once. */
export function replaceFaults(scenario: Scenario, source: ScenarioSource, compilePattern: PatternCompiler): Scenario {
  const { seed, ignore } = scenario
  return { ...scenario, faults: compileFaultRules(source.faults, 'faults', { seed, ignore, compilePattern }), source }
}

/** A key that works. Prefers keys without a session and without a star. */
function findExampleKey(keys: ScenarioSource['keys'] = {}): string {
  const working = Object.entries(keys).filter(([, { fault }]) => fault === undefined)
  const unbound = working.filter(([, { session }]) => session === undefined)
  const names = (unbound.length > 0 ? unbound : working).map(([name]) => name)
  const best = names.find((name) => !name.includes('*')) ?? names[0] ?? 'sk-test'
  return best.replaceAll('*', 'local')
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
