/** The fault catalogue, and the one way to read a fault: from a header, a scenario, the control plane or code. */

import { didYouMean } from '../text/did-you-mean.ts'
import { parseDuration, WINDOWS } from '../text/duration.ts'
import { badGateway } from './answer/bad-gateway.ts'
import { conflict } from './answer/conflict.ts'
import { contextLength } from './answer/context-length.ts'
import { forbiddenRegion } from './answer/forbidden-region.ts'
import { gatewayTimeout } from './answer/gateway-timeout.ts'
import { invalidKey } from './answer/invalid-key.ts'
import { invalidRequest } from './answer/invalid-request.ts'
import { missingKey } from './answer/missing-key.ts'
import { notFound } from './answer/not-found.ts'
import { overloaded } from './answer/overloaded.ts'
import { quota } from './answer/quota.ts'
import { rateLimit } from './answer/rate-limit.ts'
import { rateLimitTokens } from './answer/rate-limit-tokens.ts'
import { serverError } from './answer/server-error.ts'
import { status } from './answer/status.ts'
import { unprocessable } from './answer/unprocessable.ts'
import type { ConfiguredFault, Fault, OptionSpec } from './fault.ts'
import { emptyText } from './semantic/empty-text.ts'
import { otherLanguage } from './semantic/other-language.ts'
import { refusal } from './semantic/refusal.ts'
import { repeatedChunk } from './semantic/repeated-chunk.ts'
import { shuffledEmbeddings } from './semantic/shuffled-embeddings.ts'
import { truncatedJson } from './semantic/truncated-json.ts'
import { undeclaredTool } from './semantic/undeclared-tool.ts'
import { wrongDimension } from './semantic/wrong-dimension.ts'
import { wrongEnum } from './semantic/wrong-enum.ts'
import { wrongUsage } from './semantic/wrong-usage.ts'
import { comments } from './stream/comments.ts'
import { crlf } from './stream/crlf.ts'
import { duplicatedEvent } from './stream/duplicated-event.ts'
import { joinedEvents } from './stream/joined-events.ts'
import { malformedEvent } from './stream/malformed-event.ts'
import { missingDone } from './stream/missing-done.ts'
import { missingUsage } from './stream/missing-usage.ts'
import { splitEvents } from './stream/split-events.ts'
import { streamError } from './stream/stream-error.ts'
import { bandwidth } from './wire/bandwidth.ts'
import { cut } from './wire/cut.ts'
import { emptyReply } from './wire/empty-reply.ts'
import { garbage } from './wire/garbage.ts'
import { halfBody } from './wire/half-body.ts'
import { hang } from './wire/hang.ts'
import { resetAfterHeaders } from './wire/reset-after-headers.ts'
import { resetBeforeHeaders } from './wire/reset-before-headers.ts'
import { slowDrip } from './wire/slow-drip.ts'
import { truncatedGzip } from './wire/truncated-gzip.ts'
import { wrongContentType } from './wire/wrong-content-type.ts'

export const faults: readonly Fault[] = [
  // Statuses
  invalidRequest,
  contextLength,
  missingKey,
  invalidKey,
  forbiddenRegion,
  notFound,
  conflict,
  unprocessable,
  rateLimit,
  rateLimitTokens,
  quota,
  serverError,
  badGateway,
  overloaded,
  gatewayTimeout,
  status,
  // The meaning
  refusal,
  emptyText,
  otherLanguage,
  truncatedJson,
  wrongEnum,
  undeclaredTool,
  repeatedChunk,
  wrongUsage,
  wrongDimension,
  shuffledEmbeddings,
  // The connection and the body
  hang,
  resetBeforeHeaders,
  resetAfterHeaders,
  emptyReply,
  garbage,
  halfBody,
  wrongContentType,
  slowDrip,
  bandwidth,
  truncatedGzip,
  // Streams
  cut,
  streamError,
  malformedEvent,
  missingDone,
  missingUsage,
  duplicatedEvent,
  comments,
  crlf,
  splitEvents,
  joinedEvents,
]

const byName = new Map(faults.map((fault) => [fault.name, fault]))
const byStatus = new Map<number, Fault>([
  [400, invalidRequest],
  [401, invalidKey],
  [403, forbiddenRegion],
  [404, notFound],
  [409, conflict],
  [422, unprocessable],
  [429, rateLimit],
  [500, serverError],
  [502, badGateway],
  [503, overloaded],
  [504, gatewayTimeout],
])

/** How options that are numbers are written, for messages and documents. */
export const NUMBER_FORMS = {
  duration: "a duration such as '500ms' or '20s', at most a day (a bare number means seconds)",
  count: 'a whole number from 0',
  size: 'a whole number from 1',
  status: 'a status from 400 to 599',
} as const

/** How an option is written, for messages and documents. */
export const optionForm = (spec: OptionSpec): string =>
  spec.kind === 'choice' ? `one of ${spec.of.join(', ')}` : NUMBER_FORMS[spec.kind]

/** A fault that was read, or what is wrong with it as one sentence. */
export type FaultReading = { readonly strike: ConfiguredFault } | { readonly problem: string }

/**
 * Reads a fault by name or status, with its options in any spelling (`retry-after`, `retryAfter`).
 * @example readFault('rate-limit', { 'retry-after': '2' })
 */
export function readFault(nameOrStatus: string | number, given: Readonly<Record<string, unknown>> = {}): FaultReading {
  const name = String(nameOrStatus)
  const fault = faultNamed(nameOrStatus)
  if (fault === undefined) {
    const near = didYouMean(name, byName.keys())
    return {
      problem: `Unknown fault '${name}'.${near} Faults are: ${[...byName.keys()].join(', ')}, or a status from 400 to 599.`,
    }
  }

  const names = Object.keys(fault.options)
  const options: Record<string, number | string | undefined> = {}
  for (const option of names) options[option] = fault.options[option]!.default
  if (fault === status && isStatus(name)) options.status = Number(name)
  const found: string[] = []
  for (const [written, value] of Object.entries(given)) {
    const option = camelCase(written)
    if (!names.includes(option)) {
      const allowed = names.length === 0 ? 'It has no options.' : `Its options are: ${names.join(', ')}.`
      return { problem: `Fault '${name}' has no option '${written}'.${didYouMean(option, names)} ${allowed}` }
    }
    const spec = fault.options[option]!
    const read = readOption(spec, value)
    if (read === undefined) {
      return {
        problem: `Fault '${name}', option '${written}': found '${shown(value)}', allowed is ${optionForm(spec)}.`,
      }
    }
    options[option] = read
    if (fault.oneOf?.includes(option) === true) found.push(written)
  }
  if (found.length > 1) {
    return { problem: `Fault '${name}': found ${found.join(' and ')}, allowed is one of ${fault.oneOf!.join(', ')}.` }
  }
  return { strike: { fault, options } }
}

/** The fault of a name, or of a status. */
export function faultNamed(nameOrStatus: string | number): Fault | undefined {
  const name = String(nameOrStatus)
  return isStatus(name) ? (byStatus.get(Number(name)) ?? status) : byName.get(name)
}

const isStatus = (name: string): boolean => /^[45]\d\d$/.test(name)

/**
 * Reads the header form: `name; option=value; option=value`.
 * @example parseFault('cut; after=3')
 */
export function parseFault(text: string): FaultReading {
  const [name = '', ...parts] = text.split(';').map((part) => part.trim())
  const options: [string, string][] = []
  for (const part of parts) {
    if (part === '') continue
    const equals = part.indexOf('=')
    if (equals < 1) return { problem: `Fault '${name}': found '${part}' after ';', allowed is option=value.` }
    options.push([part.slice(0, equals).trim(), part.slice(equals + 1).trim()])
  }
  return readFault(name, Object.fromEntries(options))
}

function readOption(spec: OptionSpec, value: unknown): number | string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value)
  switch (spec.kind) {
    case 'duration': {
      const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseDuration(text)
      return ms !== undefined && ms <= WINDOWS.day ? ms : undefined
    }
    case 'count':
      return /^\d{1,9}$/.test(text) ? Number(text) : undefined
    case 'size':
      return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
    case 'status':
      return isStatus(text) ? Number(text) : undefined
    case 'choice':
      return spec.of.includes(text) ? text : undefined
    default:
      return spec satisfies never
  }
}

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'an object' : String(value).slice(0, 100)
const camelCase = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
