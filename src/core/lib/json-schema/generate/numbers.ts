/** Generates a number within bounds, in steps, as readable as the bounds allow. */
import type { Random } from '../../random/random.ts'
import { type Decimal, decimalOf, digitsAt, isMultiple, leastCommonMultiple, numberOf } from '../decimal.ts'
import { type SchemaObject, Unsatisfied } from '../schema.ts'

/** The range to draw from where the bounds allow it. */
export interface NumberHint {
  readonly from: number
  readonly to: number
  /** Digits after the point, for a number that is not an integer. */
  readonly decimals: number
}

interface Bounds {
  readonly from: number
  readonly to: number
  readonly isAbove: boolean
  readonly isBelow: boolean
}

interface NumberRequest {
  readonly bounds: Bounds
  /** What the number must be a multiple of. */
  readonly steps: readonly number[]
  readonly hint: NumberHint
  readonly random: Random
  readonly isWide: boolean
}

const MAX_DECIMALS = 345
const MAX_WINDOW = 1_000_000n
/** Far more than the largest number has at the smallest step. */
const MAX_DIGITS = 10n ** 1000n
const MAX_DRAWS = 24

/** Throws `Unsatisfied` when there is no such number. `isWide` draws from the whole allowed range at once. */
export function generateNumber(
  parts: readonly SchemaObject[],
  hint: NumberHint,
  random: Random,
  isWide: boolean,
  path: string,
): number {
  const steps = parts.flatMap(({ multipleOf }) => (multipleOf === undefined ? [] : [multipleOf as number]))
  const isInteger = parts.some(({ type }) => {
    const types = [type].flat()
    return types.includes('integer') && !types.includes('number')
  })
  if (isInteger) steps.push(1)
  const request = { bounds: readBounds(parts), steps, hint, random, isWide }
  const value = steps.length > 0 ? draw(commonMultiple(steps, path), request) : drawFree(request)
  if (value !== undefined) return value
  throw new Unsatisfied(`no ${isInteger ? 'integer' : 'number'} ${describe(request)}`, path)
}

/** The least number that is a multiple of all steps. @throws Unsatisfied when it is beyond all numbers of JSON. */
function commonMultiple(steps: readonly number[], path: string): Decimal {
  let common: Decimal | undefined
  for (const step of new Set(steps)) {
    common = common === undefined ? decimalOf(step) : leastCommonMultiple(common, decimalOf(step))
    if (common.digits > MAX_DIGITS) throw new Unsatisfied('no number is a multiple of all its steps', path)
  }
  return common!
}

/** A number that need not be a multiple of anything: with as few decimals as possible. */
function drawFree(request: NumberRequest): number | undefined {
  const first = request.isWide ? request.random.below(3) : request.hint.decimals
  for (let decimals = first; decimals <= MAX_DECIMALS; decimals++) {
    const value = draw({ digits: 1n, scale: decimals }, request)
    if (value !== undefined) return value
  }
  return undefined
}

function readBounds(parts: readonly SchemaObject[]): Bounds {
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

/** Draws a multiple of `step`. */
function draw(step: Decimal, request: NumberRequest): number | undefined {
  const { bounds, steps, random } = request
  const least = Number.isFinite(bounds.from) ? countSteps(bounds.from, step, bounds.isAbove) : undefined
  const most = Number.isFinite(bounds.to) ? -countSteps(-bounds.to, step, bounds.isBelow) : undefined
  if (least !== undefined && most !== undefined && least > most) return undefined
  const [from, to] = chooseWindow(least, most, step, request)
  let fallback: number | undefined
  for (let i = 0; i < MAX_DRAWS; i++) {
    const multiple = i === MAX_DRAWS - 1 ? from : from + BigInt(random.below(Number(to - from) + 1))
    const value = numberOf({ digits: multiple * step.digits, scale: step.scale })
    if (!isWithin(value, bounds) || !steps.every((each) => isMultiple(value, each))) continue
    // Prefer a number that is a multiple in binary floating point too, for validators that divide.
    if (steps.every((each) => Number.isInteger(value / each) && Math.abs(value / each) < 1e21)) return value
    fallback ??= value
  }
  return fallback
}

const isWithin = (value: number, { from, to, isAbove, isBelow }: Bounds): boolean =>
  Number.isFinite(value) && (isAbove ? value > from : value >= from) && (isBelow ? value < to : value <= to)

/** The smallest number of steps that is not below the bound, or is above it. */
function countSteps(bound: number, step: Decimal, isAbove: boolean): bigint {
  const exact = decimalOf(bound)
  const scale = Math.max(exact.scale, step.scale)
  const [digits, unit] = [digitsAt(exact, scale), digitsAt(step, scale)]
  const whole = digits / unit
  if (whole * unit === digits) return isAbove ? whole + 1n : whole
  return digits > 0n ? whole + 1n : whole
}

/** The range to draw from, in steps: the hinted one, moved and cut to what is allowed. */
function chooseWindow(
  least: bigint | undefined,
  most: bigint | undefined,
  step: Decimal,
  { hint, isWide }: NumberRequest,
): [from: bigint, to: bigint] {
  let from = countSteps(hint.from, step, false)
  let to = -countSteps(-hint.to, step, false)
  // One step may be larger than the hinted range.
  if (to < from) to = from
  if (isWide) [from, to] = [from - MAX_WINDOW / 4n, to + MAX_WINDOW / 4n]
  const size = to - from < 1n ? 9n : to - from
  if (least !== undefined && from < least) [from, to] = [least, to < least ? least + size : to]
  if (most !== undefined && to > most) [from, to] = [from > most ? most - size : from, most]
  if (least !== undefined && from < least) from = least
  if (to - from > MAX_WINDOW) to = from + MAX_WINDOW
  return [from, to]
}

function describe({ bounds: { from, to, isAbove, isBelow }, steps }: NumberRequest): string {
  const multiples = steps.filter((step) => step !== 1)
  const words = [
    Number.isFinite(from) ? `${isAbove ? 'above' : 'from'} ${from}` : '',
    Number.isFinite(to) ? `${isBelow ? (Number.isFinite(from) ? 'and below' : 'below') : 'to'} ${to}` : '',
    multiples.length > 0 ? `is a multiple of ${multiples.join(' and of ')}` : '',
  ]
  return words.filter((word) => word !== '').join(' ') || 'fits'
}
