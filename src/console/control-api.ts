/** Calls to the control plane, with the token where one was given. */

/** A refusal: its sentence is for the reader. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const STORED = 'llm-api-mock token'

export class ControlApi {
  #token = sessionStorage.getItem(STORED) ?? ''

  set token(token: string) {
    this.#token = token
    sessionStorage.setItem(STORED, token)
  }

  /** Sends a call below `/_mock`; a text goes as YAML, anything else as JSON. @throws Refusal */
  async send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
    const headers = new Headers({ accept: 'application/json, text/event-stream' })
    if (this.#token !== '') headers.set('authorization', `Bearer ${this.#token}`)
    if (body !== undefined)
      headers.set('content-type', typeof body === 'string' ? 'application/yaml' : 'application/json')
    const response = await fetch(`/_mock${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    }).catch((error: Error) => {
      throw new Refusal(0, `The mock does not answer: ${error.message}`)
    })
    if (!response.ok) throw new Refusal(response.status, await messageOf(response))
    return response
  }

  /** The JSON of an answer. @throws Refusal */
  async read<Value>(path: string): Promise<Value> {
    return (await this.send('GET', path)).json() as Promise<Value>
  }
}

async function messageOf(response: Response): Promise<string> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } }
  return error?.message ?? `The mock answered ${response.status} ${response.statusText}.`
}
