/** The control plane of one replica, over HTTP. */

import { parseJson } from '../core/lib/text/json.ts'

/** A failed request to a replica. The message says why, and names no replica. */
export class ReplicaError extends Error {}

export interface ReplicaOptions {
  /** The token of the control planes; undefined for none. */
  readonly token?: string | undefined
  /** How long to wait for one answer, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined
}

const DEFAULT_TIMEOUT_MS = 10_000

export class Replica {
  /** Scheme, host and port: `http://10.0.0.7:4010`. */
  readonly target: string
  readonly #options: ReplicaOptions

  constructor(target: string, options: ReplicaOptions = {}) {
    this.target = target
    this.#options = options
  }

  get(path: string): Promise<string> {
    return this.send('GET', path)
  }

  async getJson<Value>(path: string): Promise<Value> {
    return JSON.parse(await this.get(path)) as Value
  }

  /**
   * Sends a request to the control plane, and returns the text of its answer.
   * @throws ReplicaError when there is no answer, or when it is an error.
   */
  async send(method: string, path: string, body?: string): Promise<string> {
    const { token, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#options
    let response: Response
    let text: string
    try {
      response = await fetch(`${this.target}/_mock${path}`, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(timeoutMs),
        ...(body !== undefined && { body }),
      })
      text = await response.text()
    } catch (error) {
      throw new ReplicaError(`no answer (${reasonOf(error as Error, timeoutMs)})`)
    }
    if (!response.ok) throw new ReplicaError(`${response.status}: ${messageIn(text)}`)
    return text
  }
}

function reasonOf(error: Error, timeoutMs: number): string {
  if (error.name === 'TimeoutError') return `waited ${timeoutMs / 1000} s`
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
  return code === 'ECONNREFUSED' ? 'connection refused' : (code ?? message)
}

/** The message of an error answer; the text itself when it has none. */
function messageIn(text: string): string {
  const body = parseJson(text) as { readonly error?: { readonly message?: string } } | undefined
  return body?.error?.message ?? text.slice(0, 200)
}
