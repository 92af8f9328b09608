/**
 * Calls the control plane of a replica over HTTP, and makes the same changes on every replica of a fleet.
 *
 *     await new Replica('http://10.0.0.7:4010').ask('/report')      // GET http://10.0.0.7:4010/_mock/report
 */
import { parseJson } from '../core/lib/text/json.ts'

/** Time to wait for one answer, in milliseconds. */
const TIMEOUT_MS = 10_000

export class Replica {
  /** Scheme, host and port: `http://10.0.0.7:4010`. */
  readonly target: string
  readonly #headers: Readonly<Record<string, string>>

  /** @param token that of the control plane; undefined for none. */
  constructor(target: string, token?: string) {
    this.target = target
    this.#headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  }

  /**
   * Sends a request to the control plane, and returns the text of its answer.
   * @throws Error when there is no answer, or when it is an error. The message says why, and names no replica.
   */
  async ask(path: string, method = 'GET', body?: string): Promise<string> {
    let response: Response
    let text: string
    // The timer of AbortSignal.timeout would not keep the process alive, so it could end while fetch still waits.
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(), TIMEOUT_MS)
    try {
      response = await fetch(`${this.target}/_mock${path}`, {
        method,
        headers: { ...this.#headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        signal: late.signal,
        body: body ?? null,
      })
      text = await response.text()
    } catch (error) {
      throw new Error(`no answer (${reasonOf(error as Error)})`)
    } finally {
      clearTimeout(timer)
    }
    if (response.ok) return text
    const answer = parseJson(text) as { readonly error?: { readonly message?: string } } | undefined
    const message = answer?.error?.message
    if (message !== undefined) throw new Error(`${response.status}: ${message}`)
    throw new Error(`${method} /_mock${path} was answered with ${response.status}. Is it another server?`)
  }
}

/** The reason why `fetch` has failed. */
function reasonOf(error: Error): string {
  if (error.name === 'AbortError') return `waited ${TIMEOUT_MS / 1000} s`
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException
  // fetch refuses the ports of other services, such as 1 or 6000.
  if (message === 'bad port') return 'fetch does not call this port; serve the mock on another one'
  return code === 'ECONNREFUSED' ? 'connection refused' : (code ?? message)
}

/** One change, as a request to the control plane. */
export interface Change {
  /** Its name in the report: `scenario flaky`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body?: string
}

/**
 * Makes the changes on each replica in order, on all replicas at the same time. When a replica does not answer or refuses
 * the token, nothing is changed on any of them.
 * @returns for each replica the names of the changes that were made, and the reason why the next one was not.
 */
export async function applyChanges(replicas: readonly Replica[], changes: readonly Change[]) {
  const probes = await Promise.all(
    replicas.map(async (replica) => {
      // Unlike a health check, reading the state needs the token.
      return { target: replica.target, done: [] as string[], failure: await failureOf(replica.ask('/state')) }
    }),
  )
  if (probes.some(({ failure }) => failure !== undefined)) return probes
  return Promise.all(
    replicas.map(async (replica) => {
      const { target } = replica
      const done: string[] = []
      for (const { name, method, path, body } of changes) {
        const failure = await failureOf(replica.ask(path, method, body))
        if (failure !== undefined) return { target, done, failure: `${name}: ${failure}` }
        done.push(name)
      }
      return { target, done, failure: undefined }
    }),
  )
}

/** The message of the error of a request; undefined if it succeeded. */
const failureOf = (sent: Promise<string>): Promise<string | undefined> =>
  sent.then(
    () => undefined,
    (error: Error) => error.message,
  )
