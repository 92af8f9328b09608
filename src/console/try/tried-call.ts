/** The last call that was tried: sends it, and keeps its answer as far as it has arrived. */
import { signal } from '@preact/signals'
import { isEventStream, readAnswer } from '../../core/journal/read-answer.ts'
import { parseJson } from '../../core/lib/text/json.ts'
import { readTexts } from '../app/control-api.ts'
import { status } from '../app/page-state.ts'
import type { TriedRequest } from './try-draft.ts'

/** A call that was tried, and as much of its answer as has arrived. */
interface TriedCall {
  /** The trace that it was sent with, by which the journal knows it. */
  readonly traceparent: string
  /** 0 until the head arrives, and for a call without an answer. */
  readonly status: number
  /** The body so far. */
  readonly body: string
  readonly isDone: boolean
  /** The time from sending it to the first and the last byte of the body. */
  readonly firstMs?: number
  readonly totalMs?: number
  /** The reason why it ended early; undefined for one that did not. */
  readonly problem?: string
}

/** The last call that was tried; it goes on while other views are shown. */
export const tried = signal<TriedCall>()

/** Aborts the last call. Replaced when another call is sent. */
let aborter = new AbortController()

/** Leaves the last call, as a client that disconnects. */
export const leave = (): void => aborter.abort()

/** Sends a call in place of the last one. */
export async function send({ path, key, requestHeaders, text: body }: TriedRequest): Promise<void> {
  aborter.abort()
  aborter = new AbortController()
  const { signal } = aborter
  const start = performance.now()
  const { session } = status.value ?? {}
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    traceparent: makeTraceparent(),
    ...(session !== undefined && { 'x-mock-session': session }),
    ...requestHeaders,
  }
  /** The call so far, which each `show` adds to. */
  let current: TriedCall = { traceparent: headers.traceparent, status: 0, body: '', isDone: false }
  const show = (more: Partial<TriedCall>): void => {
    current = { ...current, ...more }
    // A call that was replaced by another one shows nothing more.
    if (aborter.signal === signal) tried.value = current
  }
  show({})
  try {
    const response = await fetch(path, { method: 'POST', headers, body, signal })
    show({ status: response.status })
    for await (const text of readTexts(response.body!)) {
      show({ body: current.body + text, firstMs: current.firstMs ?? performance.now() - start })
    }
    show({ isDone: true, totalMs: performance.now() - start })
  } catch (error) {
    const problem = signal.aborted ? 'You stopped it.' : `The connection broke: ${(error as Error).message}`
    show({ isDone: true, totalMs: performance.now() - start, problem })
  }
}

/** @see https://www.w3.org/TR/trace-context/#traceparent-header */
function makeTraceparent(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `00-${id.slice(0, 32)}-${id.slice(32)}-01`
}

/** The answer as an app would show it: its text, its tool calls or its error. */
export function readShown({ status, body }: Pick<TriedCall, 'status' | 'body'>): string {
  if (status >= 400) {
    const answer = parseJson(body) as { error?: { message?: unknown } | null } | null | undefined
    const message = answer?.error?.message
    return typeof message === 'string' ? message : body
  }
  const answer = readAnswer(body)
  if (answer === undefined) return isEventStream(body) ? '' : body
  const { text, refusal, calls } = answer
  return calls?.map(({ name, input }) => `${name}(${input})`).join('\n') ?? refusal ?? text ?? ''
}
