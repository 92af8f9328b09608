/**
 * Redaction of a stream. A secret can be spread over several events, so that no single event shows it:
 *
 *     data: {"choices":[{"delta":{"content":"my key is sk-ab"}}]}          "my key is [redacted]"
 *     data: {"choices":[{"delta":{"content":"cdefgh12, keep it"}}]}        ", keep it"
 *
 * The pieces that the events add to one field (`delta.content`, the arguments of a tool call, the `delta` of an item) are
 * therefore searched as one text, and so are those of all fields.
 */

import { isObject, type JsonObject, objectsIn, parseJson } from '../../core/lib/text/json.ts'
import { REDACTED } from '../../core/scenario/conditions/request-condition.ts'
import type { Redactor } from './redact.ts'

/** One event, with the blank line that ends it, or the unfinished rest of a stream. */
export interface TimedText {
  readonly atMs: number
  readonly text: string
}

/** A string in the JSON of an event. */
interface Piece {
  /** The index of the event. */
  readonly event: number
  /** The string, without the secrets that were found so far. */
  text: string
  /** Replaces the string in the JSON. */
  readonly replace: (text: string) => void
}

/**
 * The events without secrets. An event without a secret keeps every byte.
 * @throws when a secret cannot be removed.
 */
export function redactStream(events: readonly TimedText[], redactor: Redactor): readonly TimedText[] {
  const payloads = events.map(({ text }) => parseJson(payloadOf(text)))
  checkLogprobs(payloads, redactor)
  const fields = new Map<string, Piece[]>()
  for (const [event, payload] of payloads.entries()) collectPieces(payload, itemOf(payload), event, fields)
  const changedEvents = new Set<number>()
  const redactJoined = (pieces: readonly Piece[]): void => redactPieces(pieces, redactor, changedEvents)
  for (const pieces of fields.values()) redactJoined(pieces)
  // A secret may begin in one field and end in another: a client that shows both shows it, one field after the other or
  // as the events come.
  const shown = [...fields].flatMap(([path, pieces]) => (NOT_TEXT.test(path) ? [] : pieces))
  redactJoined(shown)
  redactJoined(shown.sort((one, other) => one.event - other.event))
  return events.map(({ atMs, text }, index) => {
    const payload = payloadOf(text)
    const written = changedEvents.has(index) ? text.replace(payload, () => JSON.stringify(payloads[index])) : text
    return { atMs, text: redactor.redactJson(written) }
  })
}

/** Fields that no client shows as text. */
const NOT_TEXT = /\/(?:id|role|type)$/

/** The item and the part of a response that an event adds to: `response.output_text.delta 0 0 `; '' for a chunk of a chat. */
function itemOf(payload: unknown): string {
  if (!isObject(payload) || typeof payload.type !== 'string') return ''
  const { type, output_index: item, content_index: part, summary_index: summary } = payload
  return [type, item, part, summary].join(' ')
}

/** The data of an event. */
const payloadOf = (text: string): string => /^data: ?([^\r\n]*)/m.exec(text)?.[1] ?? ''

/**
 * Collects the pieces of an event in `fields`, each under the path of its field: `/choices/0/delta/content`.
 * @param value a part of the payload of the event, which is at `parent`.
 */
function collectPieces(value: unknown, parent: string, event: number, fields: Map<string, Piece[]>): void {
  if (!Array.isArray(value) && !isObject(value)) return
  for (const [name, item] of Object.entries(value)) {
    // Choices and tool calls carry their own index; the position in one event's list means nothing.
    const step = Array.isArray(value) && isObject(item) && typeof item.index === 'number' ? item.index : name
    const path = `${parent}/${step}`
    collectPieces(item, path, event, fields)
    // Only strings below `delta` are pieces of one text; an id is repeated in each event.
    if (typeof item !== 'string' || !/\/delta(?:\/|$)/.test(path)) continue
    const pieces = fields.get(path) ?? []
    fields.set(path, pieces)
    const replace = (text: string): void => {
      ;(value as Record<string, unknown>)[name] = text
    }
    pieces.push({ event, text: item, replace })
  }
}

/** Replaces each secret in the joined text, in the piece where it starts; its other pieces lose their part of it. */
function redactPieces(pieces: readonly Piece[], redactor: Redactor, changedEvents: Set<number>): void {
  const secrets = redactor.findSecrets(pieces.map(({ text }) => text).join(''))
  if (secrets.length === 0) return
  // All positions are those in the joined text.
  let pieceStart = 0
  for (const piece of pieces) {
    const { event, text, replace } = piece
    const pieceEnd = pieceStart + text.length
    let written = ''
    let copiedTo = pieceStart
    for (const [start, end] of secrets) {
      if (end <= copiedTo || start >= pieceEnd) continue
      if (start >= pieceStart) written += text.slice(copiedTo - pieceStart, start - pieceStart) + REDACTED
      copiedTo = Math.min(end, pieceEnd)
    }
    written += text.slice(copiedTo - pieceStart)
    if (written !== text) {
      replace(written)
      piece.text = written
      changedEvents.add(event)
    }
    pieceStart = pieceEnd
  }
}

/**
 * Searches the logprobs of an answer, which repeat it token by token. A secret in them cannot be removed reliably.
 * @param payloads the JSON of the body, or of each event of a stream.
 * @throws when the joined tokens of a choice contain a secret.
 */
export function checkLogprobs(payloads: readonly unknown[], redactor: Redactor): void {
  const texts = new Map<unknown, string>()
  const add = (name: unknown, tokens: readonly JsonObject[]): void => {
    const joined = tokens.map(({ token }) => (typeof token === 'string' ? token : '')).join('')
    texts.set(name, (texts.get(name) ?? '') + joined)
  }
  for (const payload of payloads) {
    if (!isObject(payload)) continue
    for (const { index, logprobs } of objectsIn(payload.choices)) {
      if (isObject(logprobs)) add(index, [...objectsIn(logprobs.content), ...objectsIn(logprobs.refusal)])
    }
    add(itemOf(payload), objectsIn(payload.logprobs))
    // A response, or the event that carries it.
    const { output } = isObject(payload.response) ? payload.response : payload
    for (const { id, content } of objectsIn(output)) {
      for (const [part, { logprobs }] of objectsIn(content).entries()) add(`${id} ${part}`, objectsIn(logprobs))
    }
  }
  for (const text of texts.values()) {
    if (redactor.findSecrets(text).length > 0) throw new Error('its logprobs contain a secret')
  }
}
