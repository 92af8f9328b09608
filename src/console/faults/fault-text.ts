/** The faults of the catalogue as a list to choose from: grouped by kind, with their status, filtered by words. */
import type { Fault, OptionSpec } from '../../core/protocol/faults/fault.ts'
import type { InjectedFault } from '../../engine/injection.ts'
import { formatCount } from '../parts/format.ts'

export type CatalogueFault = Pick<Fault, 'name' | 'kind' | 'summary' | 'options'>

export interface FaultGroup {
  readonly kind: Fault['kind']
  readonly title: string
  readonly faults: readonly CatalogueFault[]
}

const TITLES: Readonly<Record<Fault['kind'], string>> = {
  answer: 'Errors',
  semantic: 'Wrong answers',
  wire: 'Broken, cut off and slow answers',
  stream: 'Broken events of a stream',
}

/** The groups with faults that have all the words in their name, kind or summary, in any case. */
export function groupFaults(faults: readonly CatalogueFault[], text = ''): FaultGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const isFound = ({ name, kind, summary }: CatalogueFault): boolean => {
    const searched = `${name} ${name.replaceAll('-', ' ')} ${TITLES[kind]} ${summary}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  }
  const kinds = [...new Set(faults.map(({ kind }) => kind))]
  return kinds
    .map((kind) => ({ kind, title: TITLES[kind], faults: faults.filter((one) => one.kind === kind && isFound(one)) }))
    .filter((group) => group.faults.length > 0)
}

/** `429: too many requests.` as its status and the rest. A fault that keeps the status of the answer has none. */
export function splitSummary(summary: string): { readonly status?: number; readonly text: string } {
  const match = /^(\d{3}): (.)(.*)$/s.exec(summary)
  return match === null ? { text: summary } : { status: Number(match[1]), text: match[2]!.toUpperCase() + match[3]! }
}

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

/** The default of an option as a user would write it; '' without one. */
export function formatDefault({ kind, default: value }: OptionSpec): string {
  if (value === undefined) return ''
  if (kind !== 'duration') return String(value)
  return formatDuration(value)
}

/** `3s`, `1500ms`. */
export const formatDuration = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`)
