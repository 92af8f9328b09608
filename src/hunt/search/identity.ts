/** Which calls of different runs are the same call, and the conditions that pick a call out in a scenario. */
import type { JournalEntry } from '../../core/journal/entry.ts'
import { hashName } from '../../core/lib/random/hash.ts'
import { finish } from '../../core/lib/work/steps.ts'
import { compileIgnore } from '../../core/scenario/compile/ignore.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { nthOfKind } from './fault-set.ts'

export const IDENTITIES = ['exact', 'coarse'] as const

/** By their whole body, or by their endpoint, model and place in the run. */
export type IdentityName = (typeof IDENTITIES)[number]

export interface IdentityOptions {
  readonly identity?: IdentityName | undefined
  /** Paths and patterns of the body that may change, as in a scenario. */
  readonly ignore?: readonly string[] | undefined
}

type FaultRule = NonNullable<ScenarioSource['faults']>[number]

/** How the rule of a scenario picks a call out. */
export interface CallRule {
  readonly when: NonNullable<FaultRule['when']>
  /** Whether attempts are counted by the rule itself (`after`, `times`), and not with the condition `attempt`. */
  readonly isCounted: boolean
}

/** A call of a run. */
export interface IdentifiedCall extends CallRule {
  readonly id: string
  readonly attempt: number
}

/** Names the calls of a run. It is given them one by one, in the order in which they arrived. */
export type Identify = (entry: JournalEntry) => IdentifiedCall

/** The scenario of a hunt: what the hunt ignores, the scenario ignores. */
export const ignoring = (source: ScenarioSource, ignore: readonly string[] = []): ScenarioSource =>
  ignore.length === 0 ? source : { ...source, ignore: [...new Set([...(source.ignore ?? []), ...ignore])] }

/** @returns what names the calls of one run; each run needs its own. */
export function identityOf({ identity = 'exact', ignore = [] }: IdentityOptions): () => Identify {
  if (identity === 'coarse') return byPlace
  return ignore.length === 0 ? () => byBody : byComparedBody(ignore)
}

/** The mock counts the attempts of a request, by its whole body. */
const byBody: Identify = ({ request, attempt, body = {} }) => ({
  id: request,
  attempt,
  when: { request: body },
  isCounted: false,
})

function byComparedBody(ignored: readonly string[]): () => Identify {
  const ignore = compileIgnore(ignored)
  return () => {
    const count = countPerKey()
    return (entry) => {
      const compared = finish(ignore(entry.body ?? {}))
      const text = JSON.stringify([entry.endpoint, compared])
      const id = hashName(text)
      return { id, attempt: count(entry, id), when: { request: compared }, isCounted: true }
    }
  }
}

function byPlace(): Identify {
  const count = countPerKey()
  return (entry) => {
    const { endpoint, model } = entry
    const kind = `${endpoint} ${model}`
    const when = { endpoint, ...(model !== '' && { model }) } as CallRule['when']
    return { id: nthOfKind(kind, count(entry, kind)), attempt: 1, when, isCounted: true }
  }
}

/** Counts as the rules of a scenario do: for each key, or session of it. */
function countPerKey(): (entry: JournalEntry, name: string) => number {
  const counts = new Map<string, number>()
  return ({ caller, session = '' }, name) => {
    const counter = JSON.stringify([caller, session, name])
    const count = (counts.get(counter) ?? 0) + 1
    counts.set(counter, count)
    return count
  }
}
