/** Sends a call to the mock as an app would, and reads its answer as it arrives. */
import { signal } from '@preact/signals'
import type { JsonObject } from '../../core/lib/text/json.ts'
import { readTexts } from '../app/control-api.ts'
import { parseJson, readAnswer } from '../call/read-answer.ts'

/** A call that was tried, and as much of its answer as has arrived. */
export interface TriedCall {
  readonly prompt: string
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
}

/** The last call that was tried; it goes on while other views are shown. */
export const tried = signal<TriedCall>()

let leaving = new AbortController()

export const stop = (): void => leaving.abort()

export async function send(path: string, key: string, body: JsonObject, prompt: string): Promise<void> {
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  const start = performance.now()
  let current: TriedCall = { prompt, status: 0, body: '', isDone: false }
  const show = (more: Partial<TriedCall>): void => {
    current = { ...current, ...more }
    // A call that was replaced by another one shows nothing more.
    if (leaving.signal === signal) tried.value = current
  }
  show({})
  try {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal })
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

/** The answer as a client shows it: its text, its tool calls or its error. */
export function readShown({ status, body }: Pick<TriedCall, 'status' | 'body'>): string {
  if (status >= 400) {
    const { error } = (parseJson(body) ?? {}) as { error?: { message?: unknown } | null }
    return typeof error?.message === 'string' ? error.message : body
  }
  const answer = readAnswer(body)
  if (answer === undefined) return body.startsWith('data:') ? '' : body
  const { text, refusal, calls } = answer
  return calls?.map(({ name, input }) => `${name}(${input})`).join('\n') ?? refusal ?? text ?? ''
}
