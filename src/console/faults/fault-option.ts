/** The options of a fault in the form. */

/** One option of the catalogue. Kinds unknown here are entered as text, which the server checks. */
export interface FaultOption {
  readonly kind: string
  readonly default?: string | number
  /** The values of a choice. */
  readonly of?: readonly string[]
  readonly summary: string
}

export interface CatalogueFault {
  readonly name: string
  readonly kind: string
  readonly summary: string
  readonly options: Readonly<Record<string, FaultOption>>
}

/** The default of an option as a user would write it; '' when there is none. */
export function formatDefault({ kind, default: value }: FaultOption): string {
  if (value === undefined) return ''
  if (kind !== 'duration' || typeof value !== 'number') return String(value)
  return value % 1000 === 0 ? `${value / 1000}s` : `${value}ms`
}
