/**
 * Pairs requests with the nearest recordings, each at most once: the nearest pair first; of equally near ones the one
 * with the first request, then the one with the first recording.
 */
import type { JsonObject } from '../../core/lib/text/json.ts'
import { REDACTED } from '../../core/scenario/conditions/request-condition.ts'
import type { SentRequest } from '../../engine/index.ts'
import { canonicalJson } from '../recorded-exchange.ts'

/** The parts of a request as numbers: equal parts have equal ones, and `ANY` is a part with a redacted text, which may equal any. */
interface Parts {
  readonly endpoint: string
  /** The fields of the body but for its texts, the model first; undefined for a missing one. */
  readonly fields: readonly (number | undefined)[]
  /** The messages, or the items of `input`. */
  readonly texts: readonly number[]
}

const ANY = 0

export function pairNearest<Recorded extends { readonly endpoint: string; readonly request: JsonObject }>(
  requests: readonly SentRequest[],
  recordings: readonly Recorded[],
): (readonly [SentRequest, Recorded])[] {
  const numbers = new Map<string, number>()
  const numberOf = (value: unknown): number => {
    const text = canonicalJson(value)
    if (text.includes(REDACTED)) return ANY
    return numbers.get(text) ?? numbers.set(text, numbers.size + 1).size
  }
  const names = new Set(['model'])
  const partsOf = (endpoint: string, { messages = [], input = [], ...fields }: JsonObject): Parts => {
    for (const name of Object.keys(fields)) names.add(name)
    const numbersOfFields = [...names].map((name) => (name in fields ? numberOf(fields[name]) : undefined))
    return { endpoint, fields: numbersOfFields, texts: [messages, input].flat(2).map(numberOf) }
  }
  let open = requests.map((request) => ({ request, parts: partsOf(request.endpoint, request.body) }))
  const free = recordings.map((one) => ({ one, parts: partsOf(one.endpoint, one.request) }))
  const pairs: (readonly [SentRequest, Recorded])[] = []
  // All distances at once would be too many to keep, so each round takes the pairs of the next one.
  for (let distance = 0; Number.isFinite(distance); ) {
    let next = Number.POSITIVE_INFINITY
    open = open.filter(({ request, parts }) => {
      const place = free.findIndex(({ parts: recorded }) => {
        const own = distanceOf(recorded, parts)
        if (own > distance) next = Math.min(next, own)
        return own <= distance
      })
      if (place < 0) return true
      pairs.push([request, free.splice(place, 1)[0]!.one])
      return false
    })
    distance = next
  }
  return pairs
}

/** The number of parts that differ, texts counted twice. With another model and another text, it is another request. */
function distanceOf(recorded: Parts, sent: Parts): number {
  const texts = countDifferent(recorded.texts, sent.texts)
  const isOther = texts > 0 && countDifferent([recorded.fields[0]], [sent.fields[0]]) > 0
  if (isOther || recorded.endpoint !== sent.endpoint) return Number.POSITIVE_INFINITY
  return countDifferent(recorded.fields, sent.fields) + 2 * texts
}

function countDifferent(some: Parts['fields'], others: Parts['fields']): number {
  const length = Math.max(some.length, others.length)
  let count = 0
  for (let index = 0; index < length; index++) {
    const [one, other] = [some[index], others[index]]
    if (one !== other && one !== ANY && other !== ANY) count++
  }
  return count
}
