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

/** Paths of fields that an answer may repeat, but that change nothing else of it. */
const HARMLESS =
  /^request\.(?:user|metadata|store|safety_identifier|prompt_cache_key|prompt_cache_retention|service_tier)\b/
/** Paths of fields with the texts of a request. */
const TEXTS = /^request\.(?:messages|input)\b/

/** A recorded request as an object; empty for a text that is no JSON object. */
export function bodyOfRequest(request: string | JsonObject): JsonObject {
  const body = typeof request === 'string' ? parseJson(request) : request
  return isObject(body) ? body : {}
}

/**
 * The differences of a request from a recorded one, the worst first.
 * @param options `isReplayed`: true if replay answers it from this recording, so that no difference can change the answer.
 */
export function compareRequest(
  { request, ignore, wasRefused }: RecordedRequest,
  { endpoint, body }: SentRequest,
  { isReplayed }: { readonly isReplayed: boolean },
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

/**
 * Returns a function that compares a call of the journal with its recording: the rule that answered it, or for an unmatched
 * call the rule that came closest. Undefined for a call without a recording, or without a difference from it.
 */
export function recordingComparer({ replies = [], ignore: ignored = [] }: ScenarioSource): RecordingComparer {
  /** The results by rule and request, also those that are undefined. */
  const compared = new LruMap<string, Pick<JournalEntry, 'recording'>>(MAX_COMPARED)
  const ignore = compileIgnore(ignored)
  const compare = (entry: JournalEntry, body: JsonObject, endpoint: ModelEndpoint): JournalEntry['recording'] => {
    const ruleId = entry.rule ?? entry.nearMiss?.rule ?? ''
    // `replies[2]` -> 2
    const { when, answer } = replies[Number(/\d+/.exec(ruleId)?.[0])] ?? {}
    if (when?.request === undefined || answer === undefined) return undefined
    const request = bodyOfRequest(when.request)
    // Azure names the model in the address.
    const sent = { ...(entry.model !== '' && { model: entry.model }), ...body }
    if (entry.unmatched && isOtherRequest(request, sent)) return undefined
    const { status = 200 } = toList(answer).at(-1) ?? {}
    const recorded = { request, ignore, wasRefused: status >= 400 }
    const findings = compareRequest(recorded, { endpoint, body: sent }, { isReplayed: !entry.unmatched })
    return findings.length === 0 ? undefined : { rule: ruleId, findings }
  }
  return (entry) => {
    const { endpoint, body } = entry
    if (body === undefined || !isModelEndpoint(endpoint)) return undefined
    const name = `${entry.rule ?? ''} ${entry.request}`
    const result = compared.get(name) ?? { recording: compare(entry, body, endpoint) }
    compared.set(name, result)
    return result.recording
  }
}

/** True if both the model and a text differ: the rule that came closest then records another request altogether. */
function isOtherRequest(recorded: JsonObject, sent: JsonObject): boolean {
  const fields = findBodyDifferences(recorded, sent, isSame).map(({ field }) => field)
  return fields.includes('request.model') && fields.some((field) => TEXTS.test(field))
}
