/** Finds items of `ignore` that make no difference. */
import { readPath } from '../../compile/ignore.ts'
import { patternParts } from '../../compile/pattern-text.ts'
import type { ScenarioSource } from '../../scenario-source.ts'
import type { Problem } from '../problem.ts'
import { shown } from '../problem-text.ts'

// Each path is compared with each other path.
const MAX_COMPARED = 100

export function findDeadIgnores({ ignore = [], replies = [], faults = [], states = {} }: ScenarioSource): Problem[] {
  const rules = [...replies, ...faults, ...Object.values(states).flatMap((state) => state.faults ?? [])]
  if (ignore.length > 0 && rules.every(({ when }) => when?.request === undefined)) {
    const message = 'has no effect: no rule has a recorded request (when.request) to compare a call with.'
    return [{ path: ['ignore'], message, isKey: true }]
  }
  return ignore.slice(0, MAX_COMPARED).flatMap((text, index) => {
    const other = ignore
      .slice(0, MAX_COMPARED)
      .find((one, place) => place !== index && covers(one, text, place < index))
    if (other === undefined) return []
    return [{ path: ['ignore', index], message: `has no effect: ${shown(other)} covers it. Remove this one.` }]
  })
}

/** @param isFirst whether the one comes before the other, which decides between two that are equal. */
function covers(one: string, other: string, isFirst: boolean): boolean {
  if (one === other) return isFirst
  if (patternParts(one) !== undefined || patternParts(other) !== undefined) return false
  const [outer, inner] = [readPath(one), readPath(other)]
  if (outer.length > inner.length) return false
  return outer.every((step, index) => step === inner[index] || (step === '[*]' && typeof inner[index] === 'number'))
}
