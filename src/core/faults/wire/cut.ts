/** Ends an answer before its end: after so many events or bytes, inside of something, or before it. */
import type { Plan, PlanEvent } from '../../plan/plan.ts'
import { bytesOf, firstBytes, type NotApplicable, sendsOf, sizeOf, textOf } from '../../plan/transform.ts'
import { faultWith } from '../fault.ts'

const CLOSINGS = {
  reset: { type: 'reset' },
  fin: { type: 'close' },
  stall: { type: 'stall' },
  clean: { type: 'end' },
} as const satisfies Record<string, PlanEvent>

/** A place that has a name: how many bytes of an event come before it, undefined where the event has none. */
interface Place {
  readonly find: (event: string) => number | undefined
  /** What to say when no event has it. */
  readonly missing: string
}

const startOf = (pattern: RegExp, missing: string): Place => ({
  find: (event) => (pattern.test(event) ? 0 : undefined),
  missing,
})

const INSIDE = {
  data: {
    find: (event) => Math.ceil((event.indexOf('{') + bytesOf(event).length) / 2),
    missing: 'it has no data left.',
  },
  character: {
    // The first byte of a code point of several bytes is 0xc0 or more, and no other byte is.
    find: (event) => bytesOf(event).findIndex((byte) => byte >= 0xc0) + 1 || undefined,
    missing: 'it has no character of more than one byte. Make it say one, such as é.',
  },
  arguments: {
    find: (event) => {
      const [whole, written] = /^.*?"arguments":"((?:[^"\\]|\\.)+)"/s.exec(event) ?? []
      if (whole === undefined || written === undefined) return undefined
      return bytesOf(whole).length - 1 - Math.floor(bytesOf(written).length / 2)
    },
    missing: 'it has no tool arguments. Make it call a tool that has some.',
  },
} as const satisfies Record<string, Place>

const BEFORE = {
  finish: startOf(/"finish_reason":"/, 'it has no finish reason.'),
  usage: startOf(/"usage":\{/, 'it has no usage. Ask for it with "stream_options": {"include_usage": true}.'),
  done: startOf(/^data: \[DONE\]/, 'it has no [DONE].'),
} as const satisfies Record<string, Place>

interface Where {
  readonly after: number | undefined
  readonly bytes: number | undefined
  readonly inside: keyof typeof INSIDE | undefined
  readonly before: keyof typeof BEFORE | undefined
}

export const cut = faultWith({
  kind: 'wire',
  name: 'cut',
  summary:
    'Ends a stream early: after some events, at a byte, inside of something or before it. An answer that is no stream arrives half, unless bytes or inside say where.',
  options: {
    after: { kind: 'count', summary: 'how many events arrive whole first (default 1; 0 with bytes, inside or before)' },
    bytes: { kind: 'count', summary: 'how many bytes arrive then' },
    inside: {
      kind: 'choice',
      of: ['data', 'character', 'arguments'],
      summary: 'it breaks in the middle of the next of these',
    },
    before: { kind: 'choice', of: ['finish', 'usage', 'done'], summary: 'it breaks before the next of these events' },
    end: {
      kind: 'choice',
      of: ['reset', 'fin', 'stall', 'clean'],
      default: 'reset',
      summary: 'how it ends: broken (RST), closed (FIN), open and silent, or properly, as if that were all',
    },
  },
  oneOf: ['bytes', 'inside', 'before'],
  transform: (plan, { end, ...where }) => {
    const size = plan.isStream ? sizeOfStream(plan, where) : sizeOfBody(plan, where)
    return typeof size === 'number' ? { ...plan, events: [...firstBytes(plan, size), CLOSINGS[end]] } : size
  },
})

/** How many bytes of a stream arrive. */
function sizeOfStream(plan: Plan, { after, bytes, inside, before }: Where): number | NotApplicable {
  const place = placeOf(inside, before)
  const first = after ?? (bytes === undefined && place === undefined ? 1 : 0)
  let size = 0
  for (const [index, { data }] of sendsOf(plan).entries()) {
    const isWhole = index < first
    if (!isWhole && place === undefined) break
    const found = isWhole ? undefined : place?.find(textOf(data))
    if (found !== undefined) return size + found
    size += bytesOf(data).length
  }
  return place === undefined ? size + (bytes ?? 0) : { notApplicable: place.missing }
}

/** How many bytes of an answer arrive that is no stream: it has no events to count. */
function sizeOfBody(plan: Plan, { bytes, inside, before }: Where): number | NotApplicable {
  if (before !== undefined) return { notApplicable: `it is no stream, and has no event before which to break.` }
  if (inside === undefined) return bytes ?? Math.floor(sizeOf(plan) / 2)
  const place: Place = INSIDE[inside]
  const found = place.find(
    sendsOf(plan)
      .map(({ data }) => textOf(data))
      .join(''),
  )
  return found ?? { notApplicable: place.missing }
}

function placeOf(inside: Where['inside'], before: Where['before']): Place | undefined {
  if (inside !== undefined) return INSIDE[inside]
  return before && BEFORE[before]
}
