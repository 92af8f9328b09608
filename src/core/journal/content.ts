/** What an entry of the journal stores of a call after it is searched, masked and packed: all that may fail. */

import type { Usage } from '../decide/call/answer.ts'
import type { CallContext } from '../decide/call/call-context.ts'
import { isUnmatched, matchedRuleId } from '../decide/call/rule-usage.ts'
import { truncate } from '../lib/text/truncate.ts'
import { headOf, type Plan, type PlanEvent, type Reason } from '../protocol/plan/plan.ts'
import { costOf } from './call-usage.ts'
import { type MaskedCall, maskQuery, maskRepeatedKeys } from './mask-call.ts'
import { type PackedEvents, packPlan } from './packed-plan.ts'
import { type NearMissFinder, nearMissFinderOf } from './unmatched-call.ts'

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
  readonly reason: Reason
  readonly rule: string | undefined
  readonly unmatched: boolean
  /** What its tokens cost in US dollars. */
  readonly usd: number | undefined
  readonly notes: readonly string[]
  /** Masks the keys that the call repeats; undefined when it repeats none. */
  readonly mask: Mask | undefined
  /** For a call without a match whose body is stored. */
  readonly findNearMiss: NearMissFinder | undefined
  /** How many UTF-16 code units of the stored text are the body of the request. The rest are the texts of the plan. */
  readonly bodyLength: number
  /** Whether the plan is stored: it is not when it is too large. */
  readonly hasPlan: boolean
  /** What the plan has besides its texts; undefined for a plan of a head, one text and the end. */
  readonly planEvents: Omit<PackedEvents, 'text'> | undefined
  /** The size of the body and the plan, in bytes; a character counts as one. */
  readonly payloadBytes: number
}

/** The content of an entry whose call could not be recorded: nothing of what the client sent, which nothing has masked. */
export const unrecorded = ({ events, reason: { by } }: Plan): Content => ({
  status: headOf(events)?.status ?? 0,
  headers: NO_HEADERS,
  path: '',
  query: undefined,
  model: '',
  reason: { by, name: '' },
  rule: undefined,
  unmatched: false,
  usd: undefined,
  notes: ['The mock failed to record this call: a bug in llm-api-mock. Its stderr shows the error.'],
  mask: undefined,
  findNearMiss: undefined,
  bodyLength: 0,
  hasPlan: false,
  planEvents: undefined,
  payloadBytes: 0,
})

/**
 * @param maxBytes the most bytes of the body, and of the plan; a larger one is not stored.
 * @param store is given the texts of the call, as one.
 */
export function findContent(
  context: CallContext,
  plan: Plan,
  usage: Usage | undefined,
  maxBytes: number,
  store: (text: string) => void,
): Content {
  const { call, route, bodyError } = context
  const { status = 0, headers = NO_HEADERS } = headOf(plan.events) ?? {}
  const masked = maskRepeatedKeys(context, status, maxBytes)
  const isMiss = isUnmatched(context, plan.reason)

  // A body that no endpoint parses may not be JSON.
  const text = route.parsesBody && bodyError === undefined ? call.body : undefined
  const isStored = text !== undefined && text !== '' && text.length <= maxBytes
  const body = isStored ? (masked?.body ?? text) : ''
  const bodyLength = body.length
  // Azure names the model in the address.
  const isExact = masked === undefined && call.deployment === undefined
  const planBytes = estimatePlanBytes(plan.events, maxBytes)
  const packed = planBytes <= maxBytes ? packPlan(plan.events) : undefined
  const { text: planText = '', ...planEvents } = typeof packed === 'string' ? { text: packed } : (packed ?? {})
  const content: Content = {
    status,
    headers,
    path: truncate(masked?.path ?? call.path, MAX_NAME_LENGTH),
    query: call.query && truncate(maskQuery(call.query, context), MAX_NAME_LENGTH),
    model: truncate(masked?.mask(context.model) ?? context.model, MAX_NAME_LENGTH),
    // A reason may be the name of a tool that the request declares.
    reason: masked === undefined ? plan.reason : { ...plan.reason, name: masked.mask(plan.reason.name) },
    rule: isMiss ? undefined : matchedRuleId(context, plan.reason, status),
    unmatched: isMiss,
    usd: costOf(context, usage),
    notes: masked === undefined ? plan.notes : plan.notes.map(masked.mask),
    mask: masked?.mask,
    findNearMiss: isMiss && bodyLength > 0 ? nearMissFinderOf(context, isExact) : undefined,
    bodyLength,
    hasPlan: packed !== undefined,
    planEvents: 'codes' in planEvents ? planEvents : undefined,
    payloadBytes: bodyLength + (packed === undefined ? 0 : planBytes),
  }
  // Last, because nothing may fail any more. As one text, because storing two takes longer.
  store(body + planText)
  return content
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
