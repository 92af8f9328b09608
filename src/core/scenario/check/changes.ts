/** Summarizes the changes between two scenarios for a log: `seed 7 -> 8`, `replies 3 -> 4`, `limits changed`. */
import type { ScenarioSource } from '../scenario-source.ts'

/**
 * The changes in the order of the scenario; empty if there are none. Lists and maps are counted, not shown: their names
 * may be API keys.
 * @example changesBetween({ description: 'x', seed: 7 }, { description: 'x', seed: 8 }) // ['seed 7 -> 8']
 */
export function changesBetween(before: ScenarioSource, after: ScenarioSource): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ScenarioSource>
  const changes: string[] = []
  for (const name of names) {
    const [oldValue, newValue] = [before[name], after[name]]
    if (JSON.stringify(oldValue) === JSON.stringify(newValue)) continue
    if (oldValue === undefined) changes.push(`${name} added`)
    else if (newValue === undefined) changes.push(`${name} removed`)
    else {
      const [from, to] = [summaryOf(oldValue), summaryOf(newValue)]
      const isShown = from !== undefined && to !== undefined && from !== to
      changes.push(isShown ? `${name} ${from} -> ${to}` : `${name} changed`)
    }
  }
  return changes
}

const MAX_VALUE_LENGTH = 30

/** A short value, or the number of items of a list or map; undefined for a text that is too long for one line. */
function summaryOf(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return String(Object.keys(value).length)
  const text = String(value)
  return text.length > MAX_VALUE_LENGTH || /\p{Cc}/u.test(text) ? undefined : text
}
