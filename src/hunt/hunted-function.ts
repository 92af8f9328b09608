/** The function that is hunted in process: what it is told of its run, and what is read of its end. */
import type { Mock } from '../index.ts'
import { describeFault } from './describe-findings.ts'
import { classOf, faultFields, faultText } from './search/fault-classes.ts'
import { isLasting, type PlannedFault } from './search/fault-set.ts'
import { type KnownCalls, knownCall, labelOf } from './search/known-calls.ts'

/** A fault that a run has. */
export interface RunFault {
  /** The call that it hits first: `POST chat "Hello"`. */
  readonly call: string
  /** `server-error`, as in the option `faults`. */
  readonly class: string
  /** The fault with its options: `cut; before=finish`. */
  readonly fault: string
  /** True if it never ends: on every attempt of its call, or on that and all later calls. */
  readonly isOutage: boolean
  /** The fault in words: `call 1 (POST chat "Hello", every attempt): hang`. */
  readonly text: string
}

/** The run of an app that happens now. */
export interface HuntRun {
  /** The faults of this run; none in a run without faults. */
  readonly faults: readonly RunFault[]
  /**
   * Reports a side effect, for `once`.
   * @param effect a name without spaces: `charge`
   * @param of tells effects apart of which each may happen once: `order-7`
   */
  did(effect: string, of?: string): void
}

/** The actions of a user of an app. They fail by throwing. */
export type HuntedFunction = (mock: Mock, run: HuntRun) => Promise<unknown>

/** The fault of a run, as the function is told of it. */
export function runFault(planned: PlannedFault, known: KnownCalls): RunFault {
  const call = knownCall(planned.call, known)
  return {
    call: labelOf(planned.call, known),
    class: classOf(planned.fault),
    fault: faultText(faultFields(planned.fault, call)),
    isOutage: isLasting(planned),
    text: describeFault(planned, known),
  }
}

/** Text of what an app returned. */
export function shownOf(value: unknown): string {
  try {
    return typeof value === 'string' ? value : (JSON.stringify(value, null, 1) ?? '')
  } catch {
    return ''
  }
}

/** An error as a text that names a failed assertion, which Jest throws as a plain Error. */
export function crashTextOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${'matcherResult' in error ? 'AssertionError' : error.name}: ${error.message}`
}
