/**
 * Describes in one sentence how a call was answered and why:
 *
 *     429 rate_limit_exceeded: requests of key sk-****ijkl, 3 per minute, free again in 12.4 s
 *     200: the reply of rule replies[2]; the mock cut it off after 7 chunks
 */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { hasContent, retryAfterMs, sentBody } from '../../core/journal/read-answer.ts'
import { parseJson } from '../../core/lib/text/json.ts'
import { formatCount, formatMs } from '../parts/format.ts'

export function describeAnswer(call: CallDetails): string {
  const { head, why } = explainAnswer(call)
  return `${head}: ${why}`
}

/** The sentence in two parts: the status with the code of the error, and the reason with an end that is not normal. */
export function explainAnswer(call: CallDetails): { readonly head: string; readonly why: string } {
  const error = readError(call)
  const status = call.status === 0 ? 'No answer' : String(call.status)
  const reason = describeReason(call, error?.message ?? '')
  return {
    head: [status, error?.code ?? error?.type].filter(Boolean).join(' '),
    why: [reason, describeEnd(call)].filter(Boolean).join('; '),
  }
}

/** `13 tokens in, 2 of 19 tokens out` for a stream that did not end normally; '' for a call that used none. */
export function describeTokens({ usage, cache, outcome, body, timeline = [], isWhole }: CallDetails): string {
  if (usage === undefined) return ''
  const cached = cache === undefined ? '' : ` (${cache.cachedTokens} cached)`
  const planned = usage.completionTokens.toLocaleString('en')
  const wasBroken = outcome === 'cut' || outcome === 'client-left'
  // The mock sends each token of a text in an event of its own.
  const sent = timeline.filter((step) => step.type === 'send' && step.atMs !== undefined && hasContent(step.data ?? ''))
  // Without the whole timeline, events are missing.
  const out = body?.stream === true && wasBroken && isWhole ? `${sent.length} of ${planned} tokens` : planned
  return `${formatCount(usage.promptTokens, 'token')}${cached} in, ${out} out`
}

/** The notes on a call: those of the mock, the rule that nearly matched, and differences from its recording. */
export const listNotes = ({ notes, nearMiss, recording }: CallDetails): readonly string[] => [
  ...notes,
  ...(nearMiss === undefined ? [] : [nearMiss.text]),
  ...(recording?.findings.map(({ tier, text }) => `${recording.rule}, ${tier}: ${text}`) ?? []),
]

/** The error of an answer, as the API's error object names it. */
type ErrorObject = Readonly<Partial<Record<'message' | 'type' | 'code', string | null>>>

/** The error of a failed call; undefined for an answer without an error object, such as the page of a proxy. */
export function readError(call: CallDetails): ErrorObject | undefined {
  if (call.status < 400) return undefined
  const body = parseJson(sentBody(call) ?? '') as { error?: ErrorObject } | null | undefined
  return typeof body?.error === 'object' && body.error !== null ? body.error : undefined
}

/** The answers that need no rule, by what gave them (`reason.by`). */
const ANSWERS: Readonly<Record<string, string>> = {
  tool: 'a tool call, drawn from the declared tools',
  schema: 'a value of the requested JSON schema',
  echo: 'the last message, echoed',
  preflight: 'a CORS preflight of a browser',
}

/** The stages that may refuse a call (`reason.by`). */
const REFUSING_STAGES: readonly string[] = ['queue', 'key', 'route', 'request']

/** The origins of a fault by the word that the journal has for them. */
const ORIGINS: Readonly<Record<string, string>> = {
  header: 'by the header of the request',
  injected: 'injected',
  key: 'of the key',
}

/** @param message that of the error, '' for none. */
function describeReason(call: CallDetails, message: string): string {
  const { reason, endpoint, body, unmatched, status } = call
  const { by, name } = reason
  if (by === 'limit') return describeLimit(call, message)
  if (by === 'fault') {
    // `rate-limit (injected)`
    const [, fault = name, from] = /^(\S+) \((.+)\)$/s.exec(name) ?? []
    const origin = from === undefined ? '' : `, ${ORIGINS[from] ?? `by ${from}`}`
    return `fault ${fault}${origin}${status === 429 ? describeWait(call) : ''}`
  }
  if (by === 'reply') return name.startsWith('replies[') ? `the reply of rule ${name}` : `${name}, by a reply rule`
  if (by === 'vectors') {
    const count = Array.isArray(body?.input) ? body.input.length : 1
    return `embeddings of ${count === 1 ? 'one input' : `${count} inputs`}`
  }
  const answer = ANSWERS[by]
  if (answer !== undefined) return unmatched ? `${answer}, as no reply rule matched` : answer
  // An endpoint without rules, such as the list of models.
  if (status < 400 && !REFUSING_STAGES.includes(by)) return endpoint.replaceAll('-', ' ')
  // The documentation links at the end of messages help a client, not someone who reads the reason.
  const trimmed = message.replace(/ (?:Visit|See|You can find|For more information)\b[\s\S]*$/, '').replace(/\.$/, '')
  return trimmed || `refused by ${name}`
}

/** The windows of limits by the words that messages have for them. */
const WINDOWS: Readonly<Record<string, string>> = { sec: 'second', min: 'minute', hour: 'hour', day: 'day' }

/** The limit with its size, which only the message has: `Rate limit reached … on requests per min (RPM): Limit 3, …`. */
function describeLimit(call: CallDetails, message: string): string {
  const { limit = '', notes, key, session } = call
  if (limit.startsWith('budget.')) return notes[0] ?? 'the budget of the key is used up'
  const owner = `${limit} of key ${key === '' ? 'none' : key}${session === undefined ? '' : `, session ${session}`}`
  const [, concurrent] = /concurrent requests: Limit (\d+)/.exec(message) ?? []
  if (concurrent !== undefined) return `${concurrent} ${owner}${describeWait(call)}`
  const [, unit = '', most = ''] = /per (\w+) \(\w+\): Limit (\d+)/.exec(message) ?? []
  const window = WINDOWS[unit]
  const size = window === undefined ? '' : `, ${Number(most).toLocaleString('en')} per ${window}`
  return `${owner}${size}${describeWait(call)}`
}

/** The time until a client may try again; a request that is larger than the limit never can. */
function describeWait(call: CallDetails): string {
  const waitMs = retryAfterMs(call)
  return waitMs === undefined ? '' : `, free again in ${formatMs(waitMs)}`
}

/** The end of an answer that did not end normally; '' for any other. */
function describeEnd({ outcome, durationMs, timeline = [] }: CallDetails): string {
  if (outcome === 'open') return 'not finished yet'
  if (outcome === 'client-left') return `the client left after ${formatMs(durationMs)}`
  const chunks = timeline.filter(({ type }) => type === 'send').length
  return outcome === 'cut' ? `the mock cut it off after ${formatCount(chunks, 'chunk')}` : ''
}
