/** What is true of every plan and of every answer, whatever was asked: the rules that fuzzing holds the mock to. */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { faultNamed } from '../../src/core/protocol/faults/read-fault.ts'
import { faultIn, headOf, type Plan, type PlanEvent, type Reason } from '../../src/core/protocol/plan/plan.ts'
import { parsed } from '../../test/support/wire.ts'

const CLOSING = new Set(['end', 'close', 'reset', 'stall'])

/** How a plan ends. */
export const closingOf = ({ events }: Plan): PlanEvent['type'] => events.at(-1)!.type

/** The text that a plan sends, as a client decodes it. */
export const textOf = ({ events }: Plan): string =>
  Buffer.concat(
    [...events].map((event) => (event.type === 'send' ? Buffer.from(event.data) : Buffer.alloc(0))),
  ).toString()

/** What is wrong with a plan; nothing where all is well. */
export function problemsOfPlan(plan: Plan, isRecorded = false): string[] {
  const head = headOf(plan.events)
  const problems = [
    ...problemsOfTimeline([...plan.events]),
    ...Object.entries(head?.headers ?? {}).flatMap(problemOfHeader),
  ]
  if (head === undefined || isRecorded) return problems
  const answer = { status: head.status, headers: head.headers, text: textOf(plan) }
  return [...problems, ...problemsOfAnswer(answer, plan.reason)]
}

function problemsOfTimeline(events: readonly PlanEvent[]): string[] {
  const types = events.map(({ type }) => type)
  const problems: string[] = []
  const closings = types.filter((type) => CLOSING.has(type)).length
  if (closings !== 1 || !CLOSING.has(types.at(-1)!)) problems.push(`a timeline that does not end once: ${types}`)
  if (types.filter((type) => type === 'head').length > 1) problems.push('two heads')
  const firstSend = types.indexOf('send')
  if (firstSend >= 0 && !types.slice(0, firstSend).includes('head')) problems.push('something is sent before the head')
  if (types.at(-1) === 'end' && !types.includes('head')) problems.push('an end without a head')
  for (const event of events) {
    if (event.type === 'wait' && !(event.ms >= 0 && event.ms < Number.POSITIVE_INFINITY))
      problems.push(`a wait of ${event.ms} ms`)
  }
  return problems
}

function problemOfHeader([name, value]: [string, string]): string[] {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return []
  } catch (error) {
    return [`the header ${name} can't be sent: ${(error as Error).message}`]
  }
}

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What is wrong with the body and the status that were decided, by what decided them. */
function problemsOfAnswer(answer: Answered, reason: Reason): string[] {
  const { status, headers, text } = answer
  const kind = faultKind(reason)
  const isPage = kind === 'answer' && headers['x-request-id'] === undefined
  // These bend the bytes, and a page is that of a proxy: nothing can be said of what comes out.
  if (kind === 'wire' || kind === 'stream' || isPage) return []
  if (status >= 500 && kind === undefined && reason.by !== 'queue') return [`${status} that nobody asked for`]
  if (status >= 400) return problemsOfEnvelope(text)
  // A recorded answer may be empty: a stream that broke off before its first event.
  if (text === '' && reason.by === 'reply') return []
  if (status === 204) return text === '' ? [] : ['a 204 with a body']
  return headers['content-type']?.startsWith('text/event-stream') ? problemsOfStream(text) : problemsOfJson(text)
}

const faultKind = (reason: Reason) => {
  const selected = faultIn(reason)
  return selected && faultNamed(selected.fault)!.kind
}

/** The four fields, and no other. */
export function problemsOfEnvelope(text: string): string[] {
  const body = parsed(text) as { error?: Record<string, unknown> } | undefined
  const { error } = body ?? {}
  const names = Object.keys(error ?? {}).join()
  const isWhole =
    Object.keys(body ?? {}).join() === 'error' &&
    names === 'message,type,param,code' &&
    [error?.message, error?.type].every((value) => typeof value === 'string' && value !== '') &&
    [error?.param, error?.code].every((value) => value === null || typeof value === 'string')
  return isWhole ? [] : [`no envelope: ${text.slice(0, 300)}`]
}

const LAST_OF_RESPONSES = /^event: response\.(?:completed|incomplete|failed)\n/

/** A chat ends with [DONE]; a response with an event that holds it whole, and its events are numbered. */
function problemsOfStream(text: string): string[] {
  const events = text.split('\n\n').slice(0, -1)
  const last = events.at(-1) ?? ''
  if (LAST_OF_RESPONSES.test(last))
    return events.flatMap((event, number) => {
      const [, name, json = ''] = /^event: (.+)\ndata: (.+)$/.exec(event) ?? []
      const data = parsed(json) as { type?: string; sequence_number?: number } | undefined
      const isWhole = data !== undefined && data.type === name && data.sequence_number === number
      return isWhole ? [] : [`no event ${number}: ${event.slice(0, 200)}`]
    })
  if (last !== 'data: [DONE]') return [`a stream without an end: ...${text.slice(-100)}`]
  return events
    .slice(0, -1)
    .flatMap((event) =>
      event.startsWith('data: {') && parsed(event.slice(6)) !== undefined ? [] : [`no event: ${event.slice(0, 200)}`],
    )
}

const problemsOfJson = (text: string): string[] =>
  parsed(text) === undefined ? [`no JSON: ${text.slice(0, 200)}`] : []
