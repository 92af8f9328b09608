/** Which calls: what a filter of the journal may say. */
import type { Reason } from '../../plan/plan.ts'
import type { RoutedEndpoint } from '../../request/endpoints.ts'
import type { Outcome } from '../entry.ts'

type OneOrMany<Value> = Value | readonly Value[]
/** A text that must occur (in any case), or a pattern; `'/like this/i'` is a pattern too. */
type Texts = OneOrMany<string | RegExp>

/** Which calls: all that is given must hold, and a list means any of them. */
export interface CallFilter {
  readonly endpoint?: OneOrMany<RoutedEndpoint> | undefined
  readonly method?: OneOrMany<string> | undefined
  /** The path from `/v1` on; `*` stands for any characters. */
  readonly path?: OneOrMany<string> | undefined
  /** A key, whole or as the journal shows it. */
  readonly key?: OneOrMany<string> | undefined
  /** `*` stands for any characters. */
  readonly model?: OneOrMany<string> | undefined
  /** The last user message. */
  readonly user?: Texts | undefined
  /** The system or developer text. */
  readonly system?: Texts | undefined
  /** The result of a tool that the conversation ends with. */
  readonly toolResult?: Texts | undefined
  /** A tool that the call offers; `*` stands for any characters. */
  readonly tool?: OneOrMany<string> | undefined
  /** How often the key had sent this very request. */
  readonly attempt?: OneOrMany<number> | undefined
  /** The number of user messages. */
  readonly turn?: OneOrMany<number> | undefined
  /** The state that the scenario was in. */
  readonly state?: OneOrMany<string> | undefined
  /** Whether the call asked for a stream. */
  readonly stream?: boolean | undefined
  /** Anything in the request body or in the answer, as it was written. */
  readonly text?: Texts | undefined
  /** A status (0: no answer) or a class of them: `'4xx'`. */
  readonly status?: OneOrMany<number | string> | undefined
  /** The reply rule that matched: `replies[2]`. */
  readonly rule?: OneOrMany<string> | undefined
  /** The fault that struck: `rate-limit`. */
  readonly fault?: OneOrMany<string> | undefined
  /** The limit that refused it: `requests`. */
  readonly limit?: OneOrMany<string> | undefined
  /** What decided: `fault`, `limit`, `reply`, `echo`, ... */
  readonly by?: OneOrMany<Reason['by']> | undefined
  readonly outcome?: OneOrMany<Outcome> | undefined
  /** Whether it was a chat that no reply rule matched, in a scenario that has some. */
  readonly unmatched?: boolean | undefined
  /** Came at this time or later: milliseconds of the mock's clock, or so long ago: `'5s'`. */
  readonly since?: number | string | undefined
  /** Came at this time or earlier. */
  readonly until?: number | string | undefined
}
