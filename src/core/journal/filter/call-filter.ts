/** The type of a journal filter: the conditions of `when`, and what the journal knows besides. */

import type { Conditions } from '../../../generated/scenario-input.ts'
import type { Reason } from '../../protocol/plan/plan.ts'
import type { RoutedEndpoint } from '../../protocol/request/endpoints.ts'
import type { OneOrMany } from '../../scenario/conditions/match.ts'
import type { Outcome } from '../entry.ts'

/** Which calls: all conditions must hold; of a list, any value. */
export interface CallFilter extends Omit<Conditions, 'endpoint'> {
  readonly endpoint?: OneOrMany<RoutedEndpoint> | undefined
  readonly method?: OneOrMany<string> | undefined
  /** The path from `/v1` on; `*` stands for any characters. */
  readonly path?: OneOrMany<string> | undefined
  /** A key, whole or masked as the journal shows it. */
  readonly key?: OneOrMany<string> | undefined
  /** The session that the call names; `*` stands for any characters. */
  readonly session?: OneOrMany<string> | undefined
  /** Text anywhere in the request body or the answer (in any case), or a pattern; `'/like this/i'` is a pattern too. */
  readonly text?: OneOrMany<string | RegExp> | undefined
  /** A status, a class such as `'4xx'`, or 0 for no answer. */
  readonly status?: OneOrMany<number | string> | undefined
  /** The reply rule that matched: `replies[2]`. */
  readonly rule?: OneOrMany<string> | undefined
  /** The fault that happened: `rate-limit`. */
  readonly fault?: OneOrMany<string> | undefined
  /** The limit that refused the call: `requests`. */
  readonly limit?: OneOrMany<string> | undefined
  /** What decided the answer: `fault`, `limit`, `reply`, `echo`, ... */
  readonly by?: OneOrMany<Reason['by']> | undefined
  readonly outcome?: OneOrMany<Outcome> | undefined
  /** Whether the call was a chat that no reply rule matched, in a scenario with reply rules. */
  readonly unmatched?: boolean | undefined
  /** Earliest time: milliseconds of the mock's clock, or so long ago: `'5s'`. */
  readonly since?: number | string | undefined
  /** Latest time, as `since`. */
  readonly until?: number | string | undefined
}
