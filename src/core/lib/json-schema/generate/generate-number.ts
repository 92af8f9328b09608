/**
 * Generates a number within bounds, in steps, as readable as the bounds allow.
 *
 * Numbers are drawn as whole counts of a step: 19.99 is 1999 steps of 0.01. A step is the `multipleOf`, 1 for an integer,
 * and otherwise the last decimal. Counts are exact, however large the bounds and small the step.
 */
import { align, type Decimal, decimalOf, isMultiple } from '../decimal.ts'
import { NotFound, Unsatisfied } from '../json-schema.ts'
import { type NumberBounds, readBounds } from '../keywords.ts'
import { type NumberHint, suggestRange } from './name-values.ts'
import type { PartsGenerator } from './value-request.ts'

const MAX_DECIMALS = 345
/** The most counts to draw from. */
const MAX_WINDOW = 1_000_000n
const MAX_DRAWS = 24

export const generateNumber: PartsGenerator = (generator, parts, request, { attempt }) => {
  const { random } = generator
  const { name, path, taken } = request
  const bounds = readBounds(parts)
  const { from, to, isAbove, isBelow } = bounds
  const multiplesOf = parts.flatMap(({ multipleOf }) => (multipleOf === undefined ? [] : [multipleOf as number]))
  const isInteger = parts.some(({ type }) => {
    const types = [type].flat()
    return types.includes('integer') && !types.includes('number')
  })
  if (isInteger) multiplesOf.push(1)
  const hint = suggestRange(name)
  // The first attempts are readable; later ones draw from the whole allowed range.
  const isWide = attempt > 3
  // The last attempt takes the first multiple that is valid.
  const isInOrder = generator.isLast && multiplesOf.length > 0
  const maxDraws = isInOrder ? MAX_DRAWS + 2 * (taken?.size ?? 0) : MAX_DRAWS
  /** True if no multiple of the step, or no decimal at all, is within the bounds. */
  let isEmpty = false
  /** Draws a multiple of the step; undefined when none is allowed. */
  const draw = (step: Decimal): number | undefined => {
    const [first, last] = findWindow(step, bounds, hint, isWide)
    isEmpty = first > last
    let fallback: number | undefined
    for (let draws = 1; first <= last && draws <= maxDraws; draws++) {
      const above = isInOrder ? draws - 1 : draws === MAX_DRAWS ? 0 : random.below(Number(last - first) + 1)
      const count = first + BigInt(above)
      const value = Number(`${count * step.digits}e-${step.scale}`)
      // A decimal between the bounds may be rounded to a number that is not.
      const isWithin = (isAbove ? value > from : value >= from) && (isBelow ? value < to : value <= to)
      if (!Number.isFinite(value) || !isWithin || !multiplesOf.every((each) => isMultiple(value, each))) continue
      if (isInOrder && generator.findProblem(request, value) !== undefined) continue
      // Prefer a number that is a multiple in binary floating point too, for validators that divide.
      if (multiplesOf.every((each) => Number.isInteger(value / each) && Math.abs(value / each) < 1e21)) return value
      fallback ??= value
    }
    return fallback
  }
  let value: number | undefined
  if (multiplesOf.length > 0) {
    // A multiple of the largest is often one of the others too; the rest is drawn again.
    value = draw(decimalOf(Math.max(...multiplesOf)))
  } else {
    // A number that need not be a multiple of anything has as few decimals as possible.
    let scale = isWide ? random.below(3) : hint.decimals
    for (; value === undefined && scale <= MAX_DECIMALS; scale++) value = draw({ digits: 1n, scale })
  }
  if (value !== undefined) return value
  const problem = `no ${isInteger ? 'integer' : 'number'} ${describe(bounds, multiplesOf)}`
  if (isEmpty) throw new Unsatisfied(problem, path)
  throw new NotFound(problem, path, Math.max(from, Math.min(to, 0)))
}

/** The first and the last count to draw from: the hinted range, moved into the allowed one and cut to it. */
function findWindow(step: Decimal, bounds: NumberBounds, hint: NumberHint, isWide: boolean): [bigint, bigint] {
  const { from, to, isAbove, isBelow } = bounds
  const least = Number.isFinite(from) ? countSteps(from, step, isAbove) : undefined
  const most = Number.isFinite(to) ? -countSteps(-to, step, isBelow) : undefined
  if (least !== undefined && most !== undefined && least > most) return [least, most]
  let first = countSteps(hint.from, step, false)
  let last = -countSteps(-hint.to, step, false)
  // One step may be larger than the hinted range.
  if (last < first) last = first
  if (isWide) [first, last] = [first - MAX_WINDOW / 4n, last + MAX_WINDOW / 4n]
  const size = last - first < 1n ? 9n : last - first
  if (least !== undefined && first < least) [first, last] = [least, last < least ? least + size : last]
  if (most !== undefined && last > most) [first, last] = [first > most ? most - size : first, most]
  if (least !== undefined && first < least) first = least
  return [first, last - first > MAX_WINDOW ? first + MAX_WINDOW : last]
}

/** The smallest number of steps that is not below the bound, or is above it. */
function countSteps(bound: number, step: Decimal, isAbove: boolean): bigint {
  const [digits, unit] = align(decimalOf(bound), step)
  const whole = digits / unit
  if (whole * unit === digits) return isAbove ? whole + 1n : whole
  return digits > 0n ? whole + 1n : whole
}

/** `from 11 to 19 is a multiple of 10`: the end of a message that no number does. */
function describe({ from, to, isAbove, isBelow }: NumberBounds, multiplesOf: readonly number[]): string {
  const multiples = multiplesOf.filter((each) => each !== 1)
  const words = [
    Number.isFinite(from) ? `${isAbove ? 'above' : 'from'} ${from}` : '',
    Number.isFinite(to) ? `${isBelow ? (Number.isFinite(from) ? 'and below' : 'below') : 'to'} ${to}` : '',
    multiples.length > 0 ? `is a multiple of ${multiples.join(' and of ')}` : '',
  ]
  return words.filter((word) => word !== '').join(' ') || 'fits'
}
