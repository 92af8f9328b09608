/** The options of a fault as the form shows them. */

/** One option of the catalogue. Kinds that are not known here are typed in as text, and the server judges them. */
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

/** What an option is when left out, as one would write it; '' where it has no default. */
export function defaultText({ kind, default: value }: FaultOption): string {
  if (value === undefined) return ''
  if (kind !== 'duration' || typeof value !== 'number') return String(value)
  return value % 1000 === 0 ? `${value / 1000}s` : `${value}ms`
}
