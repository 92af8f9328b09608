/** Writes the vectors of recorded embeddings, which a cassette keeps apart from the body, with the same bytes as the service. */

import { formatVector } from '../../lib/embeddings/float32.ts'
import type { RecordedAnswer, VectorSource } from '../../scenario/compile/recorded-answer.ts'
import { VECTOR_PLACE } from '../../scenario/compile/template.ts'

/** The body of a recorded answer with its vectors in their places: `"embedding":[{{vector}}]` becomes `"embedding":[0.1,0.2]`. */
export function fillVectors({ body, vectors }: Pick<RecordedAnswer, 'body' | 'vectors'>): string {
  if (vectors === undefined || vectors.length === 0) return body
  const [first, ...rest] = body.split(VECTOR_PLACE)
  return first + rest.map((part, index) => vectorText(vectors[index]!) + part).join('')
}

/**
 * The text of a vector as it was recorded: base64, or numbers with the same text between them. With `exponents`, small numbers
 * are written as Go and Python write them (`5e-05`), without it as JavaScript does (`0.00005`).
 */
function vectorText({ base64, floats = '', between = ',', exponents }: VectorSource): string {
  if (base64 !== undefined) return base64
  // `floats` has the numbers as base64 of float32s, little-endian.
  const view = new DataView(Uint8Array.from(atob(floats), (character) => character.charCodeAt(0)).buffer)
  const vector = Float32Array.from({ length: view.byteLength / 4 }, (_, index) => view.getFloat32(index * 4, true))
  // The brackets are part of the body.
  const numbers = formatVector(vector).slice(1, -1).split(',')
  return (exponents === true ? numbers.map(withExponent) : numbers).join(between)
}

/** The least number that Go and Python write without an exponent. */
const LEAST_WITHOUT_EXPONENT = 1e-4

/** As Go and Python write a small number: `7.522572e-05`. */
function withExponent(text: string): string {
  const shown = Number(text)
  if (shown === 0 || Math.abs(shown) >= LEAST_WITHOUT_EXPONENT) return text
  return shown.toExponential().replace(/-(\d)$/, '-0$1')
}
