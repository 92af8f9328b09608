/** Reads what `mock.inject` is given: a fault, its options, and the calls it is for. */

import { readFault } from '../core/faults/read-fault.ts'
import { isModelEndpoint, MODEL_ENDPOINTS, type ModelEndpoint } from '../core/request/endpoints.ts'
import type { Injection } from '../core/state/session-store.ts'

/** How a fault is injected. */
export interface InjectOptions {
  /** How many calls it applies to. Default: 1. */
  readonly times?: number
  /** Only calls to this endpoint. Default: all that read a body. */
  readonly endpoint?: ModelEndpoint
  /** Only calls with this key. Default: any. */
  readonly key?: string
  /** The fault's own options, such as `retryAfter: '2s'` or `after: 3`. */
  readonly [option: string]: string | number | undefined
}

/** @throws when there is no such fault, or an option is unknown or has a wrong value. */
export function readInjection(fault: string | number, options: InjectOptions): Injection {
  const { times = 1, endpoint, key, ...own } = options
  const refuse = (what: string, found: unknown, expected: string): never => {
    const shown = typeof found === 'object' ? 'an object' : found
    throw new Error(`Failed to inject '${fault}': expected ${what} to be ${expected}, got ${shown}.`)
  }
  if (!Number.isInteger(times) || times < 1) refuse('times', times, 'a whole number from 1')
  if (endpoint !== undefined && !isModelEndpoint(endpoint)) {
    refuse('endpoint', `'${endpoint}'`, MODEL_ENDPOINTS.join(' or '))
  }
  if (key !== undefined && typeof key !== 'string') refuse('key', key, 'the text of a key')
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))
  const reading = readFault(fault, given)
  if ('problem' in reading) throw new Error(`Failed to inject: ${reading.problem}`)
  return {
    name: String(fault),
    configured: reading.configured,
    remaining: times,
    match: (facts) =>
      (endpoint === undefined || facts.endpoint === endpoint) && (key === undefined || facts.key === key)
        ? {}
        : undefined,
  }
}
