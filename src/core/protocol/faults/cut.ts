/**
 * The fault `cut`, which ends an answer early: after a number of events or bytes, inside one of its parts, or before one.
 *
 *     cut; after=2                       two whole events, then a reset
 *     cut; after=2; bytes=10; end=fin    ten bytes of the third event too, then a close
 *     cut; inside=arguments              half of the first arguments of a tool call
 *     cut; before=usage                  everything up to the event with the usage
 *
 * In a Responses stream, most events carry nothing that a client shows, so `after` counts those with content
 * (responses-events.ts).
 */

import { type Plan, type PlanEvent, type Send, sendSizeOf } from '../plan/plan.ts'
import { bytesOf, firstBytes, type NotApplicable, sendsOf, sizeOf, textOf } from '../plan/transform.ts'
import { faultWith } from './fault.ts'
import { countUpTo, LAST_EVENT } from './responses-events.ts'

export const cut = faultWith({
  kind: 'wire',
  name: 'cut',
  summary:
    'Ends a stream early: after a number of events or bytes, inside a part of it or before one. Without bytes or inside, a non-streamed response ends after half of its body.',
  options: {
    after: {
      kind: 'count',
      summary:
        'the number of complete events first, or of places on responses (default 1; 0 with bytes, inside or before)',
    },
    bytes: { kind: 'count', summary: 'the number of bytes after them' },
    inside: { kind: 'choice', of: ['data', 'character', 'arguments'], summary: 'the part in whose middle it ends' },
    before: { kind: 'choice', of: ['finish', 'usage', 'done'], summary: 'the event before which it ends' },
    end: {
      kind: 'choice',
      of: ['reset', 'fin', 'stall', 'clean'],
      default: 'reset',
      summary: 'the end of the answer: with a reset (RST), a close (FIN), silence on an open connection, or normally',
    },
  },
  oneOf: ['bytes', 'inside', 'before'],
  transform: (plan, { end, ...where }, { endpoint }) => {
    const kept = plan.isStream ? countKeptOfStream(plan, where, endpoint === 'responses') : countKeptOfBody(plan, where)
    if (typeof kept !== 'number') return kept
    const size = sizeOf(plan)
    // Resets, closes and stalls change the end of a whole answer too.
    if (kept > size || (kept === size && end === 'clean')) {
      return {
        notApplicable: `expected a cut before the end of the answer (${size} bytes), got a cut after ${kept} bytes.`,
      }
    }
    return { ...plan, events: [...firstBytes(plan, kept), CLOSINGS[end]] }
  },
})

const CLOSINGS = {
  reset: { type: 'reset' },
  fin: { type: 'close' },
  stall: { type: 'stall' },
  clean: { type: 'end' },
} as const satisfies Record<string, PlanEvent>

/** The options that say where an answer ends. */
interface Where {
  readonly after: number | undefined
  readonly bytes: number | undefined
  readonly inside: keyof typeof INSIDE | undefined
  readonly before: keyof typeof BEFORE | undefined
}

/** The number of bytes that are sent of an answer that is not a stream. */
function countKeptOfBody(plan: Plan, { bytes, inside, before }: Where): number | NotApplicable {
  if (before !== undefined) {
    return { notApplicable: "its option 'before' needs a stream, and this answer is not a stream.", needsStream: true }
  }
  if (inside !== undefined) return countBefore(INSIDE[inside], sendsOf(plan))
  return bytes ?? Math.floor(sizeOf(plan) / 2)
}

/**
 * The number of bytes of a stream that are sent: whole events, and a part of the next one.
 * @param isResponse true for the stream of a response.
 */
function countKeptOfStream(
  plan: Plan,
  { after, bytes, inside, before }: Where,
  isResponse: boolean,
): number | NotApplicable {
  let position: Position | undefined
  if (inside !== undefined) position = isResponse && inside === 'arguments' ? STREAMED_ARGUMENTS : INSIDE[inside]
  else if (before !== undefined) position = isResponse ? BEFORE_LAST : BEFORE[before]

  const isBetweenEvents = bytes === undefined && position === undefined
  const wanted = after ?? (isBetweenEvents ? 1 : 0)
  // The first place of a response is after the events that begin it. A cut inside an event may come before that.
  const countsPlaces = isResponse && (isBetweenEvents || wanted > 0)
  const wholeEvents = countsPlaces ? countUpTo(plan, wanted) : wanted
  if (typeof wholeEvents !== 'number') return wholeEvents
  const sends = sendsOf(plan)
  if (wholeEvents > sends.length) {
    return {
      notApplicable: `expected 'after' to be at most ${sends.length}, the number of events of the stream, got ${wanted}.`,
    }
  }

  const size = sizeOf({ events: sends.slice(0, wholeEvents) })
  if (position === undefined) return size + (bytes ?? 0)
  return countBefore(position, sends.slice(wholeEvents), size)
}

/** The number of bytes before a position, in the first of these events that has it. @param size that of the events before them. */
function countBefore(position: Position, sends: readonly Send[], size = 0): number | NotApplicable {
  let before = size
  for (const send of sends) {
    const offset = position.find(textOf(send.data))
    if (offset !== undefined) return before + offset
    before += sendSizeOf(send)
  }
  return { notApplicable: position.missing }
}

/** A named position: the number of bytes of an event before it, or undefined when the event does not have it. */
interface Position {
  readonly find: (event: string) => number | undefined
  /** The reason why the fault does not apply when no event has it. */
  readonly missing: string
}

const startOf = (pattern: RegExp, missing: string): Position => ({
  find: (event) => (pattern.test(event) ? 0 : undefined),
  missing,
})

/** The middle of the text in the group of a pattern, which a quote follows. */
const middleOf = (pattern: RegExp): Position => ({
  find: (event) => {
    const [matched, group] = pattern.exec(event) ?? []
    if (matched === undefined || group === undefined) return undefined
    // The 1 is the closing quote.
    return bytesOf(matched).length - 1 - Math.floor(bytesOf(group).length / 2)
  },
  missing: 'the answer has no tool arguments. Use a reply that calls a tool with arguments.',
})

/** In a Responses stream, arguments come in pieces, and then whole. */
const STREAMED_ARGUMENTS = middleOf(
  /^event: response\.function_call_arguments\.delta\n.*?"delta":\s*"((?:[^"\\]|\\.)+)"/s,
)

const INSIDE = {
  data: {
    find: (event) => Math.ceil((event.indexOf('{') + bytesOf(event).length) / 2),
    missing: 'the answer has no data left.',
  },
  character: {
    // The first byte of a code point of several bytes is 0xc0 or more, and no other byte is.
    find: (event) => bytesOf(event).findIndex((byte) => byte >= 0xc0) + 1 || undefined,
    missing: 'the answer has no character of more than one byte. Use a reply with one, such as é.',
  },
  arguments: middleOf(/^.*?"arguments":\s*"((?:[^"\\]|\\.)+)"/s),
} as const satisfies Record<string, Position>

const BEFORE = {
  finish: startOf(/"finish_reason":"/, 'the stream has no finish reason.'),
  usage: startOf(/"usage":\{/, 'the stream has no usage. Ask for it with "stream_options": {"include_usage": true}.'),
  done: startOf(/^data: \[DONE\]/, 'the stream has no [DONE].'),
} as const satisfies Record<string, Position>

const BEFORE_LAST = startOf(LAST_EVENT, 'the stream has no last event.')
