/** What the page is told of a call: a short line for its table, and everything there is, within bounds, for one opened. */
import { readMessages } from '../request/messages.ts'
import type { JsonObject } from '../text/json.ts'
import type { JournalEntry, Step } from './entry.ts'

const MAX_LINE_LENGTH = 200
const MAX_STEPS = 1000
const MAX_CHARACTERS = 200_000

/** A call as a line of a table. */
export interface CallSummary extends Omit<JournalEntry, 'body' | 'timeline' | 'headers'> {
  /** The beginning of what was asked: the last user message, or the first input. */
  readonly asked: string
}

/** A call opened. */
export interface CallDetails extends CallSummary {
  readonly body?: JsonObject | undefined
  /** The last user message whole, and what the tools gave where the conversation ends with their results. */
  readonly user: string
  readonly toolResult?: string
  readonly headers: Readonly<Record<string, string>>
  /** The plan of the answer; left out when it was not kept. */
  readonly timeline?: readonly Step[]
  /** Whether the timeline has all steps with all their data. */
  readonly isWhole?: boolean
}

export function summaryOf({ body = {}, timeline: _timeline, headers: _headers, ...rest }: JournalEntry): CallSummary {
  return { ...rest, asked: askedIn(body).slice(0, MAX_LINE_LENGTH) }
}

export function detailsOf(entry: JournalEntry): CallDetails {
  const { timeline, ...rest } = entry
  const { body = {} } = entry
  const { user, toolResult } = readMessages(body)
  return {
    ...rest,
    asked: askedIn(body).slice(0, MAX_LINE_LENGTH),
    user,
    ...(toolResult !== undefined && { toolResult }),
    ...(timeline !== undefined && bounded(timeline)),
  }
}

/** What a person would say was asked. */
function askedIn(body: JsonObject): string {
  if (body.input === undefined) return readMessages(body).last
  const { input } = body
  const first: unknown = Array.isArray(input) ? input[0] : input
  if (typeof first !== 'string') return '[tokens]'
  return Array.isArray(input) && input.length > 1 ? `${first} (and ${input.length - 1} more)` : first
}

/** The first steps and the last one, with so much data in all. */
function bounded(steps: readonly Step[]): { timeline: readonly Step[]; isWhole: boolean } {
  let room = MAX_CHARACTERS
  let isWhole = steps.length <= MAX_STEPS
  const shown = isWhole ? steps : [...steps.slice(0, MAX_STEPS - 1), steps.at(-1)!]
  const timeline = shown.map((step): Step => {
    if (!('bytes' in step)) return step
    const { data: text, ...rest } = step
    const data = text?.slice(0, room) ?? ''
    room -= data.length
    if (text === undefined || data.length < text.length) isWhole = false
    return { ...rest, ...(data !== '' && { data }) }
  })
  return { timeline, isWhole }
}
