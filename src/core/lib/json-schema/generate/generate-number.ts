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

/** The most decimals that are tried. The smallest number above 0, 5e-324, has 324. */
const MAX_DECIMALS = 345
/** The size of a window where the hinted range is a single count. */
const USUAL_WINDOW = 9n
/** The largest window. */
const MAX_WINDOW = 1_000_000n
const MAX_DRAWS = 24

export const generateNumber: PartsGenerator = (generator, parts, request, { attempt }) => {
  const { random } = generator
  const { name, path, taken } = request
  const bounds = readBounds(parts)
  const isInteger = parts.some(({ type }) => [type].flat().includes('integer') && ![type].flat().includes('number'))
  const multiplesOf = parts.flatMap(({ multipleOf }) => (multipleOf === undefined ? [] : [multipleOf as number]))
  if (isInteger) multiplesOf.push(1)
  // Two settings that do not depend on each other: `isInOrder` for the counts of a window, `isWide` for the window.
  // The last run tries the multiples in their order, until one is valid.
  const isInOrder = generator.isLastRun && multiplesOf.length > 0
  const maxDraws = isInOrder ? MAX_DRAWS + 2 * (taken?.size ?? 0) : MAX_DRAWS
  const isValid = (value: number): boolean =>
    isWithin(value, bounds) &&
    multiplesOf.every((each) => isMultiple(value, each)) &&
    (!isInOrder || generator.findProblem(request, value) === undefined)

  const hint = suggestRange(name)
  // The first attempts are readable; later ones draw from the whole allowed range.
  const isWide = attempt > 3
  const fewestDecimals = isWide && multiplesOf.length === 0 ? random.below(3) : hint.decimals
  /** True if the last step that was tried, the finest, has no count within the bounds. Then no number is. */
  let isEmpty = false
  for (const step of stepsOf(multiplesOf, fewestDecimals)) {
    const [first, last] = findWindow(step, bounds, hint, isWide)
    isEmpty = first > last
    let fallback: number | undefined
    for (let draw = 1; first <= last && draw <= maxDraws; draw++) {
      // The last draw is the first count. So a number that is valid only at the lower bound is found, whatever was drawn.
      let count = first
      if (isInOrder) count += BigInt(draw - 1)
      else if (draw < MAX_DRAWS) count += BigInt(random.below(Number(last - first) + 1))
      const value = Number(`${count * step.digits}e-${step.scale}`)
      if (!isValid(value)) continue
      // Prefer a number that is a multiple in binary floating point too, for validators that divide.
      if (multiplesOf.every((each) => Number.isInteger(value / each) && Math.abs(value / each) < 1e21)) return value
      fallback ??= value
    }
    if (fallback !== undefined) return fallback
  }
  const problem = `no ${isInteger ? 'integer' : 'number'} ${describe(bounds, multiplesOf)}`
  if (isEmpty) throw new Unsatisfied(problem, path)
  throw new NotFound(problem, path, Math.max(bounds.from, Math.min(bounds.to, 0)))
}

/** False also for a decimal between the bounds that is rounded to a number outside of them. */
const isWithin = (value: number, { from, to, isAbove, isBelow }: NumberBounds): boolean =>
  Number.isFinite(value) && (isAbove ? value > from : value >= from) && (isBelow ? value < to : value <= to)

/** The steps to try: the largest `multipleOf`, or else decimals, as few as possible. */
function* stepsOf(multiplesOf: readonly number[], fewestDecimals: number): Iterable<Decimal> {
  // A multiple of the largest is often one of the others too; the rest is drawn again.
  if (multiplesOf.length > 0) return yield decimalOf(Math.max(...multiplesOf))
  for (let scale = fewestDecimals; scale <= MAX_DECIMALS; scale++) yield { digits: 1n, scale }
}

/**
 * The first and the last count to draw from: the hinted range, moved into the allowed one and cut to it. Without an allowed
 * count, the first is above the last. For an `age`, which is hinted from 18 to 80, in steps of 1:
 *
 *     { minimum: 30 }                 30 to 80      cut
 *     { minimum: 500 }                500 to 562    moved up with its size
 *     { minimum: 0, maximum: 10 }     0 to 10       moved down to -52, then cut
 */
function findWindow(step: Decimal, bounds: NumberBounds, hint: NumberHint, isWide: boolean): [bigint, bigint] {
  const { from, to, isAbove, isBelow } = bounds
  const least = Number.isFinite(from) ? firstCount(from, step, isAbove) : undefined
  const most = Number.isFinite(to) ? lastCount(to, step, isBelow) : undefined
  if (least !== undefined && most !== undefined && least > most) return [least, most]
  let first = firstCount(hint.from, step)
  let last = lastCount(hint.to, step)
  // One step may be larger than the hinted range.
  if (last < first) last = first
  if (isWide) [first, last] = [first - MAX_WINDOW / 4n, last + MAX_WINDOW / 4n]
  // Moved up, cut below, moved down, cut above.
  const size = last > first ? last - first : USUAL_WINDOW
  if (least !== undefined && last < least) last = least + size
  if (least !== undefined && first < least) first = least
  if (most !== undefined && first > most) first = most - size
  if (most !== undefined && last > most) last = most
  // A window that was moved down may begin below the least count.
  if (least !== undefined && first < least) first = least
  return [first, last - first > MAX_WINDOW ? first + MAX_WINDOW : last]
}

/** The smallest number of steps that is not below the bound, or is above it. */
function firstCount(bound: number, step: Decimal, isAbove = false): bigint {
  const [digits, unit] = align(decimalOf(bound), step)
  const whole = digits / unit
  if (whole * unit === digits) return isAbove ? whole + 1n : whole
  return digits > 0n ? whole + 1n : whole
}

/** The largest number of steps that is not above the bound, or is below it. */
const lastCount = (bound: number, step: Decimal, isBelow = false): bigint => -firstCount(-bound, step, isBelow)

/** `from 11 to 19 is a multiple of 10`: the end of a message that begins with `no integer`. */
function describe({ from, to, isAbove, isBelow }: NumberBounds, multiplesOf: readonly number[]): string {
  const multiples = multiplesOf.filter((each) => each !== 1)
  const hasFrom = Number.isFinite(from)
  const below = hasFrom ? 'and below' : 'below'
  const words = [
    hasFrom ? `${isAbove ? 'above' : 'from'} ${from}` : '',
    Number.isFinite(to) ? `${isBelow ? below : 'to'} ${to}` : '',
    multiples.length > 0 ? `is a multiple of ${multiples.join(' and of ')}` : '',
  ]
  return words.filter((word) => word !== '').join(' ') || 'fits'
}
