/** Pending faults as text: which calls get them, and how many. */

import type { OptionSpec } from '../../core/protocol/faults/fault.ts'
import type { InjectedFault } from '../../engine/injection.ts'
import { formatCount } from '../parts/format.ts'
import { formatDuration } from './options.ts'

type Scope = Pick<InjectedFault, 'endpoint' | 'model' | 'key' | 'session'>

/** @example describeCalls({ remaining: 2, endpoint: 'chat', after: 3 }) // 'after 3 calls, the next 2 calls to chat' */
export function describeCalls({
  remaining,
  after,
  ...scope
}: Scope & Pick<InjectedFault, 'remaining' | 'after'>): string {
  const next = remaining === 1 ? 'the next call' : `the next ${remaining.toLocaleString('en')} calls`
  return `${after === undefined ? '' : `after ${formatCount(after, 'call')}, `}${next}${describeScope(scope)}`
}

/** Which calls: ` to chat, with model gpt-4o and key sk-****st`. */
function describeScope({ endpoint, model, key, session }: Scope): string {
  const details = [
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(key === undefined || key === '' ? [] : [`key ${key}`]),
    ...(session === undefined || session === '' ? [] : [`session ${session}`]),
  ]
  return `${endpoint === undefined ? '' : ` to ${endpoint}`}${details.length === 0 ? '' : ` with ${details.join(' and ')}`}`
}

/**
 * The options that are not at their default.
 * @param specs the options of the fault.
 * @example describeOptions({ retryAfter: 2000 }, { retryAfter: { kind: 'duration', summary: '' } }) // 'retryAfter 2s'
 */
export function describeOptions(
  options: InjectedFault['options'],
  specs: Readonly<Record<string, OptionSpec>>,
): string {
  return Object.entries(options)
    .map(([name, value]) => `${name} ${specs[name]?.kind === 'duration' ? formatDuration(Number(value)) : value}`)
    .join(', ')
}
