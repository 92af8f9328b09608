/** Generates a number within bounds, in steps, as readable as the bounds allow. */
import type { Random } from '../../random/random.ts'
import { align, type Decimal, decimalOf, isMultiple } from '../decimal.ts'
import { Unsatisfied } from '../json-schema.ts'
import { type NumberBounds, readBounds } from '../validator.ts'
import { type NumberHint, suggestRange } from './name-values.ts'
import type { PartsGenerator } from './value-request.ts'

interface NumberRequest extends NumberBounds {
  /** The number must be a multiple of all of these. */
  readonly steps: readonly number[]
  readonly hint: NumberHint
  readonly random: Random
  /** True to draw from the whole allowed range at once. */
  readonly isWide: boolean
}

const MAX_DECIMALS = 345
const MAX_WINDOW = 1_000_000n
const MAX_DRAWS = 24

export const generateNumber: PartsGenerator = ({ random }, parts, { name, path }, { attempt }) => {
  const steps = parts.flatMap(({ multipleOf }) => (multipleOf === undefined ? [] : [multipleOf as number]))
  const isInteger = parts.some(({ type }) => {
    const types = [type].flat()
    return types.includes('integer') && !types.includes('number')
  })
  if (isInteger) steps.push(1)
  const hint = suggestRange(name)
  const isWide = attempt > 3
  const request = { ...readBounds(parts), steps, hint, random, isWide }
  let value: number | undefined
  if (steps.length > 0) {
    // A multiple of the largest step is often one of the others too; the rest is drawn again.
    value = drawMultiple(decimalOf(Math.max(...steps)), request)
  } else {
    // A number that need not be a multiple of anything has as few decimals as possible.
    let scale = isWide ? random.below(3) : hint.decimals
    for (; value === undefined && scale <= MAX_DECIMALS; scale++) value = drawMultiple({ digits: 1n, scale }, request)
  }
  if (value !== undefined) return value
  throw new Unsatisfied(`no ${isInteger ? 'integer' : 'number'} ${describe(request)}`, path)
}

function drawMultiple(step: Decimal, request: NumberRequest): number | undefined {
  const { from, to, isAbove, isBelow, steps, hint, random, isWide } = request
  const least = Number.isFinite(from) ? countSteps(from, step, isAbove) : undefined
  const most = Number.isFinite(to) ? -countSteps(-to, step, isBelow) : undefined
  if (least !== undefined && most !== undefined && least > most) return undefined
  // The range to draw from, in steps: the hinted one, moved and cut to the allowed one.
  let first = countSteps(hint.from, step, false)
  let last = -countSteps(-hint.to, step, false)
  // One step may be larger than the hinted range.
  if (last < first) last = first
  if (isWide) [first, last] = [first - MAX_WINDOW / 4n, last + MAX_WINDOW / 4n]
  const size = last - first < 1n ? 9n : last - first
  if (least !== undefined && first < least) [first, last] = [least, last < least ? least + size : last]
  if (most !== undefined && last > most) [first, last] = [first > most ? most - size : first, most]
  if (least !== undefined && first < least) first = least
  if (last - first > MAX_WINDOW) last = first + MAX_WINDOW
  let fallback: number | undefined
  for (let draw = 1; draw <= MAX_DRAWS; draw++) {
    const multiple = draw === MAX_DRAWS ? first : first + BigInt(random.below(Number(last - first) + 1))
    const value = Number(`${multiple * step.digits}e-${step.scale}`)
    const isWithin = (isAbove ? value > from : value >= from) && (isBelow ? value < to : value <= to)
    if (!Number.isFinite(value) || !isWithin || !steps.every((each) => isMultiple(value, each))) continue
    // Prefer a number that is a multiple in binary floating point too, for validators that divide.
    if (steps.every((each) => Number.isInteger(value / each) && Math.abs(value / each) < 1e21)) return value
    fallback ??= value
  }
  return fallback
}

/** The smallest number of steps that is not below the bound, or is above it. */
function countSteps(bound: number, step: Decimal, isAbove: boolean): bigint {
  const [digits, unit] = align(decimalOf(bound), step)
  const whole = digits / unit
  if (whole * unit === digits) return isAbove ? whole + 1n : whole
  return digits > 0n ? whole + 1n : whole
}

function describe({ from, to, isAbove, isBelow, steps }: NumberRequest): string {
  const multiples = steps.filter((step) => step !== 1)
  const words = [
    Number.isFinite(from) ? `${isAbove ? 'above' : 'from'} ${from}` : '',
    Number.isFinite(to) ? `${isBelow ? (Number.isFinite(from) ? 'and below' : 'below') : 'to'} ${to}` : '',
    multiples.length > 0 ? `is a multiple of ${multiples.join(' and of ')}` : '',
  ]
  return words.filter((word) => word !== '').join(' ') || 'fits'
}
