/**
 * `api-mock health` asks a server once whether it is healthy, by GET /health; `api-mock wait` asks until it is:
 *
 *     http://127.0.0.1:4010 is healthy after 0.3 s.
 */
import { shorten } from '../../core/lib/text/wording.ts'
import { print } from '../../terminal/text.ts'
import type { HealthSettings } from '../args/command-options.ts'
import { isKubernetesAddress } from '../args/environment.ts'

const PAUSE_MS = 100
/** Time of one request of `wait`. A server that accepts a connection and does not answer is asked again. */
const MAX_CHECK_MS = 2000

/** Texts for the error codes of Node. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host is unknown',
  ECONNRESET: 'the connection was reset',
}

/** @throws when the server is not healthy. */
export async function health({ url = defaultUrl(process.env), timeout }: HealthSettings): Promise<number> {
  const problem = await findHealthProblem(url, timeout)
  if (problem !== undefined) {
    throw new Error(`No healthy server at ${url.origin}: ${problem}\nStart one with api-mock, or name it with --url.`)
  }
  print(`${url.origin} is healthy.`)
  return 0
}

/** @throws when no server was healthy in time. */
export async function wait({ url = defaultUrl(process.env), timeout }: HealthSettings): Promise<number> {
  const start = performance.now()
  for (;;) {
    const leftMs = Math.ceil(start + timeout - performance.now())
    const problem = await findHealthProblem(url, Math.min(Math.max(1, leftMs), MAX_CHECK_MS))
    const passedMs = performance.now() - start
    if (problem === undefined) {
      print(`${url.origin} is healthy after ${(passedMs / 1000).toFixed(1)} s.`)
      return 0
    }
    if (passedMs >= timeout) {
      throw new Error(
        `No healthy server at ${url.origin} within ${timeout / 1000} s: ${problem}\nWait longer with --timeout, or name another server with --url.`,
      )
    }
    await new Promise((wake) => setTimeout(wake, Math.min(PAUSE_MS, timeout - passedMs)))
  }
}

/** The server to ask when none is named: the one that this environment would start. @throws for an invalid port. */
export function defaultUrl({ API_MOCK_PORT: port = '' }: NodeJS.ProcessEnv): URL {
  // Kubernetes sets API_MOCK_PORT=tcp://10.0.0.1:4010 by itself for a service named api-mock. The server ignores it, too.
  if (port === '' || isKubernetesAddress(port)) return new URL('http://127.0.0.1:4010')
  if (/^\d{1,5}$/.test(port)) return new URL(`http://127.0.0.1:${port}`)
  throw new Error(`API_MOCK_PORT: expected the port of the server, got '${shorten(port)}'.`)
}

/** Resolves with the problem, or with undefined when the server is healthy; never rejects. */
export async function findHealthProblem(url: URL, timeoutMs: number): Promise<string | undefined> {
  // The health check is at the root, also of a base URL that ends in /v1.
  const root = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  try {
    const response = await fetch(new URL(`${root}/health`, url), {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status !== 200) return `GET /health was answered with ${response.status}. Is it another server?`
    if (/"status":\s*"ok"/.test(await response.text())) return undefined
    return 'GET /health was answered by another server.'
  } catch (error) {
    const { name, cause } = error as Error
    if (name === 'TimeoutError') return `no answer within ${timeoutMs} ms`
    const { code = '', message } = (cause ?? error) as NodeJS.ErrnoException
    return REASONS[code] ?? message
  }
}
