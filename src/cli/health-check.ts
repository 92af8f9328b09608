/** Asks a server whether it is healthy: one GET /health. With node:http, because fetch takes longer to load. */
import { get as getHttp } from 'node:http'
import { shorten } from '../core/lib/text/shorten.ts'
import { isOfKubernetes } from './args/environment.ts'

/** The server to ask when none is named: the one that this environment would start. @throws for an invalid port. */
export function defaultUrl({ API_MOCK_PORT: port = '' }: NodeJS.ProcessEnv): URL {
  if (port === '' || isOfKubernetes(port)) return new URL('http://127.0.0.1:4010')
  if (!/^\d{1,5}$/.test(port))
    throw new Error(`API_MOCK_PORT: expected the port of the server, got '${shorten(port)}'.`)
  return new URL(`http://127.0.0.1:${port}`)
}

/** Resolves with what is wrong, or with undefined when the server is healthy; never rejects. */
export async function findHealthProblem(url: URL, timeoutMs: number): Promise<string | undefined> {
  const get = url.protocol === 'https:' ? (await import('node:https')).get : getHttp
  return new Promise((resolve) => {
    // No agent: an idle connection would keep the program alive.
    const request = get(healthUrl(url), { agent: false }, (response) => {
      response.setEncoding('utf8')
      let text = ''
      response.on('data', (part: string) => {
        text = (text + part).slice(0, MAX_LENGTH)
      })
      response.on('end', () => resolve(problemOf(response.statusCode ?? 0, text)))
      response.on('error', ({ message }) => resolve(message))
    })
    const timer = setTimeout(() => {
      resolve(`no answer within ${timeoutMs} ms`)
      request.destroy()
    }, timeoutMs)
    request.on('error', (error) => resolve(reasonOf(error)))
    request.on('close', () => clearTimeout(timer))
  })
}

const MAX_LENGTH = 1000

/** The health check is at the root, also of a base URL that ends in /v1. */
function healthUrl(url: URL): URL {
  const root = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
  return new URL(`${root}/health`, url)
}

function problemOf(status: number, text: string): string | undefined {
  if (status !== 200) return `GET /health was answered with ${status}. Is it another server?`
  return /"status":\s*"ok"/.test(text) ? undefined : 'GET /health was answered by another server.'
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'ENOTFOUND') return 'the host is unknown'
  if (code === 'ECONNRESET') return 'the connection was reset'
  return message || (code ?? 'no connection')
}
