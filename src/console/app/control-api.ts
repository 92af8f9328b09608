/** Sends calls to the control plane, with the token if there is one. */

/** An error of the control plane; its message is for the user. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const STORAGE_KEY = 'llm-api-mock token'

export class ControlApi {
  #token = readToken()

  set token(token: string) {
    this.#token = token
    sessionStorage.setItem(STORAGE_KEY, token)
  }

  /** Sends a call below `/_mock`: a string as YAML, anything else as JSON. @throws Refusal */
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
      throw new Refusal(0, `The mock is not reachable: ${error.message}`)
    })
    if (!response.ok) throw new Refusal(response.status, await readMessage(response))
    return response
  }

  /** Reads the JSON of an answer. @throws Refusal */
  async read<Value>(path: string): Promise<Value> {
    return (await this.send('GET', path)).json() as Promise<Value>
  }
}

/** The page may be in a frame without storage. */
function readToken(): string {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? ''
  } catch {
    return ''
  }
}

async function readMessage(response: Response): Promise<string> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } }
  return error?.message ?? `The mock answered ${response.status} ${response.statusText}.`
}
