/** Writes the options of a fault as a scenario writes them. */
import type { ConfiguredFault } from './fault.ts'

/**
 * The options that are not at their default; undefined when there are none.
 * @example writeOptions(fault) // { after: 2, end: 'clean' }, or { retryAfter: '1500ms' }
 */
export function writeOptions({
  fault,
  options,
}: ConfiguredFault): Readonly<Record<string, string | number>> | undefined {
  let written: Record<string, string | number> | undefined
  for (const name in options) {
    const value = options[name]
    const spec = fault.options[name]
    if (value === undefined || spec === undefined || value === spec.default) continue
    written ??= {}
    written[name] = spec.kind === 'duration' ? `${value}ms` : value
  }
  return written
}
