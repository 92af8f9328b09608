/**
 * Moves the vectors of an embeddings answer out of its body: as base64 they are short, and the body stays readable.
 *
 *     {"data":[{"embedding":[0.5,0.25,...]}]}
 *
 *     body: {"data":[{"embedding":[{{vector}}]}]}     vectors: [{ floats: AAAAPwAAgD4... }]
 */
import { fillVectors } from '../core/decide/pipeline/recorded-vectors.ts'
import { encodeBase64 } from '../core/lib/embeddings/float32.ts'
import type { VectorSource } from '../core/scenario/compile/recorded-answer.ts'
import { VECTOR_PLACE } from '../core/scenario/compile/template.ts'

/**
 * A vector with its name: a list of numbers, or base64. Not `{40,}?` or a group for each four characters: these take quadratic
 * time, or overflow the stack of the engine.
 */
const EMBEDDING = /("embedding"\s*:\s*)(?:(\[\s*)(-?\d[^\]"]{40}[^\]"]*)\]|"([A-Za-z0-9+/]{40}[A-Za-z0-9+/]*={0,2})")/g

/** @returns the body with a placeholder for each vector; unchanged if replay could not restore every byte. */
export function extractVectors(body: string): { readonly body: string; readonly vectors?: VectorSource[] } {
  if (body.includes(VECTOR_PLACE)) return { body }
  const vectors: VectorSource[] = []
  const withPlaces = body.replace(EMBEDDING, (whole, name: string, bracket = '', list = '', base64?: string) => {
    if (base64 !== undefined) {
      vectors.push({ base64 })
      return `${name}"${VECTOR_PLACE}"`
    }
    const numbers = list.trimEnd()
    const vector = readFloats(numbers)
    if (vector === undefined) return whole
    vectors.push(vector)
    const blanks = list.slice(numbers.length)
    return `${name}${bracket}${VECTOR_PLACE}${blanks}]`
  })
  const isExact = vectors.length > 0 && fillVectors({ body: withPlaces, vectors }) === body
  return isExact ? { body: withPlaces, vectors } : { body }
}

/** The numbers as float32 values; undefined if they would not be printed the same way again. */
function readFloats(numbers: string): VectorSource | undefined {
  // The first comma, with the blanks around it.
  const [separator = ','] = /(?<!\s)\s*,\s*/.exec(numbers) ?? []
  const values = numbers.split(separator).map(Number)
  if (values.some(Number.isNaN)) return undefined
  const floats = encodeBase64(Float32Array.from(values))
  const plain: VectorSource = { floats, ...(separator !== ',' && { between: separator }) }
  const forms: readonly VectorSource[] = [plain, { ...plain, exponents: true }]
  return forms.find((vector) => fillVectors({ body: VECTOR_PLACE, vectors: [vector] }) === numbers)
}
