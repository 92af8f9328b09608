/** How long a text, an array or an object may be. */
import { type SchemaObject, SchemaProblem, Unsatisfied } from '../schema.ts'

/** A pair of keywords such as `minItems` and `maxItems`. */
type SizeKeyword = 'Items' | 'Length' | 'Properties'

export interface SizeRange {
  readonly min: number
  readonly max: number
}

/** The sizes that all schemas allow. Throws when there are none, or when the smallest is above `limit`. */
export function readSizeRange(
  parts: readonly SchemaObject[],
  keyword: SizeKeyword,
  limit: number,
  path: string,
): SizeRange {
  let [min, max] = [0, Number.POSITIVE_INFINITY]
  for (const part of parts as readonly Readonly<Record<string, number | undefined>>[]) {
    min = Math.max(min, part[`min${keyword}`] ?? min)
    max = Math.min(max, part[`max${keyword}`] ?? max)
  }
  if (min > max) throw new Unsatisfied(`min${keyword} ${min} is above max${keyword} ${max}`, path)
  if (min > limit) throw new SchemaProblem(`min${keyword} ${min} is above the limit of ${limit}`, path)
  return { min, max }
}
