/** Describes in one sentence how a call was answered and why. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { hasContent, sentBody, toldWaitMs } from '../../core/journal/read-answer.ts'
import { parseJson } from '../../core/lib/text/json.ts'
import { formatCount, formatMs } from '../parts/format.ts'

/** `429 rate_limit_exceeded: requests of key sk-****ijkl, 3 per minute, free again in 12.4 s` */
export function describeAnswer(call: CallDetails): string {
  const error = readError(call)
  const code = error?.code ?? error?.type
  const head = `${call.status === 0 ? 'No answer' : call.status}${code ? ` ${code}` : ''}`
  const end = describeEnd(call)
  return `${head}: ${describeReason(call, error?.message ?? '')}${end === undefined ? '' : `; ${end}`}`
}

/** `13 tokens in, 2 of 19 tokens out` for a stream that did not end normally; '' for a call that used none. */
export function describeTokens({ usage, cache, outcome, body, timeline = [], isWhole = false }: CallDetails): string {
  if (usage === undefined) return ''
  const cached = cache === undefined ? '' : ` (${cache.cachedTokens} cached)`
  // The mock sends each token of a text in an event of its own.
  const sent = timeline.filter((step) => step.type === 'send' && step.atMs !== undefined && hasContent(step.data ?? ''))
  const isPart = body?.stream === true && isWhole && (outcome === 'cut' || outcome === 'client-left')
  const out = usage.completionTokens.toLocaleString('en')
  return `${formatCount(usage.promptTokens, 'token')}${cached} in, ${isPart ? `${sent.length} of ${out} tokens` : out} out`
}

/** The error of an answer, as the API's error object names it. */
export interface ErrorObject {
  readonly message?: string | null
  readonly type?: string | null
  readonly code?: string | null
}

/** The error of a failed call; undefined for an answer without an error object, such as the page of a proxy. */
export function readError(call: CallDetails): ErrorObject | undefined {
  if (call.status < 400) return undefined
  const body = parseJson(sentBody(call) ?? '') as { error?: ErrorObject } | null | undefined
  return typeof body?.error === 'object' && body.error !== null ? body.error : undefined
}

/** The origin of a fault by the word that the journal has for it. */
const SOURCES: Readonly<Record<string, string>> = {
  header: ', by the header of the request',
  injected: ', injected',
  key: ', of the key',
}

function describeReason(call: CallDetails, message: string): string {
  const { reason, endpoint, unmatched, status, body } = call
  // The documentation links at the end of messages help a client, not someone who reads the reason.
  const trimmed = message.replace(/ (?:Visit|See|You can find|For more information)\b[\s\S]*$/, '').replace(/\.$/, '')
  const without = unmatched ? ', as no reply rule matched' : ''
  switch (reason.by) {
    case 'limit':
      return describeLimit(call, message)
    case 'fault': {
      const [, name = reason.name, from] = /^(\S+) \((.+)\)$/s.exec(reason.name) ?? []
      const source = from === undefined ? '' : (SOURCES[from] ?? `, by ${from}`)
      return `fault ${name}${source}${status === 429 ? describeWait(call) : ''}`
    }
    case 'queue':
    case 'key':
    case 'route':
    case 'request':
      return trimmed || `refused by ${reason.name}`
    case 'reply':
      return reason.name.startsWith('replies[') ? `the reply of rule ${reason.name}` : `${reason.name}, by a reply rule`
    case 'tool':
      return `a tool call, drawn from the declared tools${without}`
    case 'schema':
      return `a value of the requested JSON schema${without}`
    case 'preflight':
      return 'a CORS preflight of a browser'
    case 'echo':
      return `the last message, echoed${without}`
    case 'vectors': {
      const count = Array.isArray(body?.input) ? body.input.length : 1
      return `embeddings of ${count === 1 ? 'one input' : `${count} inputs`}`
    }
    default:
      return status >= 400 ? trimmed : endpoint.replaceAll('-', ' ')
  }
}

const WINDOWS: Readonly<Record<string, string>> = { sec: 'second', min: 'minute', hour: 'hour', day: 'day' }

function describeLimit(call: CallDetails, message: string): string {
  const { limit = '', notes, key, session } = call
  if (limit.startsWith('budget.')) return notes[0] ?? 'the budget of the key is used up'
  const [, window = '', most = ''] = /per (\w+) \(\w+\): Limit (\d+)/.exec(message) ?? []
  const owner = `${limit} of key ${key === '' ? 'none' : key}${session === undefined ? '' : `, session ${session}`}`
  const size = WINDOWS[window] === undefined ? '' : `, ${Number(most).toLocaleString('en')} per ${WINDOWS[window]}`
  const concurrent = /concurrent requests: Limit (\d+)/.exec(message)?.[1]
  return `${concurrent === undefined ? owner + size : `${concurrent} ${owner}`}${describeWait(call)}`
}

/** The time until a client may try again; a request that is larger than the limit never can. */
function describeWait(call: CallDetails): string {
  const waitMs = toldWaitMs(call)
  return Number.isFinite(waitMs) ? `, free again in ${formatMs(waitMs)}` : ''
}

/** The end of an answer that did not end normally. */
function describeEnd({ outcome, durationMs, timeline = [] }: CallDetails): string | undefined {
  switch (outcome) {
    case 'open':
      return 'not finished yet'
    case 'client-left':
      return `the client left after ${formatMs(durationMs)}`
    case 'cut':
      return `the mock cut it off after ${formatCount(timeline.filter(({ type }) => type === 'send').length, 'chunk')}`
    case 'complete':
      return undefined
    default:
      return outcome satisfies never
  }
}
