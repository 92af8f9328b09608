/**
 * From a scenario as written to what the core runs on: durations as numbers, names and patterns as functions.
 *
 * It takes a source that the schema has accepted and does not check again, so a start with a built-in scenario needs
 * no schema.
 */
import { parseDuration, WINDOWS } from '../duration.ts'
import { readFault } from '../faults/catalogue.ts'
import type { Strike } from '../faults/fault.ts'
import { Random } from '../random.ts'
import { type OptionName, optionsOf } from './fault-options.ts'
import { matchesGlob } from './glob.ts'
import type { PatternCompiler } from './pattern-text.ts'
import { compileAnswer, type RecordedAnswer } from './recorded.ts'
import type { ScenarioSource } from './schema.ts'
import { compileWhen, type Match } from './when.ts'

export type { Facts, Match } from './when.ts'

export interface Rate {
  readonly amount: number
  readonly windowMs: number
  /** The window's name: second, minute, hour or day. */
  readonly window: keyof typeof WINDOWS
}

interface Limits {
  readonly requests?: Rate
  readonly tokens?: Rate
}

export interface KeyRule {
  readonly limits: Limits
  readonly strike?: Strike
}

export interface Model {
  readonly endpoint?: 'chat' | 'embeddings'
  readonly snapshot?: string
  readonly contextTokens?: number
  readonly maxOutputTokens?: number
  readonly reasoning?: boolean
  readonly dimensions?: number
  readonly fixedDimensions?: boolean
}

export interface ReplyRule {
  /** Where it stands in the file: `replies[2]`. */
  readonly place: string
  readonly match: Match
  /** One after the other; an object is said as JSON. */
  readonly say?: readonly (string | object)[]
  /** Why what is said ends, where that is not simply its end. */
  readonly finish?: 'length' | 'content_filter'
  /** At once; without arguments they are drawn. */
  readonly call?: readonly { readonly name: string; readonly arguments?: string | object | undefined }[]
  readonly refuse?: string
  /** Answers of a real service, given one after the other as they were recorded. */
  readonly answers?: readonly RecordedAnswer[]
  /** Whether its conditions speak of a tool's result. */
  readonly isForResults: boolean
  readonly strike?: Strike
}

interface FaultRule {
  readonly place: string
  readonly match: Match
  readonly strike: Strike
  /** From 0 to 1. */
  readonly chance: number
  /** How many matching calls of a key it strikes; Infinity for all. */
  readonly first: number
}

/** A scenario, ready to run. */
export interface Scenario {
  readonly name: string
  readonly description: string
  readonly seed: string
  /** The organisation every key belongs to. */
  readonly organization: string
  readonly strict: boolean
  /** A key that works, for the example the server prints. */
  readonly exampleKey: string
  /** Undefined when any key is accepted. */
  readonly keyRule: (key: string) => KeyRule | undefined
  /** The names of the models it lists, those with a star left out; undefined when any model is accepted. */
  readonly modelNames: readonly string[] | undefined
  readonly model: (name: string) => Model | undefined
  readonly replies: readonly ReplyRule[]
  /** Whether it has recorded answers: then a call that no rule answers is none that was recorded. */
  readonly isCassette: boolean
  readonly faults: readonly FaultRule[]
  readonly pace: { readonly firstTokenMs: number; readonly perTokenMs: number }
  readonly source: ScenarioSource
}

/** What compiling may be told besides the source. */
export interface CompileOptions {
  readonly name: string
  /** Overrides the seed of the source. */
  readonly seed?: string | number | undefined
  readonly compilePattern: PatternCompiler
}

/** Compiles a checked source. Throws only when a pattern in it is none the compiler takes. */
export function compileScenario(source: ScenarioSource, { name, seed, compilePattern }: CompileOptions): Scenario {
  const limits = limitsOf(source.limits)
  const keys =
    source.keys &&
    namesToValues(source.keys, (settings): KeyRule => {
      const strike = strikeOf(settings)
      return { limits: { ...limits, ...limitsOf(settings.limits) }, ...(strike && { strike }) }
    })
  const anyKey: KeyRule = { limits }
  const anyModel: Model = {}
  const models = source.models && namesToValues(source.models, (settings) => settings as Model)
  const matchOf = (when: Parameters<typeof compileWhen>[0]): Match => compileWhen(when, compilePattern)

  const usedSeed = String(seed ?? source.seed ?? 1)

  return {
    name,
    description: source.description,
    seed: usedSeed,
    organization: `org-${new Random(`${usedSeed}|organization`).alphanumeric(24)}`,
    strict: source.validation === 'strict',
    exampleKey: exampleKey(source),
    keyRule: keys ?? (() => anyKey),
    modelNames: source.models && Object.keys(source.models).filter((name) => !name.includes('*')),
    model: models ?? (() => anyModel),
    replies: (source.replies ?? []).map((rule, index) => ({
      place: `replies[${index}]`,
      match: matchOf(rule.when),
      isForResults: rule.when?.toolResult !== undefined,
      ...(rule.say !== undefined && { say: [rule.say].flat() }),
      ...(rule.finish !== undefined && { finish: rule.finish }),
      ...(rule.call !== undefined && { call: [rule.call].flat() }),
      ...(rule.refuse !== undefined && { refuse: rule.refuse }),
      ...(rule.answer !== undefined && { answers: [rule.answer].flat().map(compileAnswer) }),
      ...(rule.fault !== undefined && { strike: strikeOf(rule)! }),
    })),
    isCassette: source.replies?.some(({ answer }) => answer !== undefined) === true,
    faults: (source.faults ?? []).map((rule, index) => ({
      place: `faults[${index}]`,
      match: matchOf(rule.when),
      strike: strikeOf(rule)!,
      chance: chanceOf(rule.chance),
      first: rule.first ?? Number.POSITIVE_INFINITY,
    })),
    pace: {
      firstTokenMs: parseDuration(source.pace?.firstToken ?? '0ms') ?? 0,
      perTokenMs: parseDuration(source.pace?.perToken ?? '0ms') ?? 0,
    },
    source,
  }
}

/** Exact names first, then patterns in the order they are written. */
function namesToValues<Settings, Value>(
  record: Readonly<Record<string, Settings>>,
  makeValue: (settings: Settings) => Value,
): (name: string) => Value | undefined {
  const exact = new Map<string, Value>()
  const globs: { glob: string; value: Value }[] = []
  for (const [name, settings] of Object.entries(record)) {
    const value = makeValue(settings)
    if (name.includes('*')) globs.push({ glob: name, value })
    else exact.set(name, value)
  }
  return (name) => exact.get(name) ?? globs.find(({ glob }) => matchesGlob(glob, name))?.value
}

function limitsOf(limits: ScenarioSource['limits']): Limits {
  return {
    ...(limits?.requests !== undefined && { requests: rateOf(limits.requests) }),
    ...(limits?.tokens !== undefined && { tokens: rateOf(limits.tokens) }),
  }
}

function rateOf(text: string): Rate {
  const [amount, , window] = text.split(' ') as [string, string, keyof typeof WINDOWS]
  return { amount: Number(amount), windowMs: WINDOWS[window], window }
}

type WithFault = Readonly<
  { fault?: string | number | undefined } & { [Name in OptionName]?: string | number | undefined }
>

/** The fault of a rule or key, with the options that stand beside it. */
function strikeOf(settings: WithFault): Strike | undefined {
  if (settings.fault === undefined) return undefined
  const reading = readFault(settings.fault, optionsOf(settings))
  if ('problem' in reading) throw new Error(reading.problem)
  return reading.strike
}

function chanceOf(chance: string | number | undefined): number {
  if (chance === undefined) return 1
  return typeof chance === 'number' ? chance : Number.parseFloat(chance) / 100
}

/** The first listed key without a fault, or any name where none is listed. */
function exampleKey(source: ScenarioSource): string {
  const keys = Object.entries(source.keys ?? {}).filter(([, settings]) => settings.fault === undefined)
  const [name] = keys.find(([key]) => !key.includes('*')) ?? keys[0] ?? ['sk-test']
  return name.replaceAll('*', 'local')
}
