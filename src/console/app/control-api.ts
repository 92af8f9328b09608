/**
 * Calls to the control plane, with the token if there is one, and its event stream.
 *
 *     const { faults } = await api.read('/faults/catalogue')               // GET /_mock/faults/catalogue
 *     await api.send('POST', '/faults', { fault: 'cut', times: 1 })        // JSON; a string is sent as YAML
 */
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

/**
 * The token, and the session that the page is limited to; '' for none. They last as long as the tab of the browser. A link
 * sets them, and the form that asks for a token.
 */
const access = { token: readStored('sessionStorage', 'token'), session: readStored('sessionStorage', 'session') }

export function setAccess(name: keyof typeof access, value: string): void {
  access[name] = value
  store('sessionStorage', name, value)
}

/**
 * Takes the token and the session from a link, and removes them from the address at once: `/_mock/?session=team-a#token=…`.
 * What comes after the # is not sent to any server. An empty session is the whole mock.
 */
export function takeAccessFromLink(): void {
  const session = new URLSearchParams(location.search).get('session')
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (session !== null) setAccess('session', session)
  if (token !== null) setAccess('token', token)
  if (token !== null || session !== null) history.replaceState(null, '', location.pathname)
}

export const api = {
  /** Sends a call below `/_mock`: a string as YAML, anything else as JSON. @throws ControlApiError */
  async send(method: string, path: string, body?: unknown, signal: AbortSignal | null = null): Promise<Response> {
    const headers = new Headers({ accept: 'application/json, text/event-stream' })
    if (access.token !== '') headers.set('authorization', `Bearer ${access.token}`)
    if (access.session !== '') headers.set('x-mock-session', access.session)
    const isYaml = typeof body === 'string'
    if (body !== undefined) headers.set('content-type', isYaml ? 'application/yaml' : 'application/json')
    // JSON.stringify makes no text of undefined: such a call has no body.
    const text = isYaml ? body : (JSON.stringify(body) ?? null)
    const response = await fetch(`/_mock${path}`, { method, headers, body: text, signal }).catch((error: Error) => {
      throw new ControlApiError(0, `The mock is not reachable: ${error.message}`)
    })
    if (response.ok) return response
    const { status, statusText } = response
    // The answer of a proxy in between may be no JSON.
    const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } }
    throw new ControlApiError(status, error?.message ?? `The mock answered ${status} ${statusText}.`)
  },

  /** Sends a call, and reads its answer as JSON. @throws ControlApiError */
  async call<Value>(method: string, path: string, body?: unknown): Promise<Value> {
    return (await api.send(method, path, body)).json() as Promise<Value>
  },

  read: <Value>(path: string): Promise<Value> => api.call<Value>('GET', path),
}

/** The chunks of a body as texts. Safari has no `for await` over streams. */
export async function* readTexts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const texts = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  for (;;) {
    const { value, done } = await texts.read()
    if (done) return
    yield value
  }
}

/** The events of a stream of the mock, as they arrive: each has its name and its data as JSON in one line. */
export async function* readEvents(texts: AsyncIterable<string>): AsyncGenerator<{ name: string; data: unknown }> {
  /** The beginning of an event whose end has not arrived. */
  let unfinished = ''
  for await (const text of texts) {
    const blocks = (unfinished + text).split('\n\n')
    unfinished = blocks.pop()!
    for (const block of blocks) {
      // Anything else is a comment, such as the heartbeat.
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? []
      if (name !== undefined) yield { name, data: JSON.parse(data!) }
    }
  }
}
