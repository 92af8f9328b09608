/** Float32s as text: the shortest decimals, and base64 as the API sends it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeBase64, formatVector } from '../../../../src/core/lib/embeddings/float32.ts'

const formatFloat32 = (value: number): string => formatVector(Float32Array.of(value)).slice(1, -1)
const anyFloat32 = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  // The range of a unit vector's coordinates.
  fc.float({ min: -1, max: 1, noNaN: true }),
  // Every bit pattern alike, so tiny and huge ones too.
  fc
    .integer()
    .map((bits) => fromBits(bits))
    .filter(Number.isFinite),
)

test('floats print as the shortest decimal', () => {
  expect(formatFloat32(Math.fround(0.1))).toBe('0.1')
  expect(formatFloat32(Math.fround(0.017608326))).toBe('0.017608326')
  expect(formatFloat32(Math.fround(-0.00012588564))).toBe('-0.00012588564')
  expect(formatFloat32(0.5)).toBe('0.5')
  expect(formatFloat32(0.0625)).toBe('0.0625')
  expect(formatFloat32(1)).toBe('1')
  expect(formatFloat32(0)).toBe('0')
})

test('tiny and huge numbers are written as JSON.stringify does', () => {
  expect(formatFloat32(Math.fround(1e-6))).toBe('0.000001')
  expect(formatFloat32(Math.fround(1e-7))).toBe('1e-7')
  expect(formatFloat32(2 ** -149)).toBe('1e-45')
  expect(formatFloat32(Math.fround(1e20))).toBe('100000000000000000000')
  expect(formatFloat32(Math.fround(-3.4028235e38))).toBe('-3.4028235e+38')
  expect(formatFloat32(16777216)).toBe('16777216')
})

test('minus zero keeps its sign, and NaN and the infinities are null', () => {
  expect(formatFloat32(-0)).toBe('-0')
  expect(formatFloat32(Number.NaN)).toBe('null')
  expect(formatFloat32(Number.POSITIVE_INFINITY)).toBe('null')
})

test('a double is rounded to a float32 first', () => {
  expect(formatFloat32(0.1 + 0.2)).toBe('0.3')
  expect(formatFloat32(1 - 2 ** -30)).toBe('1')
})

test('any float32 reads back as itself, from JSON too', () => {
  fc.assert(
    fc.property(anyFloat32, (value) => {
      expect(Math.fround(Number(formatFloat32(value)))).toBe(value)
      expect(Math.fround(JSON.parse(formatFloat32(value)))).toBe(value)
    }),
    { numRuns: 20_000 },
  )
})

test('no decimal with fewer digits reads back, and of the shortest it is the nearest', () => {
  fc.assert(
    fc.property(anyFloat32, (value) => {
      fc.pre(!Object.is(value, -0))
      expect(formatFloat32(value)).toBe(shortestByTrying(value))
    }),
    { numRuns: 20_000 },
  )
})

test('the smallest and largest float32s of every exponent read back', () => {
  for (let exponent = -149; exponent <= 127; exponent++) {
    for (const step of [-2, -1, 0, 1, 2]) {
      const value = fromBits(Math.max(0, bitsOf(2 ** exponent) + step))
      expect(formatFloat32(value)).toBe(shortestByTrying(value))
    }
  }
})

test('a vector is a JSON array of its floats', () => {
  expect(formatVector(Float32Array.of(0.25, -0.1, 1e-9, 0))).toBe('[0.25,-0.1,1e-9,0]')
  expect(formatVector(new Float32Array())).toBe('[]')
  fc.assert(
    fc.property(fc.array(anyFloat32), (values) => {
      expect(Float32Array.from(JSON.parse(formatVector(Float32Array.from(values))))).toEqual(Float32Array.from(values))
    }),
  )
})

test('base64 is the little-endian bytes', () => {
  expect(encodeBase64(Float32Array.of(1))).toBe('AACAPw==')
  expect(encodeBase64(new Float32Array())).toBe('')
  fc.assert(
    fc.property(fc.array(anyFloat32), (values) => {
      const bytes = Buffer.from(encodeBase64(Float32Array.from(values)), 'base64')
      expect(values.map((_, i) => bytes.readFloatLE(i * 4))).toEqual(values)
      expect(encodeBase64(Float32Array.from(values))).toBe(bytes.toString('base64'))
    }),
  )
})

test('a view into a larger buffer is encoded alone', () => {
  const vector = Float32Array.of(5, 1, 0.5, 7)
  expect(encodeBase64(vector.subarray(1, 2))).toBe('AACAPw==')
  expect(formatVector(vector.subarray(1, 3))).toBe('[1,0.5]')
})

function shortestByTrying(value: number): string {
  for (let digits = 1; digits <= 9; digits++) {
    const decimal = Number(value.toPrecision(digits))
    if (Math.fround(decimal) === value) return JSON.stringify(decimal)
  }
  throw new Error(`9 digits are always enough, but not for ${value}`)
}

function fromBits(bits: number): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setInt32(0, bits)
  return view.getFloat32(0)
}

function bitsOf(value: number): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setFloat32(0, value)
  return view.getInt32(0)
}
