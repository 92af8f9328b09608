/** The fault catalogue, and the one way to read a fault: from a header, a scenario, the control plane or code. */
import { parseDuration, WINDOWS } from '../duration.ts'
import { didYouMean } from '../suggest.ts'
import { contextLength } from './context-length.ts'
import { cut } from './cut.ts'
import { emptyReply } from './empty-reply.ts'
import type { Fault, FaultOptions, OptionKind, Strike } from './fault.ts'
import { forbiddenRegion } from './forbidden-region.ts'
import { hang } from './hang.ts'
import { invalidKey } from './invalid-key.ts'
import { invalidRequest } from './invalid-request.ts'
import { missingKey } from './missing-key.ts'
import { notFound } from './not-found.ts'
import { otherLanguage } from './other-language.ts'
import { overloaded } from './overloaded.ts'
import { quota } from './quota.ts'
import { rateLimit } from './rate-limit.ts'
import { rateLimitTokens } from './rate-limit-tokens.ts'
import { refusal } from './refusal.ts'
import { repeatedChunk } from './repeated-chunk.ts'
import { serverError } from './server-error.ts'
import { shuffledEmbeddings } from './shuffled-embeddings.ts'
import { status } from './status.ts'
import { truncatedJson } from './truncated-json.ts'
import { undeclaredTool } from './undeclared-tool.ts'
import { wrongDimension } from './wrong-dimension.ts'
import { wrongEnum } from './wrong-enum.ts'
import { wrongUsage } from './wrong-usage.ts'

export const faults: readonly Fault[] = [
  invalidRequest,
  contextLength,
  missingKey,
  invalidKey,
  forbiddenRegion,
  notFound,
  rateLimit,
  rateLimitTokens,
  quota,
  serverError,
  overloaded,
  status,
  refusal,
  emptyReply,
  otherLanguage,
  truncatedJson,
  wrongEnum,
  undeclaredTool,
  repeatedChunk,
  wrongUsage,
  wrongDimension,
  shuffledEmbeddings,
  cut,
  hang,
]

const byName = new Map(faults.map((fault) => [fault.name, fault]))
const byStatus = new Map<number, Fault>([
  [400, invalidRequest],
  [401, invalidKey],
  [403, forbiddenRegion],
  [404, notFound],
  [429, rateLimit],
  [500, serverError],
  [503, overloaded],
])

/** How each kind of option is written, for messages. */
export const OPTION_FORMS: Record<OptionKind, string> = {
  duration: "a duration such as '500ms' or '20s', at most a day (a bare number means seconds)",
  count: 'a whole number from 0',
  status: 'a status from 400 to 599',
}

/** A fault that was read, or what is wrong with it as one sentence. */
export type FaultReading = { readonly strike: Strike } | { readonly problem: string }

/**
 * Reads a fault by name or status, with its options in any spelling (`retry-after`, `retryAfter`).
 * @example readFault('rate-limit', { 'retry-after': '2' })
 */
export function readFault(nameOrStatus: string | number, given: Readonly<Record<string, unknown>> = {}): FaultReading {
  const name = String(nameOrStatus)
  const asked = /^[45]\d\d$/.test(name) ? Number(name) : undefined
  const fault = asked === undefined ? byName.get(name) : (byStatus.get(asked) ?? status)
  if (fault === undefined) {
    const near = didYouMean(name, byName.keys())
    return {
      problem: `Unknown fault '${name}'.${near} Faults are: ${[...byName.keys()].join(', ')}, or a status from 400 to 599.`,
    }
  }

  const options: Record<string, number> = {}
  for (const [option, { default: value }] of Object.entries(fault.options)) options[option] = value
  if (fault === status && asked !== undefined) options.status = asked
  for (const [written, value] of Object.entries(given)) {
    const option = camelCase(written)
    const names = Object.keys(fault.options)
    if (!names.includes(option)) {
      const allowed = names.length === 0 ? 'It has no options.' : `Its options are: ${names.join(', ')}.`
      return { problem: `Fault '${name}' has no option '${written}'.${didYouMean(option, names)} ${allowed}` }
    }
    const { kind } = fault.options[option]!
    const number = readOption(kind, value)
    if (number === undefined) {
      return {
        problem: `Fault '${name}', option '${written}': found '${shown(value)}', allowed is ${OPTION_FORMS[kind]}.`,
      }
    }
    options[option] = number
  }
  return { strike: { fault, options: options as FaultOptions } }
}

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

function readOption(kind: OptionKind, value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value)
  switch (kind) {
    case 'duration': {
      const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseDuration(text)
      return ms !== undefined && ms <= WINDOWS.day ? ms : undefined
    }
    case 'count':
      return /^\d{1,9}$/.test(text) ? Number(text) : undefined
    case 'status':
      return /^[45]\d\d$/.test(text) ? Number(text) : undefined
    default:
      return kind satisfies never
  }
}

const shown = (value: unknown): string =>
  typeof value === 'object' && value !== null ? 'an object' : String(value).slice(0, 100)
const camelCase = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
