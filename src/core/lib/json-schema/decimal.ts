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

/** The digits of two decimals at their common scale: 1.5 and 0.25 give 150 and 25. */
export function align(left: Decimal, right: Decimal): [left: bigint, right: bigint] {
  const scale = Math.max(left.scale, right.scale)
  const digitsOf = (decimal: Decimal): bigint => decimal.digits * 10n ** BigInt(scale - decimal.scale)
  return [digitsOf(left), digitsOf(right)]
}

/** True if `value` is a whole multiple of `step`. */
export function isMultiple(value: number, step: number): boolean {
  const [dividend, divisor] = align(decimalOf(value), decimalOf(step))
  return dividend % divisor === 0n
}
