/**
 * Warnings about a valid scenario: rules and faults that never apply, limits that never refuse a call, and names that
 * are never used.
 *
 * A warning is never a guess: it holds for every call that the mock can get (the header x-mock-fault and injected faults
 * apart). What lint can't prove in bounded time is not reported.
 */

import { toList } from '../../../lib/text/to-list.ts'
import type { ModelEndpoint } from '../../../protocol/request/endpoints.ts'
import { parseCallCount } from '../../compile/call-count.ts'
import type { ScenarioSource } from '../../scenario-source.ts'
import type { Problem } from '../problem.ts'
import type { ScenarioNames } from './cases.ts'
import { findDeadIgnores } from './dead-ignores.ts'
import { findDeadLimits } from './dead-limits.ts'
import { findDeadRules } from './dead-rules.ts'
import { type Entries, findCoveredEntries, readEntries } from './entries.ts'
import { findFault, type LintRules, readRules } from './rules.ts'

/** The warnings of a valid scenario, in the order of the scenario's parts. */
export function findWarnings(source: ScenarioSource): Problem[] {
  const keys = readEntries(source.keys)
  const models = readEntries(source.models)
  const rules = readRules(source)
  return [
    ...findCoveredEntries('keys', keys),
    ...findCoveredEntries('models', models),
    ...findDeadRules(rules, describeNames(source, rules, keys, models)),
    ...findDeadIgnores(source),
    ...findDeadLimits(source, namesOf(keys), namesOf(models)),
  ]
}

const namesOf = (entries: Entries<unknown> | undefined): string[] => (entries?.used ?? []).map(({ name }) => name)

// Each name in a condition is compared with each listed name.
const MAX_PAIRS = 100_000

type Keys = NonNullable<ScenarioSource['keys']>[string]
type Models = NonNullable<ScenarioSource['models']>[string]

/** Whether a key has a fault from its first call on. */
const takesEveryCall = ({ fault, after }: Keys): boolean => fault !== undefined && parseCallCount(after) === undefined

function describeNames(
  source: ScenarioSource,
  { faults, replies }: LintRules,
  keys: Entries<Keys> | undefined,
  models: Entries<Models> | undefined,
): ScenarioNames {
  const conditions = [...faults, ...replies].reduce(
    (sum, { when }) => sum + Math.max(1, toList(when.key).length) + Math.max(1, toList(when.model).length),
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
            settings: { fault: takesEveryCall(settings) ? findFault(settings.fault!) : undefined },
          }))
        : undefined,
    models: models && isSmall(models) ? serving : undefined,
    states: Object.keys(source.states ?? {}),
  }
}
