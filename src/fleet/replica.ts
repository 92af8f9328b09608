/** The control plane of one replica, over HTTP. */

import { parseJson } from '../core/lib/text/json.ts'

/** A failed request to a replica. The message says why, and names no replica. */
export class ReplicaError extends Error {}

export interface ReplicaOptions {
  /** The token of the control planes; undefined for none. */
  readonly token?: string | undefined
  /** Time to wait for one answer, in milliseconds. Default: 10,000. */
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
      const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
      let reason = code === 'ECONNREFUSED' ? 'connection refused' : (code ?? message)
      if ((error as Error).name === 'TimeoutError') reason = `waited ${timeoutMs / 1000} s`
      throw new ReplicaError(`no answer (${reason})`)
    }
    if (response.ok) return text
    const answer = parseJson(text) as { readonly error?: { readonly message?: string } } | undefined
    throw new ReplicaError(`${response.status}: ${answer?.error?.message ?? text.slice(0, 200)}`)
  }
}
