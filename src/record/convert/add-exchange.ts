/** Adds a recorded HTTP exchange to a cassette, without secrets. */
import { MODEL_ENDPOINTS, type ModelEndpoint, pathOf } from '../../core/protocol/request/endpoints.ts'
import type { Cassette } from '../cassette.ts'
import type { Redactor } from '../redact/redact.ts'
import { EventSplitter, type TimedText } from '../stream-text.ts'
import { type ReceivedAnswer, recordedAnswer } from '../to-recorded-answer.ts'
import { recordedRequest } from '../to-recorded-request.ts'
import { retryAfterMs } from '../upstream-response.ts'
import type { HttpExchange } from './conversion.ts'
import { decodeBody, isText } from './decode-body.ts'

/** @throws when it cannot be replayed; the message says why. */
export function addExchange(exchange: HttpExchange, cassette: Cassette, redactor: Redactor): void {
  const { requestHeaders, requestBody } = exchange
  const endpoint = findEndpoint(exchange)
  const withKey = redactor.forKey(keyIn(requestHeaders))
  const request = recordedRequest(decodeBody(requestBody, requestHeaders.get('content-encoding')), withKey)
  cassette.add(endpoint, request, recordedAnswer(receivedAnswer(exchange), withKey))
}

const PATHS = MODEL_ENDPOINTS.map((name) => pathOf(name).slice('/v1'.length))

/** By the end of its path: gateways and deployments have paths of their own before it. */
function findEndpoint({ method, url }: HttpExchange): ModelEndpoint {
  const path = url.replace(/[?#].*$/s, '').replace(/\/$/, '')
  const index = PATHS.findIndex((end) => path.endsWith(end))
  if (method.toUpperCase() !== 'POST' || index < 0)
    throw new Error(`only POST ${PATHS.map((end) => `.../v1${end}`).join(' and ')} can be replayed`)
  return MODEL_ENDPOINTS[index]!
}

const keyIn = (headers: HttpExchange['requestHeaders']): string =>
  (headers.get('authorization') ?? headers.get('api-key') ?? '').replace(/^\S+ +/, '').trim()

function receivedAnswer({ status, headers, body, waitMs, receiveMs }: HttpExchange): ReceivedAnswer {
  if (status === 0) throw new Error('it has no answer')
  if (body === undefined) throw new Error('the file does not have the body of its answer')
  const bytes = decodeBody(body, headers.get('content-encoding'))
  if (!isText(bytes)) throw new Error('its body is not UTF-8 text')
  const text = Buffer.from(bytes).toString()
  const contentType = headers.get('content-type') ?? 'application/json'
  const isStream = /^text\/event-stream/i.test(contentType)
  return {
    status,
    contentType,
    retryAfterMs: status >= 400 ? retryAfterMs(Object.fromEntries(headers)) : undefined,
    waitMs: isStream ? waitMs : waitMs + receiveMs,
    body: isStream ? eventsIn(text, waitMs, receiveMs) : text,
    isCut: false,
  }
}

/** The events of a stream, evenly over the time in which it came: the file has only its beginning and its end. */
function eventsIn(text: string, waitMs: number, receiveMs: number): readonly TimedText[] {
  const splitter = new EventSplitter()
  splitter.add(text, 0)
  const events = splitter.end(0)
  return events.map((event, index) => ({
    text: event.text,
    atMs: waitMs + (receiveMs * index) / Math.max(1, events.length - 1),
  }))
}
