/**
 * The recorder: a server on this machine only that passes two calls on to one upstream, and writes down what came back.
 *
 *   call -> is it one of the two, from a program of this machine -> upstream -> client
 *                                                                      \-> [redacted] -> cassette
 *
 * Nothing of a call but its body, its key and a few headers reaches the upstream, and no part of it chooses where to.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ENDPOINTS, isModelEndpoint, MODEL_ENDPOINTS, type ModelEndpoint } from '../core/request/endpoints.ts'
import { routeOf } from '../core/request/route.ts'
import { closeServer, listenProblem } from '../http/http-server.ts'
import { isLoopback } from '../http/loopback.ts'
import type { Cassette } from './cassette.ts'
import { recordedAnswer } from './recorded-answer.ts'
import type { Redactor } from './redact/redact.ts'
import { callUpstream, isRedirect, VIA } from './upstream.ts'
import { UpstreamResponse } from './upstream-response.ts'

const HOST = '127.0.0.1'
const MAX_REQUEST_BYTES = 10_000_000

// What the service may know of the caller, and the caller of the service; all else stays behind.
const PASSED_ON = [
  'authorization',
  'content-type',
  'accept',
  'user-agent',
  'openai-organization',
  'openai-project',
  'openai-beta',
]
const PASSED_BACK =
  /^(?:content-type|content-encoding|retry-after|retry-after-ms|x-should-retry|x-request-id|openai-[\w-]+|x-ratelimit-[\w-]+)$/

/** What became of one call. */
export interface Recorded {
  readonly method: string
  readonly path: string
  /** 0 when nothing was answered. */
  readonly status: number
  readonly durationMs: number
  /** Where its answer stands in the cassette. */
  readonly place?: string
  /** Why it is not in the cassette. */
  readonly problem?: string
}

export interface RecorderOptions {
  readonly upstream: URL
  /** 0 for any free one. */
  readonly port: number
  readonly cassette: Cassette
  readonly redactor: Redactor
  /** Told of each call when it is over. */
  readonly onCall: (call: Recorded) => void
}

/** A running recorder. */
export interface RecorderServer {
  /** The base URL for clients; ends in `/v1`. */
  readonly url: string
  /** How many calls are on their way. */
  readonly inFlight: number
  /** Takes no new calls and lets those in flight finish for `graceMs`. */
  close(graceMs: number): Promise<void>
}

/** @throws when the port can't be had; the message says what to do. */
export async function startRecorder(options: RecorderOptions): Promise<RecorderServer> {
  const calls = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const call = serve(request, response, options).finally(() => calls.delete(call))
    calls.add(call)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', (error) => reject(new Error(listenProblem(error, HOST, options.port))))
    server.listen(options.port, HOST)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${HOST}:${port}/v1`,
    get inFlight() {
      return calls.size
    },
    async close(graceMs) {
      await closeServer(server, graceMs)
      await Promise.all(calls)
    },
  }
}

async function serve(request: IncomingMessage, response: ServerResponse, options: RecorderOptions): Promise<void> {
  const startedAt = performance.now()
  const { method = '', url = '' } = request
  let outcome: Pick<Recorded, 'place' | 'problem'>
  try {
    outcome = await passOn(request, response, options, startedAt)
  } catch (error) {
    const { message } = error as Error
    if (!response.headersSent)
      refuse(response, error instanceof Refusal ? error.status : 500, options.redactor.text(message))
    outcome = { problem: message }
  }
  const status = response.headersSent ? response.statusCode : 0
  const durationMs = performance.now() - startedAt
  // A log travels, too, and a path that is refused may be anything.
  const { place, problem } = outcome
  const hidden = problem === undefined ? {} : { problem: options.redactor.text(problem) }
  options.onCall({ method, path: options.redactor.text(url), status, durationMs, ...(place && { place }), ...hidden })
}

/** Why a call goes no further, and the status that says so. */
class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Every answer of the recorder itself has the envelope, and asks for no retry: trying again would mend nothing. */
function refuse(response: ServerResponse, status: number, message: string): void {
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  const body = JSON.stringify({ error: { message, type, param: null, code: 'mock_recorder' } })
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' }).end(body)
}

async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  options: RecorderOptions,
  startedAt: number,
): Promise<Pick<Recorded, 'place' | 'problem'>> {
  const endpoint = endpointOf(request)
  const left = new AbortController()
  response.once('close', () => left.abort())
  const body = await readBody(request)
  if (body === undefined) return { problem: LEFT }

  const answer = await callUpstream(options.upstream, {
    endpoint,
    headers: headersOf(request),
    body,
    signal: left.signal,
  }).catch((error: Error) => {
    if (left.signal.aborted) return undefined
    throw new Refusal(502, `The upstream did not answer: ${error.message}.`)
  })
  if (answer === undefined) return { problem: LEFT }
  if (isRedirect(answer)) {
    answer.destroy()
    throw new Refusal(
      502,
      `The upstream answered ${answer.statusCode}, a redirect, which is not followed: your key would go where it says. Give the final address as --upstream.`,
    )
  }
  const reception = new UpstreamResponse(answer, startedAt)
  await reception.passBack(response, headersBack(answer))
  if (reception.hasLeft) return { problem: LEFT }
  return write(endpoint, body, reception, request, options)
}

const LEFT = 'the client left before the end'

/** @throws a refusal for all but the recorded endpoints, made by a program of this machine. */
function endpointOf({ method, url = '', headers }: IncomingMessage): ModelEndpoint {
  const { host = '', origin, via = '' } = headers
  if (!isLoopback(host.replace(/:\d+$/, '')))
    throw new Refusal(403, `The recorder answers to this machine's own names only, not to Host '${host}'.`)
  if (origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw new Refusal(403, 'The recorder is not for pages in a browser: any page could call it.')
  if (via.includes(VIA)) throw new Refusal(502, 'The upstream is this recorder itself. Give another --upstream.')
  // As it was sent: no part of a path, a query or a host is ever put into an address.
  const { endpoint } = routeOf('POST', url)
  if (!isModelEndpoint(endpoint))
    throw new Refusal(404, `Only ${RECORDED_CALLS} are passed on, found '${url.slice(0, 200)}'.`)
  if (method !== 'POST') throw new Refusal(405, `Only ${RECORDED_CALLS} are passed on, found the method ${method}.`)
  return endpoint
}

const RECORDED_CALLS = MODEL_ENDPOINTS.map((name) => `POST ${ENDPOINTS[name].paths[0]}`).join(' and ')

/** The whole body; undefined when the client left before its end. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      // The rest is read and dropped, so that the answer is not lost on a client that still sends.
      if (size <= MAX_REQUEST_BYTES) chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  if (size > MAX_REQUEST_BYTES) throw new Refusal(413, `The body has ${size} bytes, allowed are ${MAX_REQUEST_BYTES}.`)
  return Buffer.concat(chunks)
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const passed = PASSED_ON.map((name) => [name, headers[name]] as const)
  return Object.fromEntries(passed.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

function headersBack({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => PASSED_BACK.test(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

/** Puts an exchange into the cassette, or says why it is not there. */
function write(
  endpoint: ModelEndpoint,
  body: Buffer,
  reception: UpstreamResponse,
  { headers }: IncomingMessage,
  { cassette, redactor }: RecorderOptions,
): Pick<Recorded, 'place' | 'problem'> {
  try {
    const own = redactor.forKey((headers.authorization ?? '').replace(/^\S+ +/, '').trim())
    return { place: cassette.add(endpoint, requestOf(body, own), recordedAnswer(reception.received(), own)) }
  } catch (error) {
    return { problem: error instanceof RangeError ? 'it is nested too deep' : (error as Error).message }
  }
}

/** The body without secrets: parsed where it is a JSON object, else as text. */
function requestOf(body: Buffer, redactor: Redactor): unknown {
  const text = textOf(body)
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return redactor.value(parsed)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return redactor.json(text)
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new Error('the request is not UTF-8 text')
  }
}
