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

/**
 * The faults by kind, with their summaries split.
 * @param searched words that must all be in the name, kind or summary of a fault, in any case.
 */
export function groupFaults(faults: readonly KnownFault[], searched = '') {
  const words = searched.toLowerCase().split(/\s+/).filter(Boolean)
  const hasWords = ({ name, kind, summary }: KnownFault): boolean => {
    const text = `${name} ${name.replaceAll('-', ' ')} ${TITLES[kind]} ${summary}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  const matching = faults.filter(hasWords)
  const kinds = [...new Set(matching.map(({ kind }) => kind))]
  return kinds.map((kind) => ({
    kind,
    title: TITLES[kind],
    faults: matching
      .filter((fault) => fault.kind === kind)
      .map(({ name, summary }) => ({ name, ...splitSummary(summary) })),
  }))
}

/**
 * The summary of a fault as the status of its answer and the rest. A fault that keeps the status of the answer has none.
 * @example splitSummary('429: too many requests.') // { status: 429, text: 'Too many requests.' }
 */
export function splitSummary(summary: string): { readonly status: number | undefined; readonly text: string } {
  const [, status, initial = '', rest = ''] = /^(\d{3}): (.)(.*)$/s.exec(summary) ?? []
  if (status === undefined) return { status: undefined, text: summary }
  return { status: Number(status), text: initial.toUpperCase() + rest }
}

/** @example describeCalls({ remaining: 2, endpoint: 'chat', skip: 3 }) // 'after 3 calls, the next 2 calls to chat' */
export function describeCalls(injected: Omit<InjectedFault, 'id' | 'fault' | 'options'>): string {
  const { remaining, skip, endpoint, model, key, session } = injected
  const delay = skip === undefined ? '' : `after ${formatCount(skip, 'call')}, `
  const next = remaining === 1 ? 'the next call' : `the next ${formatCount(remaining, 'call')}`
  const target = endpoint === undefined ? '' : ` to ${endpoint}`
  // An empty session is that of the calls which name none.
  const fields = Object.entries({ model, key, session }).filter(([, value]) => value)
  const scope = fields.length === 0 ? '' : ` with ${fields.map(([name, value]) => `${name} ${value}`).join(' and ')}`
  return delay + next + target + scope
}

/**
 * The options of an injected fault, which are those that are not at their default.
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
