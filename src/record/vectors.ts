/** Moves the vectors of an embeddings answer out of its body: as base64 they are short, and the body stays readable. */

import { bodyOf } from '../core/decide/pipeline/replay.ts'
import { encodeBase64 } from '../core/lib/embeddings/float32.ts'
import type { VectorSource } from '../core/scenario/compile/recorded-answer.ts'
import { VECTOR_PLACE } from '../core/scenario/compile/template.ts'

// Not `{40,}?` or a group for each four characters: these take quadratic time, or overflow the stack of the engine.
const EMBEDDING = /("embedding"\s*:\s*)(?:(\[\s*)(-?\d[^\]"]{40}[^\]"]*)\]|"([A-Za-z0-9+/]{40}[A-Za-z0-9+/]*={0,2})")/g

interface Body {
  readonly body: string
  readonly vectors?: VectorSource[]
}

/** The body with a placeholder for each vector; unchanged if replay could not restore every byte. */
export function extractVectors(body: string): Body {
  if (body.includes(VECTOR_PLACE)) return { body }
  const vectors: VectorSource[] = []
  const rest = body.replace(EMBEDDING, (whole, name: string, open = '', list = '', base64?: string) => {
    const numbers = list.trimEnd()
    const close = `${list.slice(numbers.length)}]`
    const vector = base64 === undefined ? readFloats(numbers) : { base64 }
    if (vector === undefined) return whole
    vectors.push(vector)
    return base64 === undefined ? name + open + VECTOR_PLACE + close : `${name}"${VECTOR_PLACE}"`
  })
  return vectors.length > 0 && bodyOf({ body: rest, vectors }) === body ? { body: rest, vectors } : { body }
}

/** The first comma, with the blanks around it. */
function findSeparator(numbers: string): string {
  const comma = numbers.indexOf(',')
  if (comma < 0) return ','
  const rest = numbers.slice(comma + 1)
  const start = numbers.slice(0, comma).trimEnd().length
  return numbers.slice(start, comma + 1 + rest.length - rest.trimStart().length)
}

/** The numbers as float32 values; undefined if they would not be printed the same way again. */
function readFloats(numbers: string): VectorSource | undefined {
  const separator = findSeparator(numbers)
  const values = numbers.split(separator).map(Number)
  if (values.some(Number.isNaN)) return undefined
  const floats = encodeBase64(Float32Array.from(values))
  const plain: VectorSource = { floats, ...(separator !== ',' && { between: separator }) }
  const forms: readonly VectorSource[] = [plain, { ...plain, exponents: true }]
  return forms.find((vector) => bodyOf({ body: VECTOR_PLACE, vectors: [vector] }) === numbers)
}
