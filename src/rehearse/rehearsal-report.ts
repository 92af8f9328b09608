/**
 * The report of a rehearsal, as plain data: for each target what would be refused, what changes silently, and the tokens.
 * `write-rehearsal.ts` makes texts of it, such as `gpt-6-luna in place of gpt-4o: 2 of 3 calls would be refused`.
 */
import type { CallUsage } from '../core/journal/entry.ts'
import { addUsage, NO_USAGE } from '../core/report/usage-sums.ts'
import type { Model, Scenario } from '../core/scenario/compile/compile.ts'
import type { CallComparison, MendedRefusal } from './compare-models.ts'
import type { Target } from './rehearsed-scenarios.ts'

/** A call of the app. */
export interface RehearsedCall {
  /** Counts from 1, in the order of the run. */
  readonly number: number
  /** `/v1/chat/completions 'Hello'` */
  readonly label: string
  readonly model: string
  /** The session that the call names: that of a test, where each test has one. */
  readonly session?: string
}

/** A refusal, with the calls that would get it. */
export type CallRefusal = MendedRefusal & { readonly calls: readonly RehearsedCall[] }

export interface TargetReport {
  readonly to: string
  /** The models that it replaces, or those that are gone. */
  readonly from: readonly string[]
  /** The calls that ask for these models. */
  readonly calls: readonly RehearsedCall[]
  readonly refusals: readonly CallRefusal[]
  /** Changes of the answers, each with the calls that it concerns. */
  readonly changes: readonly { readonly text: string; readonly calls: readonly RehearsedCall[] }[]
  /** The differences between the models that no call of the run met: `longest answer: 128,000 tokens instead of 16,384`. */
  readonly model: readonly string[]
  /** The sum over the calls whose answers can be compared. */
  readonly usage?: { readonly calls: number; readonly before: CallUsage; readonly after: CallUsage }
  /** The reason why the app failed when the model was replaced; left out if it passed. */
  readonly failure?: string
  /** The last lines that the app printed then. */
  readonly output: readonly string[]
  /** Models that answered in place of those that are gone, with their calls. Only for `retire`. */
  readonly fallbacks?: Readonly<Record<string, number>>
  /** True if something would break. */
  readonly isBroken: boolean
}

export interface RehearsalReport {
  readonly scenario: string
  /** All calls of the run that ask for an answer of a model. */
  readonly calls: readonly RehearsedCall[]
  /** The refusals that the service gives today: the scenario is less strict. */
  readonly refusedToday: readonly CallRefusal[]
  readonly targets: readonly TargetReport[]
  /** A remark if the app gave tools and no answer called one, so that its calls after a tool were not made. */
  readonly note?: string
}

/** A call with its comparison. */
export interface ComparedCall {
  readonly call: RehearsedCall
  readonly comparison: CallComparison
}

/** The facts on a run of the app with a replaced model. */
export type TargetRun = Pick<TargetReport, 'failure' | 'output' | 'fallbacks'>

/** @param today the scenario of today, with the rules of its models */
export function buildTargetReport(
  { name: to, model, compared: scenario }: Target,
  today: Scenario,
  compared: readonly ComparedCall[],
  run: TargetRun,
): TargetReport {
  const from = [...new Set(compared.map(({ call }) => call.model))]
  const refusals = groupRefusals(compared, ({ refusals }) => refusals)
  const changes = groupItems(
    compared,
    ({ differences }) => differences.map((text) => ({ text })),
    ({ text }) => text,
  )
  const usage = sumUsage(compared)
  const isRetired = model === undefined
  const after = isRetired ? undefined : scenario.model(model)
  const unmetChanges = from.flatMap((name) => modelChanges(today.model(name), after))
  const hasPassed = run.failure === undefined
  // An app that fell back on another model and passed needs no other mend.
  const fallbacks = hasPassed ? Object.keys(run.fallbacks ?? {}) : []
  const noMend = `none is needed: ${fallbacks.join(', ')} answered`
  return {
    to,
    from,
    calls: compared.map(({ call }) => call),
    refusals: fallbacks.length === 0 ? refusals : refusals.map((refusal) => ({ ...refusal, mend: noMend })),
    changes,
    model: [...new Set(unmetChanges)],
    ...(usage.calls > 0 && { usage }),
    ...run,
    // Every call of a model that is gone is refused. What counts then is that the app survives it.
    isBroken: !hasPassed || (!isRetired && refusals.length > 0),
  }
}

/** The refusals of all calls, each once with the calls that would get it. */
export const groupRefusals = (
  compared: readonly ComparedCall[],
  refusalsOf: (comparison: CallComparison) => readonly MendedRefusal[],
): CallRefusal[] => groupItems(compared, refusalsOf, ({ message, mend }) => `${message} ${mend}`)

/** Groups the items of all comparisons: those with the same key are one, with all their calls. */
function groupItems<Item extends object>(
  compared: readonly ComparedCall[],
  itemsOf: (comparison: CallComparison) => readonly Item[],
  keyOf: (item: Item) => string,
): (Item & { readonly calls: readonly RehearsedCall[] })[] {
  const groups = new Map<string, Item & { readonly calls: RehearsedCall[] }>()
  for (const { call, comparison } of compared) {
    for (const item of itemsOf(comparison)) {
      const known = groups.get(keyOf(item))
      if (known === undefined) groups.set(keyOf(item), { ...item, calls: [call] })
      else known.calls.push(call)
    }
  }
  return [...groups.values()]
}

/** Sums the usage before and after over the calls whose answers can be compared: both sums count the same calls. */
function sumUsage(compared: readonly ComparedCall[]) {
  const usages = compared.flatMap(({ comparison }) => comparison.usage ?? [])
  const { calls, ...before } = usages.map((usage) => usage.before).reduce(addUsage, NO_USAGE)
  const { calls: _, ...after } = usages.map((usage) => usage.after).reduce(addUsage, NO_USAGE)
  return { calls, before, after }
}

/** `longest answer: 128,000 tokens instead of 16,384 tokens`; none for a model without rules. */
function modelChanges(before: Model | undefined, after: Model | undefined): string[] {
  if (before?.supports === undefined || after === undefined) return []
  const changes = MODEL_FACTS.flatMap(([name, read]) => {
    const [was, is] = [read(before) ?? 'not known', read(after) ?? 'not known']
    return was === is ? [] : `${name}: ${is} instead of ${was}`
  })
  if (after.uncertain !== undefined)
    changes.push(`little is published about: ${after.uncertain.map(wordsOf).join(', ')}`)
  return changes
}

/** The facts on a model that users know it by, as texts; undefined for one that is not known. */
const MODEL_FACTS: readonly (readonly [name: string, read: (model: Model) => string | undefined])[] = [
  ['longest input', ({ contextTokens, inputTokens = contextTokens }) => tokensText(inputTokens)],
  ['longest answer', ({ maxOutputTokens }) => tokensText(maxOutputTokens)],
  ['effort if none is sent', ({ reasoning, effort = 'medium' }) => (reasoning ? effort : 'no reasoning')],
  ['images', ({ supports }) => (supports?.images === false ? 'refused' : 'taken')],
  ['audio', ({ supports }) => (supports?.audio === 'never' ? 'refused' : 'taken')],
  ['shutdown', ({ published }) => published?.retires ?? 'not announced'],
]

const tokensText = (count: number | undefined): string | undefined =>
  count === undefined ? undefined : `${count.toLocaleString('en-US')} tokens`

/** An uncertain setting in the words of users: `supports.without stop` is `the parameters that it refuses (stop)`. */
function wordsOf(setting: string): string {
  const [name = '', ...parts] = setting.split(' ')
  return `${SETTINGS[name] ?? name}${parts.length === 0 ? '' : ` (${parts.join(' ')})`}`
}

/** The settings that a model may have as uncertain, in the words of users. */
const SETTINGS: Readonly<Record<string, string>> = {
  all: 'all of its rules',
  effort: 'its effort if none is sent',
  images: 'the tokens of images',
  inputTokens: 'its longest input',
  responses: 'the fields of /v1/responses',
  snapshot: 'its dated name',
  unavailable: 'its shutdown',
  'supports.atEffortNone': 'the parameters that it takes at effort none',
  'supports.efforts': 'its efforts',
  'supports.functionTools': 'its function tools',
  'supports.without': 'the parameters that it refuses',
}
