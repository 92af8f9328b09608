/**
 * The recorder: a server on loopback that forwards calls of models to one upstream and records the answers.
 *
 *     client -> recorder: a recorded endpoint? from a program on this machine? -> upstream
 *     client <- recorder <- upstream
 *                  \-> remove secrets -> cassette
 *
 * Of a call, only the body, the API key and a few headers reach the upstream. No part of a call chooses the address.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { JsonObject } from '../core/lib/text/json.ts'
import { envelope } from '../core/protocol/errors/error-catalogue.ts'
import { isModelEndpoint, MODEL_ENDPOINTS, type ModelEndpoint, pathOf } from '../core/protocol/request/endpoints.ts'
import { routeOf } from '../core/protocol/request/request-path.ts'
import { bind, Connections, hasRepeatedHost, isLoopback, REPEATED_HOST } from '../http/index.ts'
import type { Cassette } from './cassette.ts'
import { recordedAnswer, recordedRequest } from './recorded-exchange.ts'
import type { Redactor } from './redact/redact.ts'
import type { Replayer } from './replayer.ts'
import { callUpstream, readAnswer, relayAnswer, VIA } from './upstream.ts'

const HOST = '127.0.0.1'
const MAX_REQUEST_BYTES = 10_000_000

/** Request headers that the upstream gets to see. */
const FORWARDED_HEADERS =
  /^(?:authorization|content-type|accept|user-agent|openai-organization|openai-project|openai-beta)$/
/** Response headers that the client gets to see. */
const RETURNED_HEADERS =
  /^(?:content-type|content-encoding|retry-after|retry-after-ms|x-should-retry|x-request-id|openai-[\w-]+|x-ratelimit-[\w-]+)$/

/** One finished call: recorded, replayed, or neither. */
export interface RecordedCall {
  readonly method: string
  readonly path: string
  /** 0 if the client got no answer. */
  readonly status: number
  readonly durationMs: number
  /** True if the cassette answered it, without the upstream. */
  readonly isReplayed?: true
  /** The rule that replays its answer, such as `replies[2]`. */
  readonly ruleId?: string
  /** The reason why it is not in the cassette. */
  readonly problem?: string
}

type RecordingResult = Pick<RecordedCall, 'isReplayed' | 'ruleId' | 'problem'>

export interface RecorderOptions {
  readonly upstream: URL
  /** 0 picks a free port. */
  readonly port: number
  readonly cassette: Cassette
  readonly redactor: Redactor
  /** Answers the calls that the cassette knows; undefined: all calls go to the upstream. */
  readonly replayer?: Replayer | undefined
  /** Called with each call when it has ended. */
  readonly onCall: (call: RecordedCall) => void
}

/** @throws when the port cannot be used; the message says what to do. */
export async function startRecorder(options: RecorderOptions) {
  const calls = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const call = serve(request, response, options).finally(() => calls.delete(call))
    calls.add(call)
  })
  const connections = new Connections(server)
  const { port } = await bind(server, options.port, HOST)
  return {
    /** The base URL for clients. */
    url: `http://${HOST}:${port}/v1`,
    get inFlight() {
      return calls.size
    },
    /** Accepts no new calls and lets those in flight finish for `graceMs`. */
    async close(graceMs: number): Promise<void> {
      await connections.close(graceMs)
      await Promise.all(calls)
    },
  }
}

/** Answers one call and reports it. Never rejects. */
async function serve(request: IncomingMessage, response: ServerResponse, options: RecorderOptions): Promise<void> {
  const startedAt = performance.now()
  const { method = '', url = '' } = request
  const { redactor, onCall } = options
  const result = await forward(request, response, options, startedAt).catch((error: Error): RecordingResult => {
    const problem = redactor.redactText(error.message)
    if (!response.headersSent) {
      const { status = 500 } = error as { readonly status?: number }
      const type = status < 500 ? 'invalid_request_error' : 'server_error'
      const body = JSON.stringify(envelope(problem, type, { code: 'mock_recorder' }))
      // A retry would not help, so the client is told not to.
      response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' }).end(body)
    }
    return { problem }
  })
  onCall({
    method,
    // The path of a refused call can hold anything, and logs are passed around.
    path: redactor.redactText(url),
    status: response.headersSent ? response.statusCode : 0,
    durationMs: performance.now() - startedAt,
    ...result,
  })
}

/** The error for a call that is not forwarded, with the status of the answer. */
const refusal = (status: number, message: string): Error => Object.assign(new Error(message), { status })

const CLIENT_LEFT: RecordingResult = { problem: 'the client left before the end' }

/** Forwards a call, returns the answer to the client, and records both or says why it cannot. */
async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  options: RecorderOptions,
  startedAt: number,
): Promise<RecordingResult> {
  const endpoint = checkCall(request)
  const left = new AbortController()
  response.once('close', () => left.abort())
  const body = await readBody(request)
  if (body === undefined) return CLIENT_LEFT
  const replayed = await options.replayer?.answer(request, response, endpoint, body.toString())
  if (replayed !== undefined) return { ruleId: replayed, isReplayed: true }

  const headers = pickHeaders(request, FORWARDED_HEADERS)
  const call = { endpoint, headers, body, signal: left.signal }
  const answer = await callUpstream(options.upstream, call).catch((error: Error) => {
    if (left.signal.aborted) return undefined
    throw refusal(502, `The call to the upstream failed: ${error.message}.`)
  })
  if (answer === undefined) return CLIENT_LEFT
  const received = await relayAnswer(answer, response, pickHeaders(answer, RETURNED_HEADERS), startedAt)
  if (received === undefined) return CLIENT_LEFT
  const { cassette, redactor, replayer } = options
  try {
    const key = (request.headers.authorization ?? '').replace(/^\S+ +/, '').trim()
    const withKey = redactor.forKey(key)
    const recorded = recordedRequest(body, withKey) as string | JsonObject
    const recording = recordedAnswer(readAnswer(answer, received), withKey)
    const id = cassette.add(endpoint, recorded, recording)
    replayer?.learn(id, request, { endpoint, request: recorded }, recording)
    return { ruleId: id }
  } catch (error) {
    const problem = error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message
    return { problem: redactor.redactText(problem) }
  }
}

const FORWARDED_CALLS = `POST to ${MODEL_ENDPOINTS.map(pathOf).join(', ')}`

/**
 * Returns the endpoint of a call.
 * @throws `refusal` for anything but a call that is forwarded, made by a program on this machine.
 */
function checkCall(request: IncomingMessage): ModelEndpoint {
  const { method, url = '', headers } = request
  const { host = '', origin, via = '' } = headers
  if (hasRepeatedHost(request)) throw refusal(400, REPEATED_HOST)
  if (!isLoopback(host.replace(/:\d+$/, '')))
    throw refusal(403, `The recorder accepts only loopback names as Host, got '${host}'.`)
  if (origin !== undefined || headers['sec-fetch-site'] !== undefined)
    throw refusal(403, 'The recorder refuses calls from browsers, because any page could make them.')
  if (via.includes(VIA)) throw refusal(502, 'The upstream is this recorder itself. Choose another --upstream.')
  const { endpoint } = routeOf('POST', url)
  if (!isModelEndpoint(endpoint))
    throw refusal(404, `The recorder forwards only ${FORWARDED_CALLS}, got '${url.slice(0, 200)}'.`)
  if (method !== 'POST') throw refusal(405, `The recorder forwards only ${FORWARDED_CALLS}, got the method ${method}.`)
  return endpoint
}

/** The whole body; undefined if the client left before its end. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      // The rest is read but not kept: a client that is still sending would not see the answer.
      if (size <= MAX_REQUEST_BYTES) chunks.push(chunk)
    }
  } catch {
    return undefined
  }
  if (size > MAX_REQUEST_BYTES)
    throw refusal(413, `Expected a body of at most ${MAX_REQUEST_BYTES} bytes, got ${size}.`)
  return Buffer.concat(chunks)
}

const pickHeaders = ({ headers }: IncomingMessage, wanted: RegExp): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (wanted.test(name) ? [[name, String(value)]] : [])),
  )
