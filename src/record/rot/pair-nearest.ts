/**
 * Pairs requests with the nearest recordings, each at most once: the nearest pair first; of equally near ones the one
 * with the first request, then the one with the first recording.
 */
import type { JsonObject } from '../../core/lib/text/json.ts'
import { REDACTED } from '../../core/scenario/conditions/request-condition.ts'
import type { SentRequest } from '../../engine/index.ts'
import { canonicalJson } from '../recorded-exchange.ts'

/** The parts of a request, each as JSON; `ANY` for one with a redacted text, which may equal any. */
interface Parts {
  readonly fields: ReadonlyMap<string, string>
  /** The messages, or the items of `input`. */
  readonly texts: readonly string[]
}

const ANY = ''

export function pairNearest<Recorded extends { readonly endpoint: string; readonly request: JsonObject }>(
  requests: readonly SentRequest[],
  recordings: readonly Recorded[],
): (readonly [SentRequest, Recorded])[] {
  const recorded = recordings.map((one) => ({ one, parts: partsOf(one.request) }))
  const byDistance: (readonly [SentRequest, Recorded])[][] = []
  for (const request of requests) {
    const sent = partsOf(request.body)
    for (const { one, parts } of recorded) {
      const distance = one.endpoint === request.endpoint ? distanceOf(parts, sent) : undefined
      if (distance !== undefined) (byDistance[distance] ??= []).push([request, one])
    }
  }
  const paired = new Set<object>()
  return byDistance.flat().filter(([request, one]) => {
    if (paired.has(request) || paired.has(one)) return false
    paired.add(request).add(one)
    return true
  })
}

function partsOf({ messages = [], input = [], ...fields }: JsonObject): Parts {
  const partOf = (value: unknown): string => {
    const text = canonicalJson(value)
    return text.includes(REDACTED) ? ANY : text
  }
  return {
    fields: new Map(Object.entries(fields).map(([name, value]) => [name, partOf(value)])),
    texts: [messages, input].flat(2).map(partOf),
  }
}

/** The number of parts that differ, texts counted twice. Undefined if the model and a text differ: that is another request. */
function distanceOf(recorded: Parts, sent: Parts): number | undefined {
  const differs = (one: string | undefined, other: string | undefined): boolean =>
    one !== other && one !== ANY && other !== ANY
  let fields = 0
  for (const [name, one] of recorded.fields) if (differs(one, sent.fields.get(name))) fields++
  for (const name of sent.fields.keys()) if (!recorded.fields.has(name)) fields++
  let texts = 0
  const count = Math.max(recorded.texts.length, sent.texts.length)
  for (let index = 0; index < count; index++) if (differs(recorded.texts[index], sent.texts[index])) texts++
  const isOther = texts > 0 && differs(recorded.fields.get('model'), sent.fields.get('model'))
  return isOther ? undefined : fields + 2 * texts
}
