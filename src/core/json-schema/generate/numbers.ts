/** A number within bounds, in steps, as readable as the bounds allow. */
import type { Random } from '../../random/random.ts'
import { type Decimal, decimalOf, digitsAt, isMultiple, leastCommonMultiple, numberOf } from '../decimal.ts'
import { type SchemaObject, Unsatisfied } from '../schema.ts'

/** Where a number is looked for first. */
export interface NumberHint {
  readonly from: number
  readonly to: number
  /** Digits after the point, for a number that may have some. */
  readonly decimals: number
}

interface Bounds {
  readonly from: number
  readonly to: number
  readonly isAbove: boolean
  readonly isBelow: boolean
}

const MAX_DECIMALS = 345
const WINDOW = 1_000_000n
const DRAWS = 24

/** Throws `Unsatisfied` when there is none. `isWide` looks in all of the allowed range at once. */
export function makeNumber(
  parts: readonly SchemaObject[],
  hint: NumberHint,
  random: Random,
  isWide: boolean,
  path: string,
): number {
  const bounds = boundsOf(parts)
  const steps = parts.flatMap(({ multipleOf }) => (multipleOf === undefined ? [] : [multipleOf as number]))
  const isInteger = parts.some(({ type }) => {
    const types = [type].flat()
    return types.includes('integer') && !types.includes('number')
  })
  if (isInteger) steps.push(1)
  const fits = (value: number): boolean =>
    Number.isFinite(value) &&
    (bounds.isAbove ? value > bounds.from : value >= bounds.from) &&
    (bounds.isBelow ? value < bounds.to : value <= bounds.to)
  if (steps.length > 0) {
    const step = steps.map(decimalOf).reduce(leastCommonMultiple)
    const value = draw(
      step,
      bounds,
      hint,
      random,
      isWide,
      (found) => fits(found) && steps.every((each) => isMultiple(found, each)),
      steps,
    )
    if (value !== undefined) return value
    throw new Unsatisfied(`no ${isInteger ? 'integer' : 'number'} ${described(bounds, steps)}`, path)
  }
  const first = isWide ? random.below(3) : hint.decimals
  for (let decimals = first; decimals <= MAX_DECIMALS; decimals++) {
    const value = draw({ digits: 1n, scale: decimals }, bounds, hint, random, isWide, fits, [])
    if (value !== undefined) return value
  }
  throw new Unsatisfied(`no number ${described(bounds, [])}`, path)
}

function boundsOf(parts: readonly SchemaObject[]): Bounds {
  let [from, to, isAbove, isBelow] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, false, false]
  const raise = (bound: unknown, isExclusive: boolean): void => {
    if (typeof bound !== 'number' || bound < from || (bound === from && isAbove)) return
    from = bound
    isAbove = isExclusive
  }
  const lower = (bound: unknown, isExclusive: boolean): void => {
    if (typeof bound !== 'number' || bound > to || (bound === to && isBelow)) return
    to = bound
    isBelow = isExclusive
  }
  for (const part of parts) {
    raise(part.minimum, part.exclusiveMinimum === true)
    raise(part.exclusiveMinimum, true)
    lower(part.maximum, part.exclusiveMaximum === true)
    lower(part.exclusiveMaximum, true)
  }
  return { from, to, isAbove, isBelow }
}

function draw(
  step: Decimal,
  bounds: Bounds,
  hint: NumberHint,
  random: Random,
  isWide: boolean,
  fits: (value: number) => boolean,
  steps: readonly number[],
): number | undefined {
  const least = Number.isFinite(bounds.from) ? roundUp(bounds.from, step, bounds.isAbove) : undefined
  const most = Number.isFinite(bounds.to) ? -roundUp(-bounds.to, step, bounds.isBelow) : undefined
  if (least !== undefined && most !== undefined && least > most) return undefined
  const [from, to] = windowOf(least, most, step, hint, isWide)
  let fallback: number | undefined
  for (let i = 0; i < DRAWS; i++) {
    const multiple = i === DRAWS - 1 ? from : from + BigInt(random.below(Number(to - from) + 1))
    const value = numberOf({ digits: multiple * step.digits, scale: step.scale })
    if (!fits(value)) continue
    // Validators that divide in binary must come to a whole number too, where any multiple lets them.
    if (steps.every((each) => Number.isInteger(value / each) && Math.abs(value / each) < 1e21)) return value
    fallback ??= value
  }
  return fallback
}

/** The smallest multiple, in steps, that is not below (or is above) the bound. */
function roundUp(bound: number, step: Decimal, isAbove: boolean): bigint {
  const exact = decimalOf(bound)
  const scale = Math.max(exact.scale, step.scale)
  const [digits, unit] = [digitsAt(exact, scale), digitsAt(step, scale)]
  const whole = digits / unit
  const isExact = whole * unit === digits
  if (isExact) return isAbove ? whole + 1n : whole
  return digits > 0n ? whole + 1n : whole
}

function windowOf(
  least: bigint | undefined,
  most: bigint | undefined,
  step: Decimal,
  hint: NumberHint,
  isWide: boolean,
): [from: bigint, to: bigint] {
  let from = roundUp(hint.from, step, false)
  let to = -roundUp(-hint.to, step, false)
  // Steps larger than the hinted range.
  if (to < from) to = from
  if (isWide) [from, to] = [from - WINDOW / 4n, to + WINDOW / 4n]
  const size = to - from < 1n ? 9n : to - from
  if (least !== undefined && from < least) [from, to] = [least, to < least ? least + size : to]
  if (most !== undefined && to > most) [from, to] = [from > most ? most - size : from, most]
  if (least !== undefined && from < least) from = least
  if (to - from > WINDOW) to = from + WINDOW
  return [from, to]
}

function described({ from, to, isAbove, isBelow }: Bounds, steps: readonly number[]): string {
  const words = [
    Number.isFinite(from) ? `${isAbove ? 'above' : 'from'} ${from}` : '',
    Number.isFinite(to) ? `${isBelow ? (Number.isFinite(from) ? 'and below' : 'below') : 'to'} ${to}` : '',
    steps.some((step) => step !== 1) ? `is a multiple of ${steps.filter((step) => step !== 1).join(' and of ')}` : '',
  ]
  return words.filter((word) => word !== '').join(' ') || 'fits'
}
