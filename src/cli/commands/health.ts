/**
 * `api-mock health` asks a server once whether it is healthy, by GET /health; `api-mock wait` asks until it is:
 *
 *     http://127.0.0.1:4010 is healthy after 0.3 s.
 */
// With node:http, because fetch takes longer to load.
import { get as getHttp } from 'node:http'
import { shorten } from '../../core/lib/text/wording.ts'
import { print } from '../../terminal/text.ts'
import type { HealthSettings } from '../args/command-options.ts'
import { isKubernetesAddress } from '../args/environment.ts'

const PAUSE_MS = 100
/** Time of one request of `wait`. A server that accepts a connection and does not answer is asked again. */
const MAX_CHECK_MS = 2000
/** Characters of the answer that are read: another server may send a long page. */
const MAX_LENGTH = 1000

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
  const get = url.protocol === 'https:' ? (await import('node:https')).get : getHttp
  // The health check is at the root, also of a base URL that ends in /v1.
  const root = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  return new Promise((resolve) => {
    // No agent: an idle connection would keep the program alive.
    const request = get(new URL(`${root}/health`, url), { agent: false }, (response) => {
      const { statusCode } = response
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (part: string) => {
        text = (text + part).slice(0, MAX_LENGTH)
      })
      response.on('end', () => {
        if (statusCode !== 200) resolve(`GET /health was answered with ${statusCode}. Is it another server?`)
        else if (/"status":\s*"ok"/.test(text)) resolve(undefined)
        else resolve('GET /health was answered by another server.')
      })
      response.on('error', ({ message }) => resolve(message))
    })
    const timer = setTimeout(() => {
      // Before `destroy`, whose error would else be the reason.
      resolve(`no answer within ${timeoutMs} ms`)
      request.destroy()
    }, timeoutMs)
    request.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
      resolve(REASONS[code] ?? (message || code || 'no connection'))
    })
    request.on('close', () => clearTimeout(timer))
  })
}
