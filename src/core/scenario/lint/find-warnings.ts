/**
 * Everything in a scenario that can be used but can't do what it is there for: rules that never speak, faults that
 * never strike, limits that no call can meet or that never refuse one, names that are never looked up.
 *
 * Sound, not complete: what is reported is so for every call that the mock can get, except that the header x-mock-fault
 * and faults put in by hand come before all of it. What can't be proven in a bounded time is passed over in silence.
 */

import type { ModelEndpoint } from '../../request/endpoints.ts'
import type { ScenarioSource } from '../grammar/schema.ts'
import type { World } from './cases.ts'
import { deadLimits } from './dead-limits.ts'
import { deadRules } from './dead-rules.ts'
import { coveredEntries, type Entries, entriesOf } from './entries.ts'
import { faultOf, type Rules, rulesOf } from './rules.ts'
import type { Warning } from './warning.ts'

export type { Warning } from './warning.ts'

/** The warnings of a scenario that the schema has accepted; none for most. */
export function findWarnings(source: ScenarioSource): Warning[] {
  const keys = entriesOf(source.keys)
  const models = entriesOf(source.models)
  const rules = rulesOf(source)
  return [
    ...coveredEntries('keys', keys),
    ...coveredEntries('models', models),
    ...deadRules(rules, worldOf(source, rules, keys, models)),
    ...deadLimits(source, namesOf(keys), namesOf(models)),
  ]
}

const namesOf = (entries: Entries<unknown> | undefined): string[] => (entries?.used ?? []).map(({ name }) => name)

// Every name of a condition is held against every name that is listed.
const MAX_PAIRS = 100_000

type Keys = NonNullable<ScenarioSource['keys']>[string]
type Models = NonNullable<ScenarioSource['models']>[string]

function worldOf(
  source: ScenarioSource,
  { faults, replies }: Rules,
  keys: Entries<Keys> | undefined,
  models: Entries<Models> | undefined,
): World {
  const conditions = [...faults, ...replies].reduce(
    (sum, { when }) => sum + wantedIn(when.key) + wantedIn(when.model),
    1,
  )
  const isSmall = (entries: Entries<unknown>): boolean => entries.used.length * conditions <= MAX_PAIRS
  const serving = (endpoint: ModelEndpoint) =>
    models!.used.filter(({ settings }) => (settings.endpoint ?? endpoint) === endpoint)
  return {
    keys:
      keys && isSmall(keys)
        ? keys.used.map(({ name, settings }) => ({
            name,
            settings: { strikes: settings.fault === undefined ? undefined : faultOf(settings.fault) },
          }))
        : undefined,
    models: models && isSmall(models) ? serving : undefined,
    states: Object.keys(source.states ?? {}),
  }
}

const wantedIn = (names: string | readonly string[] | undefined): number => (Array.isArray(names) ? names.length : 1)
