/** Which rules, faults and limits of a scenario have spoken: each by its place, counted in memory. */
import { faultIn, limitIn, type Reason } from '../plan/plan.ts'
import { matchesGlob } from '../scenario/compile/glob.ts'
import type { ScenarioSource } from '../scenario/grammar/schema.ts'
import type { SessionStore } from '../state/session-store.ts'
import { maskKey } from '../text/mask-keys.ts'

/** How often something of the scenario has spoken since it was put in force. */
export interface Use {
  readonly kind: 'rule' | 'fault' | 'limit'
  /** Where it stands: `replies[2]`, `faults[0]`, `keys["sk-****ed"]`, `limits.requests`; keys are shortened. */
  readonly place: string
  readonly count: number
}

/** What of an answer is counted. */
interface Spoken {
  readonly reason: Reason
  /** The reply rule that matched. */
  readonly rule: string | undefined
  readonly key: string
}

/** Counts what has spoken for an answer: a reply rule, the fault that struck, the limit that refused. */
export function countUse(memory: SessionStore, source: ScenarioSource, { reason, rule, key }: Spoken): void {
  if (rule !== undefined) memory.use(rule)
  const from = faultIn(reason)?.from
  if (from === 'key') memory.use(keyPlace(keyNameOf(source, key)))
  else if (from?.startsWith('faults[') || from?.startsWith('states.')) memory.use(from)
  const limit = limitIn(reason)
  if (limit !== undefined) memory.use(limitPlace(source, keyNameOf(source, key), limit))
}

/** Every reply rule, fault and limit of a scenario in the order of the file, with how often it has spoken. */
export function usageOf(memory: SessionStore, source: ScenarioSource): Use[] {
  const { replies = [], faults = [], limits = {}, keys = {}, states = {} } = source
  const use = (kind: Use['kind'], place: string): Use => ({ kind, place, count: memory.usesOf(place) })
  const ofKeys = Object.entries(keys).flatMap(([name, settings]) => [
    ...(settings.fault === undefined ? [] : [use('fault', keyPlace(name))]),
    ...Object.keys(settings.limits ?? {}).map((limit) => use('limit', `${keyPlace(name)}.limits.${limit}`)),
  ])
  return [
    ...ofKeys,
    ...replies.map((_, index) => use('rule', `replies[${index}]`)),
    ...Object.keys(limits).map((limit) => use('limit', `limits.${limit}`)),
    ...faults.map((_, index) => use('fault', `faults[${index}]`)),
    ...Object.entries(states).flatMap(([name, state]) =>
      (state.faults ?? []).map((_, index) => use('fault', `states.${name}.faults[${index}]`)),
    ),
  ]
}

/** The name in `keys` that a key is accepted by: an exact one first, then the first pattern; see compile.ts. */
function keyNameOf({ keys = {} }: ScenarioSource, key: string): string {
  if (Object.hasOwn(keys, key)) return key
  return Object.keys(keys).find((name) => name.includes('*') && matchesGlob(name, key)) ?? ''
}

const keyPlace = (name: string): string => `keys["${name.includes('*') ? name : maskKey(name)}"]`

function limitPlace({ keys = {} }: ScenarioSource, name: string, limit: string): string {
  const own = Object.hasOwn(keys, name)
    ? (keys[name]?.limits as Readonly<Record<string, unknown>> | undefined)
    : undefined
  return own?.[limit] === undefined ? `limits.${limit}` : `${keyPlace(name)}.limits.${limit}`
}
