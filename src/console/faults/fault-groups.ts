/** The faults of the catalogue as a list to choose from: grouped by kind, with their status, filtered by words. */
import type { Fault } from '../../core/protocol/faults/fault.ts'

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
