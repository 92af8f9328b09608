/** What an entry of the journal stores of a call after it is searched, masked and packed: all that may fail. */

import type { Usage } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { headOf, type Plan, type PlanEvent } from '../plan/plan.ts'
import type { NearMiss } from '../scenario/diagnostics/near-miss.ts'
import { truncate } from '../text/truncate.ts'
import { costOf } from './call-usage.ts'
import { type MaskedCall, maskQuery, maskRepeatedKeys } from './mask-call.ts'
import { type PackedEvents, packPlan } from './packed-plan.ts'
import { isUnmatched, matchedRuleId } from './rule-usage.ts'
import type { StoredText, TextArena } from './text-arena.ts'

const MAX_NAME_LENGTH = 200
/** The memory of one event besides its data. */
const EVENT_BYTES = 24
export const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({})

export type Mask = MaskedCall['mask']

export interface Content {
  /** 0 when nothing is answered. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly path: string
  readonly query: string | undefined
  readonly model: string
  readonly rule: string | undefined
  readonly unmatched: boolean
  /** What its tokens cost in US dollars. */
  readonly usd: number | undefined
  readonly notes: readonly string[]
  /** Masks the keys that the call repeats; undefined when it repeats none. */
  readonly mask: Mask | undefined
  readonly body: StoredText | undefined
  readonly findNearMiss: (() => NearMiss | undefined) | undefined
  /** The texts of all events of the plan, joined; undefined when the plan is too large to store. */
  readonly planText: StoredText | undefined
  /** The rest of the plan; undefined for a plan of a head, one text and the end. */
  readonly planEvents: Omit<PackedEvents, 'text'> | undefined
  /** The size of the body and the plan, in bytes; a character counts as one. */
  readonly payloadBytes: number
}

/** The content of an entry whose call could not be recorded: nothing of what the client sent, which nothing has masked. */
export const unrecorded = ({ events }: Plan): Content => ({
  status: headOf(events)?.status ?? 0,
  headers: NO_HEADERS,
  path: '',
  query: undefined,
  model: '',
  rule: undefined,
  unmatched: false,
  usd: undefined,
  notes: ['The mock failed to record this call: a bug in llm-api-mock. Its stderr shows the error.'],
  mask: undefined,
  body: undefined,
  findNearMiss: undefined,
  planText: undefined,
  planEvents: undefined,
  payloadBytes: 0,
})

/** @param maxBytes the most bytes of the body, and of the plan; a larger one is not stored. */
export function findContent(
  context: CallContext,
  plan: Plan,
  usage: Usage | undefined,
  arena: TextArena,
  maxBytes: number,
): Content {
  const { call, route, bodyError } = context
  const { status = 0, headers = NO_HEADERS } = headOf(plan.events) ?? {}
  const masked = maskRepeatedKeys(context, status, maxBytes)
  const isMiss = isUnmatched(context, plan.reason)

  // A body that no endpoint parses may not be JSON.
  const text = route.parsesBody && bodyError === undefined ? call.body : undefined
  const body = text === undefined || text === '' || text.length > maxBytes ? undefined : (masked?.body ?? text)
  const planBytes = estimatePlanBytes(plan.events, maxBytes)
  const packed = planBytes <= maxBytes ? packPlan(plan.events) : undefined
  const { text: planText, ...planEvents } = typeof packed === 'string' ? { text: packed } : (packed ?? {})
  return {
    status,
    headers,
    path: truncate(masked?.path ?? call.path, MAX_NAME_LENGTH),
    query: call.query && truncate(maskQuery(call.query, context), MAX_NAME_LENGTH),
    model: truncate(masked?.mask(context.model) ?? context.model, MAX_NAME_LENGTH),
    rule: isMiss ? undefined : matchedRuleId(context, plan.reason, status),
    unmatched: isMiss,
    usd: costOf(context, usage),
    notes: masked === undefined ? plan.notes : plan.notes.map(masked.mask),
    mask: masked?.mask,
    // The finder holds the messages of the body, so it is kept only if the body is, and counts as a second body.
    findNearMiss: isMiss && body !== undefined ? context.nearMissFinder : undefined,
    planEvents: 'codes' in planEvents ? planEvents : undefined,
    payloadBytes: (body?.length ?? 0) * (isMiss ? 2 : 1) + (packed === undefined ? 0 : planBytes),
    // Last: the memory of an entry that is never made could not be freed.
    ...storeTexts(arena, body, planText),
  }
}

/** Stores both texts or none. */
function storeTexts(arena: TextArena, body: string | undefined, plan: string | undefined) {
  const storedBody = body === undefined ? undefined : arena.store(body)
  try {
    return { body: storedBody, planText: plan === undefined ? undefined : arena.store(plan) }
  } catch (error) {
    storedBody?.free()
    throw error
  }
}

/** The memory of a plan, up to some number above `enough`; a character counts as one byte. */
function estimatePlanBytes(events: readonly PlanEvent[], enough: number): number {
  let bytes = 0
  for (const event of events) {
    if (bytes > enough) break
    bytes += EVENT_BYTES
    if (event.type === 'send') bytes += event.byteLength ?? event.data.length
    else if (event.type === 'raw') bytes += event.data.length
  }
  return bytes
}
