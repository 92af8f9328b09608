/** The texts of the view of faults: the groups of the list, the options of a fault, and the calls that get a pending one. */
import type { Fault, OptionSpec } from '../../core/protocol/faults/fault.ts'
import type { InjectedFault } from '../../engine/index.ts'
import { formatCount, formatDuration } from '../parts/format.ts'

/** A fault that the mock knows. */
export type KnownFault = Pick<Fault, 'name' | 'kind' | 'summary' | 'options'>

/** The titles of the groups, by kind. */
const TITLES: Readonly<Record<Fault['kind'], string>> = {
  answer: 'Errors',
  semantic: 'Wrong answers',
  wire: 'Broken, cut off and slow answers',
  stream: 'Broken events of a stream',
}

/** The faults by kind, with their summaries split. @param text words that must all be in the name, kind or summary of a fault, in any case. */
export function groupFaults(faults: readonly KnownFault[], text = '') {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = faults.filter(({ name, kind, summary }) => {
    const searched = `${name} ${name.replaceAll('-', ' ')} ${TITLES[kind]} ${summary}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  })
  return [...new Set(found.map(({ kind }) => kind))].map((kind) => ({
    kind,
    title: TITLES[kind],
    faults: found.filter((one) => one.kind === kind).map(({ name, summary }) => ({ name, ...splitSummary(summary) })),
  }))
}

/** `429: too many requests.` as its status and the rest. A fault that keeps the status of the answer has none. */
export function splitSummary(summary: string): { readonly status?: number; readonly text: string } {
  const match = /^(\d{3}): (.)(.*)$/s.exec(summary)
  return match === null ? { text: summary } : { status: Number(match[1]), text: match[2]!.toUpperCase() + match[3]! }
}

/** @example describeCalls({ remaining: 2, endpoint: 'chat', skip: 3 }) // 'after 3 calls, the next 2 calls to chat' */
export function describeCalls(injected: Omit<InjectedFault, 'id' | 'fault' | 'options'>): string {
  const { remaining, skip, endpoint, model, key, session } = injected
  const delay = skip === undefined ? '' : `after ${formatCount(skip, 'call')}, `
  const next = remaining === 1 ? 'the next call' : `the next ${formatCount(remaining, 'call')}`
  const target = endpoint === undefined ? '' : ` to ${endpoint}`
  const fields = Object.entries({ model, key, session }).filter(([, value]) => value)
  const scope = fields.length === 0 ? '' : ` with ${fields.map(([name, value]) => `${name} ${value}`).join(' and ')}`
  return delay + next + target + scope
}

/**
 * The options that are not at their default.
 * @param specs the options of the fault.
 * @example describeOptions({ retryAfter: 2000 }, { retryAfter: { kind: 'duration', summary: '' } }) // 'retryAfter 2s'
 */
export function describeOptions(options: InjectedFault['options'], specs: KnownFault['options']): string {
  const isDuration = (name: string): boolean => specs[name]?.kind === 'duration'
  const texts = Object.entries(options).map(
    ([name, value]) => `${name} ${isDuration(name) ? formatDuration(Number(value)) : value}`,
  )
  return texts.join(', ')
}

/** The default of an option as a user would write it; '' without one. */
export const formatDefault = ({ kind, default: value }: OptionSpec): string =>
  kind === 'duration' && value !== undefined ? formatDuration(value) : String(value ?? '')
