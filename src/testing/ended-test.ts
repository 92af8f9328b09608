/**
 * The texts printed when a test ends: the calls of a failed test, and injected faults that applied to no call.
 *
 *     The mock got 1 call in the test 'answers':
 *       #1 POST /v1/chat/completions …
 */
import { formatCall } from '../core/journal/call-text.ts'
import { countOf, escapeControls } from '../core/lib/text/wording.ts'
import type { Mock } from '../index.ts'
import { listUnusedInjections } from './verification.ts'

const MAX_CALLS = 20

/** The calls of a failed test, with their notes. @param key the key of a concurrent test; undefined selects all calls. */
export function describeFailedTest(mock: Mock, name: string, key?: string): string {
  const calls = mock.calls({ key })
  if (calls.length === 0) return `The mock got no calls to ${mock.baseURL} in the test '${name}'.`
  const hidden = calls.length - MAX_CALLS
  return [
    `The mock got ${countOf(calls.length, 'call')} in the test '${name}':`,
    ...(hidden > 0 ? [`... ${countOf(hidden, 'earlier call')}`] : []),
    ...calls.slice(-MAX_CALLS).flatMap((call) => {
      const notes = [...call.notes, ...(call.nearMiss === undefined ? [] : [call.nearMiss.text])]
      return [formatCall(call), ...notes.map((note) => `  ${note}`)].map(escapeControls)
    }),
  ].join('\n  ')
}

/** A warning on the injected faults that applied to no call; undefined if there are none. */
export function describeUnusedInjections(mock: Mock, name: string): string | undefined {
  const unused = listUnusedInjections(mock)
  if (unused.length === 0) return undefined
  return `Warning: ${unused.join(' and ')} never applied to a call in the test '${name}'.`
}
