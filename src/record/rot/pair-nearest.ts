/**
 * Pairs requests with the nearest recordings, each at most once. The nearest pair comes first; of equally near ones, the
 * one with the first request, then the one with the first recording.
 *
 *     sent      { model: gpt-4o, temperature: 0, messages: [A, B] }
 *     recorded  { model: gpt-4o, messages: [A, C] }                    distance 3: temperature 1, the second message 2
 */
import type { JsonObject } from '../../core/lib/text/json.ts'
import { REDACTED } from '../../core/scenario/conditions/request-condition.ts'
import type { SentRequest } from '../../engine/index.ts'
import { canonicalJson } from '../recorded-exchange.ts'

/** The parts of a request as numbers, which are fast to compare: equal parts have the same number. */
interface Parts {
  readonly endpoint: string
  /** The fields of the body other than its texts, the model first; undefined for a missing one. */
  readonly fields: readonly (number | undefined)[]
  /** The messages, or the items of `input`. */
  readonly texts: readonly number[]
}

/** The number of a part with a redacted text, which may equal any other. */
const ANY = 0

export function pairNearest<Recorded extends { readonly endpoint: string; readonly request: JsonObject }>(
  requests: readonly SentRequest[],
  recordings: readonly Recorded[],
): (readonly [SentRequest, Recorded])[] {
  const readParts = partsReader()
  let unpaired = requests.map((request) => ({ request, parts: readParts(request.endpoint, request.body) }))
  const free = recordings.map((recording) => ({ recording, parts: readParts(recording.endpoint, recording.request) }))
  const pairs: (readonly [SentRequest, Recorded])[] = []
  // All distances at once would be too many to keep, so each round takes the pairs of the next larger distance.
  let distance = 0
  while (Number.isFinite(distance)) {
    let nextDistance = Number.POSITIVE_INFINITY
    unpaired = unpaired.filter(({ request, parts }) => {
      const index = free.findIndex((candidate) => {
        const between = distanceOf(candidate.parts, parts)
        if (between > distance) nextDistance = Math.min(nextDistance, between)
        return between <= distance
      })
      if (index < 0) return true
      const [nearest] = free.splice(index, 1)
      pairs.push([request, nearest!.recording])
      return false
    })
    distance = nextDistance
  }
  return pairs
}

/**
 * Returns a function that reads the parts of requests. It numbers parts and orders fields as it meets them, so only parts that
 * one function has read can be compared.
 */
function partsReader(): (endpoint: string, body: JsonObject) => Parts {
  const numbers = new Map<string, number>()
  const numberOf = (value: unknown): number => {
    const text = canonicalJson(value)
    if (text.includes(REDACTED)) return ANY
    return numbers.get(text) ?? numbers.set(text, numbers.size + 1).size
  }
  const names = new Set(['model'])
  return (endpoint, { messages = [], input = [], ...rest }) => {
    for (const name of Object.keys(rest)) names.add(name)
    const fields = [...names].map((name) => (name in rest ? numberOf(rest[name]) : undefined))
    return { endpoint, fields, texts: [messages, input].flat(2).map(numberOf) }
  }
}

/** The number of parts that differ, texts counted twice. Infinite if the model and a text differ: that is another request. */
function distanceOf(recorded: Parts, sent: Parts): number {
  if (recorded.endpoint !== sent.endpoint) return Number.POSITIVE_INFINITY
  const texts = countDifferent(recorded.texts, sent.texts)
  const isOtherModel = countDifferent([recorded.fields[0]], [sent.fields[0]]) > 0
  if (isOtherModel && texts > 0) return Number.POSITIVE_INFINITY
  return countDifferent(recorded.fields, sent.fields) + 2 * texts
}

/** The number of places at which two lists differ. One may be longer. */
function countDifferent(recorded: Parts['fields'], sent: Parts['fields']): number {
  const length = Math.max(recorded.length, sent.length)
  let count = 0
  for (let index = 0; index < length; index++) {
    const [before, now] = [recorded[index], sent[index]]
    if (before !== now && before !== ANY && now !== ANY) count++
  }
  return count
}
