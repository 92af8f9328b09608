/**
 * Compares the request that an app sends today with the recorded one: during replay, and for `cassettes check`.
 *
 *     recorded { model: gpt-4o, temperature: 1 }, sent { model: gpt-4o, temperature: 0 }
 *     ->  worth a look: request.temperature: 0 instead of 1
 */
import type { JournalEntry, RecordingFinding } from '../../core/journal/entry.ts'
import type { RecordingComparer } from '../../core/journal/stored-exchange.ts'
import { LruMap } from '../../core/lib/cache/bounded-maps.ts'
import { isObject, type JsonObject, parseJson, toList } from '../../core/lib/text/json.ts'
import { isModelEndpoint, type ModelEndpoint } from '../../core/protocol/request/endpoints.ts'
import { compileIgnore, type Ignore } from '../../core/scenario/compile/ignore.ts'
import { findBodyDifferences, isSame } from '../../core/scenario/conditions/request-condition.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { refusalToday } from './service-today.ts'

/** A request that the app sends today. */
export interface SentRequest {
  readonly endpoint: ModelEndpoint
  readonly body: JsonObject
}

/** The request of a recording, with what decides on its differences. */
interface RecordedRequest {
  readonly request: JsonObject
  readonly ignore: Ignore
  /** True if its last answer is an error. */
  readonly wasRefused: boolean
}

/** Fields that an answer may repeat, but that change nothing else of it. */
const HARMLESS =
  /^request\.(?:user|metadata|store|safety_identifier|prompt_cache_key|prompt_cache_retention|service_tier)\b/
/** Fields with the texts of a request. */
const TEXTS = /^request\.(?:messages|input)\b/

/** A recorded request as an object; empty for a text that is no JSON object. */
export function bodyOfRequest(request: string | JsonObject): JsonObject {
  const body = typeof request === 'string' ? parseJson(request) : request
  return isObject(body) ? body : {}
}

/**
 * The differences of a request from a recorded one, the worst first.
 * @param isReplayed true if replay answers it from this recording
 */
export function compareRequest(
  { request, ignore, wasRefused }: RecordedRequest,
  { endpoint, body }: SentRequest,
  isReplayed: boolean,
): RecordingFinding[] {
  // A recorded error is still what the app gets.
  const refusal = isReplayed && wasRefused ? undefined : refusalToday({ endpoint, body: JSON.stringify(body) })
  const [recorded, sent] = isReplayed ? [request, body] : [ignore(request), ignore(body)]
  const differences = findBodyDifferences(recorded, sent, isSame).map(({ field, describe }): RecordingFinding => {
    const { needed, found } = describe()
    const text = `${field}: ${found} instead of ${needed}`
    if (isReplayed) return { tier: 'harmless', field, text }
    if (HARMLESS.test(field)) return { tier: 'harmless', field, text, remedy: 'name it under ignore' }
    return { tier: 'worth a look', field, text, remedy: 'record it again, or name the field under ignore' }
  })
  if (refusal === undefined) return differences
  const text = `${refusal.status} ${refusal.message}`
  return [{ tier: 'would be refused', text, remedy: 'change the request, and record it again' }, ...differences]
}

/** The most comparisons that are remembered: a suite sends many of its requests again and again. */
const MAX_COMPARED = 10_000

/** Returns a function that compares calls with the recordings of a scenario. */
export function recordingComparer({ replies = [], ignore: ignored = [] }: ScenarioSource): RecordingComparer {
  const known = new LruMap<string, Pick<JournalEntry, 'recording'>>(MAX_COMPARED)
  const ignore = compileIgnore(ignored)
  const compare = (entry: JournalEntry, body: JsonObject, endpoint: ModelEndpoint): JournalEntry['recording'] => {
    const rule = entry.rule ?? entry.nearMiss?.rule ?? ''
    // `replies[2]` -> 2
    const { when, answer } = replies[Number(/\d+/.exec(rule)?.[0])] ?? {}
    if (when?.request === undefined || answer === undefined) return undefined
    const request = bodyOfRequest(when.request)
    // Azure names the model in the address.
    const sent = { ...(entry.model !== '' && { model: entry.model }), ...body }
    if (entry.unmatched && isOtherRequest(request, sent)) return undefined
    const wasRefused = (toList(answer).at(-1)?.status ?? 200) >= 400
    const findings = compareRequest({ request, ignore, wasRefused }, { endpoint, body: sent }, !entry.unmatched)
    return findings.length === 0 ? undefined : { rule, findings }
  }
  return (entry) => {
    const { endpoint, body } = entry
    if (body === undefined || !isModelEndpoint(endpoint)) return undefined
    const name = `${entry.rule ?? ''} ${entry.request}`
    const found = known.get(name) ?? { recording: compare(entry, body, endpoint) }
    known.set(name, found)
    return found.recording
  }
}

/** True if the model and a text differ. */
function isOtherRequest(recorded: JsonObject, sent: JsonObject): boolean {
  const fields = findBodyDifferences(recorded, sent, isSame).map(({ field }) => field)
  return fields.includes('request.model') && fields.some((field) => TEXTS.test(field))
}
