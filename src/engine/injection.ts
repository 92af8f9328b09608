/** Reads what `mock.inject` is given: a fault, its options, and the calls it is for. */

import { checkObject, invalidOption } from '../core/errors/check-options.ts'
import { MockError } from '../core/errors/mock-error.ts'
import { readFault } from '../core/faults/read-fault.ts'
import { isModelEndpoint, MODEL_ENDPOINTS, type ModelEndpoint } from '../core/request/endpoints.ts'
import type { Injection } from '../core/state/mock-state.ts'
import { isSessionName, SESSION_OPTION } from '../core/state/session-id.ts'

/** How a fault is injected, beside the options of the fault itself. */
export interface InjectOptions {
  /** The number of calls it applies to, from 1. Default: 1. */
  readonly times?: number | undefined
  /** Only calls to this endpoint. Default: every endpoint, the list of models included. */
  readonly endpoint?: ModelEndpoint | undefined
  /** Only calls with this key. Default: any. */
  readonly key?: string | undefined
  /** Only calls of this session. Default: any, and those without a session. */
  readonly session?: string | undefined
}

const OWN_OPTIONS: readonly (keyof InjectOptions)[] = ['times', 'endpoint', 'key', 'session']

/** @throws MockError when there is no such fault, or an option is unknown or has a wrong value. */
export function readInjection(fault: string | number, options: object): Injection {
  checkObject('inject', 'the options', options)
  const { times = 1, endpoint, key, session, ...others } = options as Readonly<Record<string, unknown>>
  const refuse = (name: string, expected: string, value: unknown): never => {
    throw invalidOption(`Failed to inject '${fault}'`, name, expected, value)
  }
  if (typeof times !== 'number' || !Number.isInteger(times) || times < 1) {
    return refuse('times', 'a whole number from 1', times)
  }
  if (endpoint !== undefined && (typeof endpoint !== 'string' || !isModelEndpoint(endpoint))) {
    return refuse('endpoint', MODEL_ENDPOINTS.join(' or '), endpoint)
  }
  if (key !== undefined && typeof key !== 'string') return refuse('key', 'the text of a key', key)
  if (session !== undefined && !isSessionName(session)) return refuse('session', SESSION_OPTION.expected, session)
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
  const reading = readFault(fault, given, OWN_OPTIONS)
  if ('problem' in reading) {
    const [first = '', ...rest] = reading.problem
    throw new MockError(reading.code, `Failed to inject: ${first.toLowerCase()}${rest.join('')}`)
  }
  return {
    name: String(fault),
    configured: reading.configured,
    remaining: times,
    ...(session !== undefined && { session }),
    match: (facts) =>
      (endpoint === undefined || facts.endpoint === endpoint) && (key === undefined || facts.key === key)
        ? {}
        : undefined,
  }
}
