/**
 * Pairs requests with the nearest recordings, each at most once: the nearest pair first; of equally near ones the one
 * with the first request, then the one with the first recording.
 *
 * Comparing all of 1,000 requests with all of 1,000 recordings takes 9 seconds. So each pair has a cheap lower bound of
 * its distance, made of numbers that stand for the parts of a body, and only pairs that the bound allows are compared.
 */
import { isObject, type JsonObject } from '../../core/lib/text/json.ts'
import { REDACTED } from '../../core/scenario/conditions/request-condition.ts'
import { distanceOf, type SentRequest } from '../../engine/index.ts'

/** A request as numbers: equal parts have equal ones. 0 stands for a part with a redacted text, which may equal any. */
interface Outline {
  /** The number of all parts together but for the texts. */
  readonly shape: number
  readonly fields: ReadonlyMap<string, number>
  /** The messages, or the items of `input`. */
  readonly texts: readonly number[]
}

const TEXTS: readonly string[] = ['messages', 'input']

export function pairNearest<Recorded extends { readonly endpoint: string; readonly request: JsonObject }>(
  requests: readonly SentRequest[],
  recordings: readonly Recorded[],
): (readonly [SentRequest, Recorded])[] {
  const numbers = new Map<string, number>()
  const numberOf = (value: unknown): number => {
    const text = canonical(value)
    if (text.includes(REDACTED)) return 0
    return numbers.get(text) ?? numbers.set(text, numbers.size + 1).size
  }
  const outlineOf = (endpoint: string, body: JsonObject): Outline => {
    const names = Object.keys(body).sort()
    const fields = new Map(names.flatMap((name) => (TEXTS.includes(name) ? [] : [[name, numberOf(body[name])]])))
    const texts = TEXTS.flatMap((name) => (name in body ? [body[name]].flat() : [])).map(numberOf)
    return { shape: numberOf([endpoint, ...fields]), fields, texts }
  }
  const sent = requests.map((request) => ({ request, outline: outlineOf(request.endpoint, request.body) }))
  const free = recordings.map((one, index) => ({ one, index, outline: outlineOf(one.endpoint, one.request) }))
  let open = sent.map((one, index) => ({ ...one, index }))
  const bounds = new Map<number, number>()
  const exact = new Map<number, number>()
  /** The least distance that two outlines allow, or the distance itself once it is known. */
  const boundOf = ({ index, outline }: (typeof open)[number], recorded: (typeof free)[number]): number => {
    const known = exact.get(index * recordings.length + recorded.index)
    if (known !== undefined) return known
    const name = outline.shape * 2 ** 26 + recorded.outline.shape
    let bound = bounds.get(name)
    if (bound === undefined) bounds.set(name, (bound = countDifferent(outline.fields, recorded.outline.fields)))
    const [some, others] = [outline.texts, recorded.outline.texts]
    for (let place = 0; place < some.length && place < others.length; place++)
      if (some[place] !== others[place] && some[place] !== 0 && others[place] !== 0) bound += 2
    return bound
  }
  const pairs: (readonly [SentRequest, Recorded])[] = []
  for (let most = 0; Number.isFinite(most); ) {
    let next = Number.POSITIVE_INFINITY
    open = open.filter((asked) => {
      for (const [place, recorded] of free.entries()) {
        const { one } = recorded
        let distance = one.endpoint === asked.request.endpoint ? boundOf(asked, recorded) : Number.POSITIVE_INFINITY
        if (distance <= most) {
          distance = distanceOf(one.request, asked.request.body) ?? Number.POSITIVE_INFINITY
          if (distance > most) exact.set(asked.index * recordings.length + recorded.index, distance)
        }
        if (distance <= most) {
          pairs.push([asked.request, one])
          free.splice(place, 1)
          return false
        }
        next = Math.min(next, distance)
      }
      return true
    })
    most = free.length === 0 ? Number.POSITIVE_INFINITY : next
  }
  return pairs
}

/** JSON with the keys of all objects in order. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  )

function countDifferent(some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): number {
  let count = 0
  for (const name of new Set([...some.keys(), ...others.keys()])) {
    const [one, other] = [some.get(name), others.get(name)]
    if (one !== other && one !== 0 && other !== 0) count++
  }
  return count
}
