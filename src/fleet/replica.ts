/** The control plane of a replica over HTTP, and the same changes on every replica of a fleet. */
import { parseJson } from '../core/lib/text/json.ts'

/** Time to wait for one answer, in milliseconds. */
const TIMEOUT_MS = 10_000

export class Replica {
  /** Scheme, host and port: `http://10.0.0.7:4010`. */
  readonly target: string
  /** The token of the control plane; undefined for none. */
  readonly #token: string | undefined

  constructor(target: string, token?: string) {
    this.target = target
    this.#token = token
  }

  get(path: string): Promise<string> {
    return this.send('GET', path)
  }

  async getJson<Value>(path: string): Promise<Value> {
    return JSON.parse(await this.get(path)) as Value
  }

  /**
   * Sends a request to the control plane, and returns the text of its answer.
   * @throws Error when there is no answer, or when it is an error. The message says why, and names no replica.
   */
  async send(method: string, path: string, body?: string): Promise<string> {
    let response: Response
    let text: string
    try {
      response = await fetch(`${this.target}/_mock${path}`, {
        method,
        headers: {
          ...(this.#token !== undefined && { authorization: `Bearer ${this.#token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body !== undefined && { body }),
      })
      text = await response.text()
    } catch (error) {
      const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
      let reason = code === 'ECONNREFUSED' ? 'connection refused' : (code ?? message)
      // fetch refuses the ports of other services, such as 1 or 6000.
      if (message === 'bad port') reason = 'fetch does not call this port; serve the mock on another one'
      if ((error as Error).name === 'TimeoutError') reason = `waited ${TIMEOUT_MS / 1000} s`
      throw new Error(`no answer (${reason})`)
    }
    if (response.ok) return text
    const answer = parseJson(text) as { readonly error?: { readonly message?: string } } | undefined
    throw new Error(`${response.status}: ${answer?.error?.message ?? text.slice(0, 200)}`)
  }
}

/** One change, as a request to the control plane. */
export interface Change {
  /** Its name in the report: `scenario flaky`. */
  readonly name: string
  readonly method: 'PUT' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: string
}

/** The result for one replica. */
export interface Applied {
  readonly target: string
  /** The names of the changes that were made. */
  readonly done: readonly string[]
  /** The reason why the next change failed, with its name; later ones were not tried. */
  readonly failure?: string
}

/**
 * Makes the changes on each replica in order, on all replicas at the same time. When a replica does not answer or refuses
 * the token, nothing is changed on any of them.
 */
export async function applyChanges(replicas: readonly Replica[], changes: readonly Change[]): Promise<Applied[]> {
  const reached = await Promise.all(replicas.map(probe))
  if (reached.some(({ failure }) => failure !== undefined)) return reached
  return Promise.all(replicas.map((replica) => applyTo(replica, changes)))
}

/** Finds out whether a replica answers and accepts the token. Its health would not say the second. */
async function probe(replica: Replica): Promise<Applied> {
  try {
    await replica.get('/state')
    return { target: replica.target, done: [] }
  } catch (error) {
    return { target: replica.target, done: [], failure: (error as Error).message }
  }
}

async function applyTo(replica: Replica, changes: readonly Change[]): Promise<Applied> {
  const done: string[] = []
  for (const { name, method, path, body } of changes) {
    try {
      await replica.send(method, path, body)
    } catch (error) {
      return { target: replica.target, done, failure: `${name}: ${(error as Error).message}` }
    }
    done.push(name)
  }
  return { target: replica.target, done }
}
