/**
 * Formats float32s as JSON and as base64. In JSON, each is the shortest decimal that reads back as the same float32: `0.1`, not
 * `0.10000000149011612`.
 *
 * A float32 between 2^-16 and 1 takes the fast path. With the exponent e, its neighbours are 2^(e-23) away, so the
 * nearest decimal with k places reads back as itself if 10^-k <= 2^(e-23). A product with 10^k, k <= 12, is exact in a
 * double (24 bits times the 28 of 5^12), so rounding it gives exactly that decimal. Then it tries fewer places until
 * one fails. Any other float32 takes the slow path: it tries 1 to 9 significant digits.
 */
import { base64 } from '../text/bytes.ts'

const MIN_FAST = 2 ** -16
const BIAS = 127
// The smallest k with 10^-k <= 2^(e-23), by -e from 1 to 16: this many places are always enough.
const ENOUGH_PLACES = [0, 8, 8, 8, 9, 9, 9, 10, 10, 10, 10, 11, 11, 11, 12, 12, 12]
const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]
// The longest are whole numbers below 1e21, as in -340282350000000000000.
const MAX_NUMBER_LENGTH = 24

const ZERO = 0x30
const MINUS = 0x2d
const POINT = 0x2e
const COMMA = 0x2c
const OPENING = 0x5b
const CLOSING = 0x5d

const ASCII = new TextDecoder()

/** A float32 and its bits, in the same memory. */
const FLOAT = new Float32Array(1)
const BITS_OF_FLOAT = new Uint32Array(FLOAT.buffer)

/**
 * The numbers as a JSON array without spaces, each as the shortest decimal that reads back as the same float32, in the notation of
 * `JSON.stringify`; of several the nearest. NaN and the infinities are `null`; minus zero keeps its sign.
 * @example formatVector(Float32Array.of(0.1, 1)) // '[0.1,1]'
 */
export function formatVector(vector: Float32Array): string {
  const text = new Uint8Array(vector.length * (MAX_NUMBER_LENGTH + 1) + 2)
  text[0] = OPENING
  let end = 1
  for (let i = 0; i < vector.length; i++) {
    if (i > 0) text[end++] = COMMA
    const value = vector[i]!
    const size = Math.abs(value)
    if (size < 1 && size >= MIN_FAST) {
      FLOAT[0] = value
      const bits = BITS_OF_FLOAT[0]!
      const [sign, exponentBits] = [bits >>> 31, (bits >>> 23) & 0xff]
      // Without a sign, the first digit overwrites the minus. A branch would be mispredicted half of the time.
      text[end] = MINUS
      end = writeFraction(size, exponentBits, text, end + sign)
    } else {
      const digits = formatSlowly(value)
      for (let at = 0; at < digits.length; at++) text[end++] = digits.charCodeAt(at)
    }
  }
  text[end++] = CLOSING
  return ASCII.decode(text.subarray(0, end))
}

/** The fast path: writes the digits from index `at` on, and returns the index after them. */
function writeFraction(size: number, exponentBits: number, text: Uint8Array, at: number): number {
  let places = ENOUGH_PLACES[BIAS - exponentBits]!
  let digits = rounded(size, places)
  while (true) {
    const fewer = rounded(size, places - 1)
    if (Math.fround(fewer / POWERS_OF_TEN[places - 1]!) !== size) break
    digits = fewer
    places--
  }
  text[at] = ZERO
  text[at + 1] = POINT
  const end = at + 2 + places
  for (let i = end - 1; i > at + 1; i--) {
    const rest = (digits / 10) | 0
    text[i] = ZERO + digits - rest * 10
    digits = rest
  }
  return end
}

/** `size * 10^places` rounded to a whole number of at most 9 digits; halves round up. */
function rounded(size: number, places: number): number {
  return (size * POWERS_OF_TEN[places]! + 0.5) | 0
}

/** The slow path. */
function formatSlowly(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  if (Object.is(value, -0)) return '-0'
  for (let digits = 1; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return String(shorter)
  }
  return String(Number(value.toPrecision(9)))
}

/** The float32s as base64, little-endian on any machine: what the API sends for `encoding_format: 'base64'`. */
export function encodeBase64(vector: Float32Array): string {
  const bytes = new Uint8Array(vector.length * 4)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < vector.length; i++) view.setFloat32(i * 4, vector[i]!, true)
  return base64(bytes)
}
