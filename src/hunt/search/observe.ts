/** Reads from the journal what an app did in a run. */

import { isPlannedRule } from '../../core/decide/call/rule-usage.ts'
import type { JournalEntry } from '../../core/journal/entry.ts'
import { isObject, type JsonObject } from '../../core/lib/text/json.ts'
import { shorten } from '../../core/lib/text/shorten.ts'
import { faultIn } from '../../core/protocol/plan/plan.ts'
import type { CallTraits, Content } from './fault-classes.ts'
import { type FaultSet, faultFor } from './fault-set.ts'
import type { CallRule, Identify } from './identity.ts'
import type { SeenCall } from './run.ts'

/** What a hunt remembers of a call that it can break. */
export interface KnownCall extends CallTraits, CallRule {
  readonly endpoint: string
  readonly body: JsonObject | undefined
  /** For reports: `POST chat "Summarise..."`. */
  readonly label: string
  /** Whether its answer was seen without a fault, so that `content` is certain. */
  readonly isCertain: boolean
  /** The bytes of each event of its answer; empty unless it is a stream. */
  readonly eventSizes: readonly number[]
}

/** The calls of a run, and what is new about them. Calls that are answered without a body, such as GET, do not count. */
export function observe(
  entries: readonly JournalEntry[],
  planned: FaultSet,
  known: Map<string, KnownCall>,
  identify: Identify,
): SeenCall[] {
  return entries.flatMap((entry): SeenCall[] => {
    if (entry.method !== 'POST' || entry.endpoint === 'unknown') return []
    const { id, attempt, when, isCounted } = identify(entry)
    const expected = faultFor(planned, id, attempt)
    const from = faultIn(entry.reason)?.from
    const isPlanned = from !== undefined && isPlannedRule(from, planned.length)
    const isCertain = expected === undefined && entry.status === 200
    if (!known.has(id) || (isCertain && !known.get(id)!.isCertain))
      known.set(id, { ...describe(entry), when, isCounted, isCertain })
    if (expected === undefined) return [{ id, attempt }]
    return [isPlanned ? { id, attempt, fault: expected } : { id, attempt, refused: expected }]
  })
}

function describe(entry: JournalEntry): Omit<KnownCall, 'isCertain' | keyof CallRule> {
  const { endpoint, body, timeline = [] } = entry
  const isStream = body?.stream === true
  return {
    endpoint,
    body,
    isStream,
    eventSizes: isStream ? timeline.flatMap((step) => (step.type === 'send' ? [step.bytes] : [])) : [],
    content: contentOf(entry),
    label: `POST ${endpoint} ${shorten(promptOf(body))}`,
  }
}

function contentOf({ endpoint, body, timeline = [] }: JournalEntry): Content {
  if (endpoint === 'embeddings') return 'embeddings'
  const format = isObject(body?.response_format) ? body.response_format.type : undefined
  const callsTools = timeline.some((step) => step.type === 'send' && step.data?.includes('"tool_calls":[') === true)
  if (callsTools) return 'tool calls'
  return format === 'json_schema' || format === 'json_object' ? 'json' : 'text'
}

/** The text that tells calls apart best: the last message, or the input. */
function promptOf(body: JsonObject | undefined): string {
  const messages = body?.messages
  const last = Array.isArray(messages) ? messages.at(-1) : undefined
  const prompt = isObject(last) ? last.content : body?.input
  return typeof prompt === 'string' ? JSON.stringify(prompt) : JSON.stringify(prompt ?? '')
}
