/**
 * Turns an aimock fixture with a vector into rules for embeddings.
 *
 *     { "match": { "inputText": "hi" }, "response": { "embedding": [0.1, 0.2] } }
 *
 *     - when: { endpoint: embeddings, request: { input: "[redacted]hi[redacted]", encoding_format: base64, ... } }
 *       answer: { body: ..., vectors: [...] }
 */
import { encodeBase64 } from '../../core/lib/embeddings/float32.ts'
import type { JsonObject } from '../../core/lib/text/json.ts'
import { REDACTED } from '../../core/scenario/conditions/request-condition.ts'
import type { CassetteRule } from '../cassette-text.ts'
import { extractVectors } from '../extract-vectors.ts'
import type { Note } from './fixture-match.ts'

/** Fields of an embeddings request that make no difference to a fixture. The cassette ignores them (convert-files.ts). */
export const IGNORED_FIELDS = ['dimensions', 'user']

/**
 * Builds the rules for a fixture with a vector. A rule compares the whole body of a request, so there is one for each form that clients
 * ask for: base64, as the official ones do, float, and none.
 * @throws when it has conditions about chats.
 */
export function buildVectorRules(embedding: readonly unknown[], match: JsonObject, note: Note): CassetteRule[] {
  const { inputText, model, endpoint: _, ...chatConditions } = match
  const [unexpected] = Object.keys(chatConditions)
  if (unexpected !== undefined) throw new Error(`match.${unexpected} is about chats, but the response is a vector`)
  note('match.inputText', 'matches requests with a single text as input')
  const base64 = encodeBase64(Float32Array.from(embedding.map(Number)))
  const modelName = typeof model === 'string' ? model : undefined
  // aimock looks for the text anywhere in the input. In a recording, a redacted text matches any text.
  const request = { model: modelName ?? REDACTED, input: `${REDACTED}${inputText ?? ''}${REDACTED}` }
  const ruleOf = (format: object, vector: unknown): CassetteRule => {
    const when = { endpoint: 'embeddings', request: { ...request, ...format } } as CassetteRule['when']
    const body = {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: vector }],
      model: modelName ?? 'mock',
      usage: { prompt_tokens: 0, total_tokens: 0 },
    }
    // As if it had been recorded: with its vectors beside the text.
    return { when, answer: extractVectors(JSON.stringify(body)) }
  }
  return [
    ruleOf({ encoding_format: 'base64' }, base64),
    ruleOf({ encoding_format: 'float' }, embedding),
    ruleOf({}, embedding),
  ]
}
