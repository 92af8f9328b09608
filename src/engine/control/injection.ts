/**
 * Injected faults: reading the options of `mock.inject`, and describing what they became.
 *
 *     mock.inject('rate-limit', { times: 2, retryAfter: 0 })
 *     ->  { id: 1, fault: 'rate-limit', options: { retryAfter: 0 }, remaining: 2 }
 */

import type { Injection } from '../../core/decide/state/mock-state.ts'
import { callerOf, SESSION_OPTION } from '../../core/decide/state/session-id.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import { maskKey } from '../../core/lib/text/mask-keys.ts'
import {
  checkObject,
  checkOptions,
  invalidOption,
  type OptionChecks,
  TEXT,
  wholeNumber,
} from '../../core/protocol/errors/check-options.ts'
import { MockError } from '../../core/protocol/errors/mock-error.ts'
import { readFault } from '../../core/protocol/faults/read-fault.ts'
import { isModelEndpoint, MODEL_ENDPOINTS, type ModelEndpoint } from '../../core/protocol/request/endpoints.ts'

/** Options of an injection, beside those of the fault itself. */
export interface InjectOptions {
  /** The number of calls it applies to, from 1. Default: 1. */
  readonly times?: number | undefined
  /** The number of matching calls that are answered as usual before it applies. Default: 0. */
  readonly skip?: number | undefined
  /** Only calls to this endpoint. Default: every endpoint, the list of models included. */
  readonly endpoint?: ModelEndpoint | undefined
  /** Only calls with this key. Default: any. */
  readonly key?: string | undefined
  /** Only calls of this session. Default: any, and those without a session. */
  readonly session?: string | undefined
}

const CHECKS: OptionChecks<InjectOptions> = {
  times: wholeNumber(1),
  endpoint: {
    expected: MODEL_ENDPOINTS.join(' or '),
    isValid: (value) => typeof value === 'string' && isModelEndpoint(value),
  },
  key: { expected: 'the text of a key', isValid: TEXT.isValid },
  session: SESSION_OPTION,
  skip: wholeNumber(0),
}

/** An injected fault that has calls left to apply to. */
export interface InjectedFault {
  /** Names it, to cancel it. */
  readonly id: number
  readonly fault: string
  /** The options of the fault that are not at their default. */
  readonly options: Readonly<Record<string, number | string>>
  /** Number of calls that it still applies to. */
  readonly remaining: number
  /** Number of calls that are answered as usual before it applies; left out for none. */
  readonly skip?: number
  /** Only calls to this endpoint, with this model or this key (masked), or of this session; left out for any. '' is no session. */
  readonly endpoint?: string
  readonly model?: string
  readonly key?: string
  readonly session?: string
}

/**
 * Reads a fault and its options.
 * @param like only calls with its key, endpoint, model and session.
 * @throws MockError when there is no such fault, or an option is unknown or has a wrong value.
 */
export function readInjection(fault: string | number, options: object, id: number, like?: JournalEntry): Injection {
  if (typeof fault !== 'string' && typeof fault !== 'number') {
    throw invalidOption('inject', 'the fault', "a name such as 'rate-limit' or a status such as 503", fault)
  }
  checkObject('inject', 'the options', options)
  const { times = 1, skip = 0, endpoint, key, session, ...ofFault } = options as InjectOptions & Record<string, unknown>
  checkOptions(`Failed to inject '${fault}'`, { times, skip, endpoint, key, session }, CHECKS)
  const faultOptions = Object.fromEntries(Object.entries(ofFault).filter(([, value]) => value !== undefined))
  const reading = readFault(fault, faultOptions, Object.keys(CHECKS))
  if ('problem' in reading) throw new MockError(reading.code, `Failed to inject: ${reading.problem}`)
  // As people see them: the journal has masked keys only.
  const shownKey = like?.key ?? (key === undefined ? undefined : maskKey(key))
  const shownEndpoint = like?.endpoint ?? endpoint
  // A call without a session is like others without one.
  const sessionOfLike = like === undefined ? undefined : (like.session ?? '')
  const sessionName = session ?? sessionOfLike
  return {
    id,
    name: String(fault),
    configured: reading.configured,
    delay: skip,
    remaining: times,
    ...(sessionName !== undefined && { session: sessionName }),
    only: {
      ...(shownEndpoint !== undefined && { endpoint: shownEndpoint }),
      ...(like !== undefined && like.model !== '' && { model: like.model }),
      ...(shownKey !== undefined && { key: shownKey }),
    },
    // As a condition does it: {} for a call that matches.
    match(facts) {
      if (endpoint !== undefined && facts.endpoint !== endpoint) return undefined
      if (key !== undefined && facts.key !== key) return undefined
      if (like === undefined) return {}
      // The journal has no whole keys, so callers are compared.
      const isLike =
        facts.endpoint === like.endpoint && facts.model === like.model && callerOf(facts.key) === like.caller
      return isLike ? {} : undefined
    },
  }
}

/** An injection for users. */
export function describeInjection(injection: Injection): InjectedFault {
  const { id, name, configured, remaining, delay, only, session } = injection
  const shownOptions: Record<string, number | string> = {}
  for (const [option, value] of Object.entries(configured.options)) {
    const isDefault = value === undefined || value === configured.fault.options[option]?.default
    // Of the fault 503, the status is its name.
    if (!isDefault && String(value) !== name) shownOptions[option] = value
  }
  return {
    id,
    fault: name,
    options: shownOptions,
    remaining,
    ...(delay > 0 && { skip: delay }),
    ...only,
    ...(session !== undefined && { session }),
  }
}
