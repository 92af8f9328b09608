/** Says in one sentence what a call was answered and why. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { formatMs } from '../parts/format.ts'
import { parseJson, sentBody } from './read-answer.ts'

/** `429 rate_limit_exceeded: requests of key sk-****ijkl, 3 per minute, free again in 12.4 s` */
export function describeAnswer(call: CallDetails): string {
  const error = readError(call)
  const code = error?.code ?? error?.type
  const head = [call.status === 0 ? 'No answer' : String(call.status), ...(code ? [code] : [])].join(' ')
  return [`${head}: ${describeReason(call, error?.message ?? '')}`, ...describeEnd(call)].join('; ')
}

/** The error of an answer, as the API's error object names it. */
export interface ErrorBody {
  readonly message?: string | null
  readonly type?: string | null
  readonly code?: string | null
}

/** The error of a failed call; undefined for an answer without an error object, such as the page of a proxy. */
export function readError(call: CallDetails): ErrorBody | undefined {
  if (call.status < 400) return undefined
  const body = parseJson(sentBody(call) ?? '') as { error?: ErrorBody } | null | undefined
  return typeof body?.error === 'object' && body.error !== null ? body.error : undefined
}

function describeReason(call: CallDetails, message: string): string {
  const { reason, endpoint, unmatched, status, body } = call
  switch (reason.by) {
    case 'limit':
      return describeLimit(call, message)
    case 'fault':
      return describeFault(call)
    case 'queue':
    case 'key':
    case 'route':
    case 'request':
      return trimMessage(message) || `refused by ${reason.name}`
    case 'reply':
      return reason.name.startsWith('replies[') ? `the reply of rule ${reason.name}` : `${reason.name}, by a reply rule`
    case 'tool':
      return `a tool call, drawn from the declared tools${unmatchedText(unmatched)}`
    case 'schema':
      return `a value of the requested JSON schema${unmatchedText(unmatched)}`
    case 'preflight':
      return 'a CORS preflight of a browser'
    case 'echo':
      return `the last message, echoed${unmatchedText(unmatched)}`
    case 'vectors': {
      const count = Array.isArray(body?.input) ? body.input.length : 1
      return `embeddings of ${count === 1 ? 'one input' : `${count} inputs`}`
    }
    default:
      return status >= 400 ? trimMessage(message) : `${endpoint.replaceAll('-', ' ')}`
  }
}

const unmatchedText = (isUnmatched: boolean): string => (isUnmatched ? ', as no reply rule matched' : '')

/** The documentation links at the end of messages help a client, not someone who reads the reason. */
const trimMessage = (message: string): string =>
  message.replace(/ (?:Visit|See|You can find|For more information)\b[\s\S]*$/, '').replace(/\.$/, '')

const WINDOWS: Readonly<Record<string, string>> = { sec: 'second', min: 'minute', hour: 'hour', day: 'day' }

function describeLimit(call: CallDetails, message: string): string {
  const { limit = '', notes, key, session } = call
  if (limit.startsWith('budget.')) return notes[0] ?? 'the budget of the key is used up'
  const [, window = '', most = ''] = /per (\w+) \(\w+\): Limit (\d+)/.exec(message) ?? []
  const owner = `${limit} of key ${key === '' ? 'none' : key}${session === undefined ? '' : `, session ${session}`}`
  const size = WINDOWS[window] === undefined ? '' : `, ${Number(most).toLocaleString('en')} per ${WINDOWS[window]}`
  const concurrent = /concurrent requests: Limit (\d+)/.exec(message)?.[1]
  return `${concurrent === undefined ? owner + size : `${concurrent} ${owner}`}${waitText(call)}`
}

/** When a client may try again; a request that is larger than the limit never can. */
function waitText({ headers }: CallDetails): string {
  const waitMs = Number(headers['retry-after-ms'] ?? Number(headers['retry-after']) * 1000)
  return Number.isFinite(waitMs) ? `, free again in ${formatMs(waitMs)}` : ''
}

const SOURCES: Readonly<Record<string, string>> = {
  header: 'by the header of the request',
  injected: 'injected',
  key: 'of the key',
}

function describeFault(call: CallDetails): string {
  const [, name = call.reason.name, from = ''] = /^(\S+) \((.+)\)$/s.exec(call.reason.name) ?? []
  const source = SOURCES[from] ?? (from === '' ? '' : `by ${from}`)
  return `fault ${name}${source === '' ? '' : `, ${source}`}${call.status === 429 ? waitText(call) : ''}`
}

/** How the answer ended, if it did not end normally. */
function describeEnd({ outcome, durationMs, timeline = [] }: CallDetails): string[] {
  switch (outcome) {
    case 'open':
      return ['not finished yet']
    case 'client-left':
      return [`the client left after ${formatMs(durationMs)}`]
    case 'cut': {
      const sent = timeline.filter(({ type }) => type === 'send').length
      return [`the mock cut it off after ${sent === 1 ? 'one chunk' : `${sent} chunks`}`]
    }
    case 'complete':
      return []
    default:
      return outcome satisfies never
  }
}
