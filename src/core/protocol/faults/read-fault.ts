/**
 * Reads a fault from a header, a scenario, the control plane or code, and writes its options as a scenario does.
 *
 *     parseFault('cut; after=3')                       a header
 *     readFault('cut', { after: 3 })                   a scenario, the control plane, code
 *     -> { configured: { fault: cut, options: { after: 3, end: 'reset', ... } } }
 */

import { didYouMean, type Synonyms } from '../../lib/text/did-you-mean.ts'
import { parseDuration, WINDOWS } from '../../lib/text/duration.ts'
import { shorten } from '../../lib/text/wording.ts'
import { describeGiven } from '../errors/check-options.ts'
import { status } from './answer-faults.ts'
import type { ConfiguredFault, Fault, OptionSpec } from './fault.ts'
import { faults } from './fault-catalogue.ts'

const faultsByName = new Map(faults.map((fault) => [fault.name, fault]))
/** The faults that a bare status names; the key of all others is undefined. */
const faultsByStatus = new Map(faults.map((fault) => [fault.kind === 'answer' ? fault.bareStatus : undefined, fault]))

/** The written forms of options that are numbers, for messages and documents. */
export const NUMBER_FORMS = {
  duration: "a duration such as '500ms' or '20s', at most a day (a bare number means seconds)",
  count: 'a whole number from 0',
  size: 'a whole number from 1',
  status: 'a status from 400 to 599',
} as const

/** The written form of an option, for messages and documents. */
export const optionForm = (spec: OptionSpec): string =>
  spec.kind === 'choice' ? `one of ${spec.of.join(', ')}` : NUMBER_FORMS[spec.kind]

/** A fault that was read, or what is wrong with it: one or two sentences to put after a colon. */
export type FaultReading =
  | { readonly configured: ConfiguredFault }
  | {
      readonly problem: string
      readonly code: 'unknown-fault' | 'unknown-option' | 'invalid-option'
      /** The option that is wrong, as it was written; left out for a wrong fault, and for options that exclude each other. */
      readonly option?: string
    }

/**
 * Reads a fault by name or status, with its options in any spelling (`retry-after`, `retryAfter`).
 * @param beside the caller's own options, for the message about an unknown one.
 * @param spell the name of an option as the message shows it: `retry-after` in a header.
 * @example readFault('rate-limit', { 'retry-after': '2' })
 */
export function readFault(
  nameOrStatus: string | number,
  given: Readonly<Record<string, unknown>> = {},
  beside: readonly string[] = [],
  spell: (option: string) => string = (option) => option,
): FaultReading {
  const name = String(nameOrStatus)
  const fault = faultNamed(nameOrStatus)
  if (fault === undefined) {
    const near = didYouMean(name, faultsByName.keys(), SYNONYMS)
    return { code: 'unknown-fault', problem: `unknown fault '${shorten(name)}'.${near} ${LIST_FAULTS}` }
  }

  const names = Object.keys(fault.options)
  const options: Record<string, number | string | undefined> = {}
  for (const option of names) options[option] = fault.options[option]!.default
  // A status is the name of a fault and its option: `418`.
  if (fault === status && STATUS.test(name)) options.status = Number(name)
  /** The given options of which only one may be given. */
  const exclusive: string[] = []
  for (const [written, value] of Object.entries(given)) {
    const option = camelCase(written)
    const spec = names.includes(option) ? fault.options[option] : undefined
    if (spec === undefined) {
      const spelled = [...new Set([...names, ...beside])].map(spell)
      const list = spelled.length === 0 ? 'It has no options.' : `Its options are: ${spelled.join(', ')}.`
      const near = didYouMean(spell(option), spelled)
      const problem = `fault '${name}' has no option '${shorten(written)}'.${near} ${list}`
      return { code: 'unknown-option', problem, option: written }
    }
    const read = readOption(spec, value)
    if (read === undefined) {
      const isTooLarge = typeof value !== 'object' && Number(value) > 999_999_999
      const bound = isTooLarge && (spec.kind === 'count' || spec.kind === 'size') ? ' to 999999999' : ''
      const expected = `expected ${optionForm(spec)}${bound}`
      const problem = `fault '${name}', option '${written}': ${expected}, got ${describeGiven(value)}.`
      return { code: 'invalid-option', problem, option: written }
    }
    options[option] = read
    if (fault.oneOf?.includes(option) === true) exclusive.push(written)
  }
  if (exclusive.length > 1) {
    const problem = `fault '${name}': expected one of ${fault.oneOf!.join(', ')}, got ${exclusive.join(' and ')}.`
    return { code: 'invalid-option', problem }
  }
  return { configured: { fault, options } }
}

/** Words of other tools, and the faults that they may mean. */
const SYNONYMS: Synonyms = Object.fromEntries(
  Object.entries({
    timeout: 'hang gateway-timeout',
    badrequest: 'invalid-request',
    unauthorized: 'invalid-key missing-key',
    forbidden: 'forbidden-region',
    'toomanyrequests ratelimited': 'rate-limit',
    insufficientquota: 'quota',
    'internalerror internalservererror': 'server-error',
    'unavailable serviceunavailable': 'overloaded',
    disconnect: 'reset-before-headers reset-after-headers cut',
    connectionreset: 'reset-before-headers reset-after-headers',
    econnreset: 'reset-before-headers reset-after-headers stale-connection',
    keepalive: 'stale-connection',
    'invalidjson malformedjson': 'truncated-json trailing-comma single-quotes',
    markdown: 'code-fence',
    infiniteloop: 'tool-loop',
    truncate: 'cut half-body',
    latency: 'delay slow-drip',
    'late sleep wait': 'delay',
    slow: 'delay slow-drip bandwidth',
  }).flatMap(([words, names]) => words.split(' ').map((word) => [word, names.split(' ')])),
)

const LIST_FAULTS =
  'Expected a fault name or a status from 400 to 599. List all faults with: npx api-mock list --faults'

/** The fault of a name, or of a status. */
export function faultNamed(nameOrStatus: string | number): Fault | undefined {
  const name = String(nameOrStatus)
  return STATUS.test(name) ? (faultsByStatus.get(Number(name)) ?? status) : faultsByName.get(name)
}

/**
 * Reads the header form: `name; option=value; option=value`.
 * @example parseFault('cut; after=3')
 */
export function parseFault(text: string): FaultReading {
  const [name = '', ...parts] = text.split(';').map((part) => part.trim())
  /** By the name in camelCase: `retry-after` and `retryAfter` are the same option. */
  const options = new Map<string, readonly [written: string, value: string]>()
  for (const part of parts) {
    if (part === '') continue
    const equals = part.indexOf('=')
    if (equals < 1) {
      const problem = `fault '${shorten(name)}': expected option=value after ';', got '${shorten(part)}'.`
      return { code: 'invalid-option', problem }
    }
    const written = part.slice(0, equals).trim()
    if (options.has(camelCase(written))) {
      const problem = `fault '${shorten(name)}': got option '${shorten(written)}' twice. Give it once.`
      return { code: 'invalid-option', problem }
    }
    options.set(camelCase(written), [written, part.slice(equals + 1).trim()])
  }
  const toKebabCase = (option: string): string => option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return readFault(name, Object.fromEntries(options.values()), [], toKebabCase)
}

/** The value of an option; undefined for one that it cannot have. A bare number is a duration in seconds. */
function readOption(spec: OptionSpec, value: unknown): number | string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value)
  if (spec.kind === 'choice') return spec.of.includes(text) ? text : undefined
  if (spec.kind !== 'duration') return NUMBERS[spec.kind].test(text) ? Number(text) : undefined
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : parseDuration(text)
  return ms !== undefined && ms <= WINDOWS.day ? ms : undefined
}

const STATUS = /^[45]\d\d$/
/** The texts of whole numbers, of at most nine digits. */
const NUMBERS = { count: /^\d{1,9}$/, size: /^[1-9]\d{0,8}$/, status: STATUS } as const

const camelCase = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * The options that are not at their default; undefined when there are none.
 * @example writeOptions(fault) // { after: 2, end: 'clean' }, or { retryAfter: '1500ms' }
 */
export function writeOptions({
  fault,
  options,
}: ConfiguredFault): Readonly<Record<string, string | number>> | undefined {
  const changed = Object.entries(fault.options).flatMap(([name, { kind, default: usual }]) => {
    const value = options[name]
    if (value === undefined || value === usual) return []
    return [[name, kind === 'duration' ? `${value}ms` : value] as const]
  })
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}
