/** What the page is told of a call: a short line for its table, and everything there is, within bounds, for one opened. */
import { type JsonObject, readConversation } from '../core/conversation.ts'
import type { PlanEvent } from '../core/plan.ts'
import { type Endpoint, routeOf } from '../core/route.ts'
import type { JournalEntry } from './journal.ts'
import type { Exchange } from './mock.ts'

const LONGEST_LINE = 200
const MOST_STEPS = 1000
const MOST_CHARACTERS = 200_000
const MOST_PLANS = 500
const MOST_PLAN_CHARACTERS = 16_000_000

/** A call as a line of a table. */
export interface CallSummary extends Omit<JournalEntry, 'body'> {
  /** Undefined for a path that is none of the service. */
  readonly endpoint?: Endpoint
  /** The beginning of what was asked: the last user message, or the first input. */
  readonly asked: string
}

/** One step of an answer as it was planned; `atMs` is when it was taken since the call came, where that was measured. */
export type Step = { readonly atMs?: number } & (
  | { readonly type: 'head'; readonly status: number }
  | { readonly type: 'wait'; readonly ms: number }
  /** `data` is cut, or left out, where all of it would be too much; `bytes` is always the whole. */
  | { readonly type: 'send' | 'raw'; readonly bytes: number; readonly data?: string }
  | { readonly type: 'flush' | 'end' | 'close' | 'reset' | 'stall' }
)

/** A call opened. */
export interface CallDetails extends CallSummary {
  readonly body?: JsonObject
  /** The last user message whole, and what the tools gave where the conversation ends with their results. */
  readonly user: string
  readonly toolResult?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The plan of the answer; left out when it was not kept. */
  readonly timeline?: readonly Step[]
  /** Whether the timeline has all steps with all their data. */
  readonly isWhole?: boolean
}

export function summaryOf(entry: JournalEntry): CallSummary {
  const { body = {}, ...rest } = entry
  return { ...rest, ...endpointOf(entry), asked: askedIn(body).slice(0, LONGEST_LINE) }
}

/** What is known of a call; `kept` is its plan, where it was kept. */
export function detailsOf(entry: JournalEntry, kept: KeptPlan | undefined): CallDetails {
  const { body = {} } = entry
  const { user, toolResult } = readConversation(body)
  return {
    ...entry,
    ...endpointOf(entry),
    asked: askedIn(body).slice(0, LONGEST_LINE),
    user,
    ...(toolResult !== undefined && { toolResult }),
    ...(kept !== undefined && timelineOf(kept)),
  }
}

function endpointOf({ method, path }: JournalEntry): { endpoint?: Endpoint } {
  const { endpoint } = routeOf(method, path)
  return endpoint === undefined ? {} : { endpoint }
}

/** What a person would say was asked. */
function askedIn(body: JsonObject): string {
  if (body.input === undefined) return readConversation(body).last
  const { input } = body
  const first: unknown = Array.isArray(input) ? input[0] : input
  if (typeof first !== 'string') return '[tokens]'
  return Array.isArray(input) && input.length > 1 ? `${first} (and ${input.length - 1} more)` : first
}

interface KeptPlan {
  readonly events: readonly PlanEvent[]
  /** Whether the data may be told: not when the call repeats its key, which the answer may say again, piece by piece. */
  readonly isOpen: boolean
  readonly characters: number
}

function timelineOf({ events, isOpen }: KeptPlan): Pick<CallDetails, 'headers' | 'timeline' | 'isWhole'> {
  const head = events.find((event) => event.type === 'head')
  let room = isOpen ? MOST_CHARACTERS : 0
  let isWhole = events.length <= MOST_STEPS
  const steps = events.length <= MOST_STEPS ? events : [...events.slice(0, MOST_STEPS - 1), events.at(-1)!]
  const timeline = steps.map((event): Step => {
    if (event.type === 'head') return { type: 'head', status: event.status }
    if (event.type !== 'send' && event.type !== 'raw') return event
    const { type } = event
    // What is no text is shown as well as it can be.
    const text = typeof event.data === 'string' ? event.data : new TextDecoder().decode(event.data)
    const data = text.slice(0, room)
    room -= data.length
    if (data.length < text.length) isWhole = false
    return { type, bytes: Buffer.byteLength(event.data), ...(data !== '' && { data }) }
  })
  return { ...(head !== undefined && { headers: head.headers }), timeline, isWhole }
}

/** The plans of the last calls, bounded by number and size: kept from when the page was first asked for. */
export class RecentPlans {
  readonly #plans = new Map<number, KeptPlan>()
  #characters = 0

  add(exchange: Exchange): void {
    const { entry, plan } = exchange
    const { events } = plan
    let characters = 0
    for (const event of events) if ('data' in event) characters += event.data.length
    this.#plans.set(entry.number, { events, isOpen: !repeatsKey(exchange), characters })
    this.#characters += characters
    for (const [number, kept] of this.#plans) {
      if (this.#plans.size <= MOST_PLANS && this.#characters <= MOST_PLAN_CHARACTERS) break
      this.#plans.delete(number)
      this.#characters -= kept.characters
    }
  }

  get(number: number): KeptPlan | undefined {
    return this.#plans.get(number)
  }
}

function repeatsKey({ turn: { key, body, call } }: Exchange): boolean {
  const { body: text = '', path } = call
  // A key of a few letters is part of other words; an escape in the JSON may spell a longer one otherwise.
  if (key.length <= 4) return false
  return text.includes(key) || path.includes(key) || (text.includes('\\') && JSON.stringify(body).includes(key))
}
