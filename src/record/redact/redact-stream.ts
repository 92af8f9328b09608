/**
 * Redaction of a stream. A model says a secret piece by piece, so that no event alone shows it: what the events add to
 * one field (`delta.content`, the arguments of a call) is put together and judged as one text.
 */
import { REDACTED } from '../../core/scenario/conditions/request.ts'
import { isObject } from '../../core/text/json.ts'
import type { TimedText } from '../stream-text.ts'
import type { Redactor } from './redact.ts'
import { checkLogprobs } from './redact-logprobs.ts'

/** A text in the JSON of an event, and how to put another in its place. */
interface Piece {
  readonly event: number
  readonly text: string
  readonly put: (text: string) => void
}

/**
 * The events without secrets; those that have none keep their every byte.
 * @throws when it has a secret that can't be taken out.
 */
export function redactStream(events: readonly TimedText[], redactor: Redactor): readonly TimedText[] {
  const payloads = events.map(({ text }) => parsed(payloadOf(text)))
  checkLogprobs(payloads, redactor)
  const fields = new Map<string, Piece[]>()
  for (const [event, payload] of payloads.entries()) {
    if (isObject(payload)) collect(payload, '', { event, fields, isDelta: false })
  }
  const changed = new Set<number>()
  for (const pieces of fields.values()) redactPieces(pieces, redactor, changed)
  return events.map(({ atMs, text }, index) => {
    const payload = payloadOf(text)
    const written = changed.has(index) ? text.replace(payload, () => JSON.stringify(payloads[index])) : text
    return { atMs, text: redactor.json(written) }
  })
}

const payloadOf = (text: string): string => /^data: ?([^\r\n]*)/m.exec(text)?.[1] ?? ''

/** The JSON value of a text; undefined for other texts. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Collecting {
  readonly event: number
  readonly fields: Map<string, Piece[]>
  /** Only what a delta adds is one text; an id that each event repeats is not. */
  readonly isDelta: boolean
}

function collect(holder: Record<string, unknown> | unknown[], place: string, state: Collecting): void {
  for (const [name, value] of Object.entries(holder)) {
    // Choices and calls say which they are; where they stand in one event says nothing.
    const step = Array.isArray(holder) && isObject(value) && typeof value.index === 'number' ? value.index : name
    const path = `${place}/${step}`
    const isDelta = state.isDelta || name === 'delta'
    if (typeof value === 'string' && isDelta) {
      const pieces = state.fields.get(path) ?? []
      state.fields.set(path, pieces)
      const put = (text: string): void => {
        ;(holder as Record<string, unknown>)[name] = text
      }
      pieces.push({ event: state.event, text: value, put })
    } else if (typeof value === 'object' && value !== null) {
      collect(value as Record<string, unknown>, path, { ...state, isDelta })
    }
  }
}

function redactPieces(pieces: readonly Piece[], redactor: Redactor, changed: Set<number>): void {
  const ranges = redactor.find(pieces.map(({ text }) => text).join(''))
  if (ranges.length === 0) return
  let start = 0
  for (const { event, text, put } of pieces) {
    const end = start + text.length
    let written = ''
    let from = start
    for (const [first, last] of ranges) {
      if (last <= from || first >= end) continue
      if (first >= start) written += text.slice(from - start, first - start) + REDACTED
      from = Math.min(last, end)
    }
    written += text.slice(from - start)
    if (written !== text) {
      put(written)
      changed.add(event)
    }
    start = end
  }
}
