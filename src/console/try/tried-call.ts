/** The last call that was tried: its answer as far as it has arrived, and the call in the journal. */
import { signal } from '@preact/signals'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { isEventStream, readAnswer } from '../../core/journal/read-answer.ts'
import { parseJson } from '../../core/lib/text/json.ts'
import { readTexts } from '../app/control-api.ts'
import { calls, readCall, status } from '../app/page-state.ts'
import type { TriedRequest } from './try-draft.ts'

/** A call that was tried, and as much of its answer as has arrived. */
interface TriedCall {
  /** 0 until the head arrives, and for a call without an answer. */
  readonly status: number
  /** The body so far. */
  readonly body: string
  readonly isDone: boolean
  /** The time from sending it to the first and the last byte of the body. */
  readonly firstMs?: number
  readonly totalMs?: number
  /** The reason why it ended early. */
  readonly problem?: string
  /** The call in the journal, which says why it was answered so; undefined until it is found. */
  readonly call?: CallDetails | undefined
}

/** The last call that was tried; it goes on while other views are shown. */
export const tried = signal<TriedCall>()

let leaving = new AbortController()

export const leave = (): void => leaving.abort()

export async function send({ path, key, requestHeaders, text }: TriedRequest): Promise<void> {
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  const start = performance.now()
  const newest = calls.all.value.at(-1)?.number ?? 0
  let requestId: string | null = null
  let current: TriedCall = { status: 0, body: '', isDone: false }
  const show = (more: Partial<TriedCall>): void => {
    current = { ...current, ...more }
    // A call that was replaced by another one shows nothing more.
    if (leaving.signal === signal) tried.value = current
  }
  show({})
  try {
    const { session } = status.value ?? {}
    const limited = session === undefined ? {} : { 'x-mock-session': session }
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...limited,
      ...requestHeaders,
    }
    const response = await fetch(path, { method: 'POST', headers, body: text, signal })
    requestId = response.headers.get('x-request-id')
    show({ status: response.status })
    for await (const text of readTexts(response.body!)) {
      show({ body: current.body + text, firstMs: current.firstMs ?? performance.now() - start })
    }
    show({ isDone: true, totalMs: performance.now() - start })
  } catch (error) {
    const problem = signal.aborted ? 'You stopped it.' : `The connection broke: ${(error as Error).message}`
    show({ isDone: true, totalMs: performance.now() - start, problem })
  }
  show({ call: await findCall(path, requestId, newest).catch(() => undefined) })
}

const MAX_TRIES = 20
const PAUSE_MS = 100
/** The most calls of other clients among which the call is looked for. */
const MAX_OTHERS = 20

/** The ended call with this request id among those after a number: events bring it to the page a little later. */
async function findCall(path: string, requestId: string | null, after: number): Promise<CallDetails | undefined> {
  for (let count = 0; count < MAX_TRIES; count++) {
    const newer = calls.all.value.filter((call) => call.number > after && call.path === path)
    for (const { number, outcome } of newer.slice(0, MAX_OTHERS)) {
      const call = outcome === 'open' ? undefined : await readCall(number)
      if (call !== undefined && (call.headers['x-request-id'] ?? null) === requestId) return call
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return undefined
}

/** The answer as a client shows it: its text, its tool calls or its error. */
export function readShown({ status, body }: Pick<TriedCall, 'status' | 'body'>): string {
  if (status >= 400) {
    const { error } = (parseJson(body) ?? {}) as { error?: { message?: unknown } | null }
    return typeof error?.message === 'string' ? error.message : body
  }
  const answer = readAnswer(body)
  if (answer === undefined) return isEventStream(body) ? '' : body
  const { text, refusal, calls } = answer
  return calls?.map(({ name, input }) => `${name}(${input})`).join('\n') ?? refusal ?? text ?? ''
}
