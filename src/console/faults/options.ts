/** The options of faults as a form shows them. */
import type { OptionSpec } from '../../core/protocol/faults/fault.ts'

/** The default of an option as a user would write it; '' without one. */
export function formatDefault({ kind, default: value }: OptionSpec): string {
  if (value === undefined) return ''
  if (kind !== 'duration') return String(value)
  return formatDuration(value)
}

/** `3s`, `1500ms`. */
export const formatDuration = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`)
