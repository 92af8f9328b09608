/** Moves the vectors of an embeddings answer out of its body: as base64 they are short, and the body stays readable. */
import { encodeBase64 } from '../core/endpoints/embeddings/float32.ts'
import { bodyOf } from '../core/pipeline/replay.ts'
import type { VectorSource } from '../core/scenario/compile/recorded-answer.ts'
import { VECTOR_PLACE } from '../core/scenario/compile/template.ts'

const EMBEDDING =
  /("embedding"\s*:\s*)(?:(\[\s*)(-?\d[^\]"]{40,}?)(\s*\])|"((?:[A-Za-z0-9+/]{4}){10,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)")/g

interface Body {
  readonly body: string
  readonly vectors?: VectorSource[]
}

/** The body with a placeholder for each vector; unchanged if replay could not restore every byte. */
export function extractVectors(body: string): Body {
  if (body.includes(VECTOR_PLACE)) return { body }
  const vectors: VectorSource[] = []
  const rest = body.replace(EMBEDDING, (whole, name: string, open = '', numbers = '', close = '', base64?: string) => {
    const vector = base64 === undefined ? readFloats(numbers) : { base64 }
    if (vector === undefined) return whole
    vectors.push(vector)
    return base64 === undefined ? name + open + VECTOR_PLACE + close : `${name}"${VECTOR_PLACE}"`
  })
  return vectors.length > 0 && bodyOf({ body: rest, vectors }) === body ? { body: rest, vectors } : { body }
}

/** The numbers as float32 values; undefined if they would not be printed the same way again. */
function readFloats(numbers: string): VectorSource | undefined {
  const separator = /\s*,\s*/.exec(numbers)?.[0] ?? ','
  const values = numbers.split(separator).map(Number)
  if (values.some(Number.isNaN)) return undefined
  const floats = encodeBase64(Float32Array.from(values))
  const plain: VectorSource = { floats, ...(separator !== ',' && { between: separator }) }
  const forms: readonly VectorSource[] = [plain, { ...plain, exponents: true }]
  return forms.find((vector) => bodyOf({ body: VECTOR_PLACE, vectors: [vector] }) === numbers)
}
