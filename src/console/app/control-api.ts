/** Sends calls to the control plane, with the token if there is one, and reads its event stream. */
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

/** The token, and the session that the page is limited to; '' for none. They last as long as the tab of the browser. */
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
    const isText = typeof body === 'string'
    if (access.token !== '') headers.set('authorization', `Bearer ${access.token}`)
    if (access.session !== '') headers.set('x-mock-session', access.session)
    if (body !== undefined) headers.set('content-type', isText ? 'application/yaml' : 'application/json')
    const sent = body === undefined ? null : isText ? body : JSON.stringify(body)
    const response = await fetch(`/_mock${path}`, { method, headers, body: sent, signal }).catch((error: Error) => {
      throw new ControlApiError(0, `The mock is not reachable: ${error.message}`)
    })
    if (response.ok) return response
    const { error } = (await response.json().catch(() => ({}))) as { error?: { message?: string } }
    const message = error?.message ?? `The mock answered ${response.status} ${response.statusText}.`
    throw new ControlApiError(response.status, message)
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
  let rest = ''
  for await (const text of texts) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      // Anything else is a comment, such as the heartbeat.
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? []
      if (name !== undefined) yield { name, data: JSON.parse(data!) }
    }
  }
}
