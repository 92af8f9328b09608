/** Exact decimal arithmetic: 0.3 is a multiple of 0.1 in JSON, though not in binary floating point. */

/** `digits` divided by 10 to the power of `scale`. */
export interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** The decimal that JSON writes for this number. */
export function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

/** The nearest number. */
export const numberOf = ({ digits, scale }: Decimal): number => Number(`${digits}e-${scale}`)

/** The digits of a decimal at a scale that is at least its own. */
export const digitsAt = ({ digits, scale }: Decimal, wanted: number): bigint => digits * 10n ** BigInt(wanted - scale)

/** The smallest decimal above 0 that is a multiple of both. */
export function leastCommonMultiple(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale)
  const [a, b] = [digitsAt(left, scale), digitsAt(right, scale)]
  let [divisor, rest] = [a, b]
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest]
  return { digits: (a / divisor) * b, scale }
}

/** Whether `value` is a whole multiple of `step`. */
export function isMultiple(value: number, step: number): boolean {
  const [dividend, divisor] = [decimalOf(value), decimalOf(step)]
  const scale = Math.max(dividend.scale, divisor.scale)
  return digitsAt(dividend, scale) % digitsAt(divisor, scale) === 0n
}
