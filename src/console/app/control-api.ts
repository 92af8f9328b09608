/** Sends calls to the control plane, with the token if there is one. */
import { readStored, store } from '../parts/browser-storage.ts'

/** An error of the control plane; its message is for the user. */
export class ControlApiError extends Error {
  /** The status of the answer; 0 without one. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const TOKEN_KEY = 'llm-api-mock token'

export class ControlApi {
  #token = readStored('sessionStorage', TOKEN_KEY)

  set token(token: string) {
    this.#token = token
    store('sessionStorage', TOKEN_KEY, token)
  }

  /** Sends a call below `/_mock`: a string as YAML, anything else as JSON. @throws ControlApiError */
  async send(method: string, path: string, body?: unknown, signal: AbortSignal | null = null): Promise<Response> {
    const headers = new Headers({ accept: 'application/json, text/event-stream' })
    const isText = typeof body === 'string'
    if (this.#token !== '') headers.set('authorization', `Bearer ${this.#token}`)
    if (body !== undefined) headers.set('content-type', isText ? 'application/yaml' : 'application/json')
    const sent = body === undefined ? null : isText ? body : JSON.stringify(body)
    const response = await fetch(`/_mock${path}`, { method, headers, body: sent, signal }).catch((error: Error) => {
      throw new ControlApiError(0, `The mock is not reachable: ${error.message}`)
    })
    if (response.ok) return response
    const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } }
    const message = error?.message ?? `The mock answered ${response.status} ${response.statusText}.`
    throw new ControlApiError(response.status, message)
  }

  /** Reads the JSON of an answer. @throws ControlApiError */
  async read<Value>(path: string): Promise<Value> {
    return (await this.send('GET', path)).json() as Promise<Value>
  }
}
