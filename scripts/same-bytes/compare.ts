/** Compares the answers of two ways of playing the same calls. */
import type { Answer } from '../../test/support/send.ts'
import type { CorpusCall } from './corpus.ts'

export interface Difference {
  readonly number: number
  /** How many bytes of the body differ, or 1 when only something else does. */
  readonly bytes: number
  /** Status, header or body, with what was expected and what came. */
  readonly what: string
}

export interface Comparison {
  readonly compared: number
  readonly differences: readonly Difference[]
}

/** Calls that one of the two left out are not compared. */
export function compare(
  expected: readonly (Answer | undefined)[],
  actual: readonly (Answer | undefined)[],
): Comparison {
  let compared = 0
  const differences: Difference[] = []
  for (const [number, wanted] of expected.entries()) {
    const got = actual[number]
    if (wanted === undefined || got === undefined) continue
    compared++
    const what = describeDifference(wanted, got)
    if (what !== undefined) differences.push({ number, what, bytes: Math.max(1, countBytes(wanted.bytes, got.bytes)) })
  }
  return { compared, differences }
}

function describeDifference(wanted: Answer, got: Answer): string | undefined {
  if (wanted.status !== got.status) return `status: expected ${wanted.status}, got ${got.status}`
  const [wantedHeaders, gotHeaders] = [wanted.headers, got.headers].map((headers) =>
    headers.map((header) => header.join(': ')),
  ) as [string[], string[]]
  const missing = wantedHeaders.filter((header) => !gotHeaders.includes(header))
  const added = gotHeaders.filter((header) => !wantedHeaders.includes(header))
  if (missing.length + added.length > 0) return `headers: expected ${shown(missing)}, got ${shown(added)}`
  if (wanted.bytes !== got.bytes) return describeBytes(wanted.bytes, got.bytes)
  return wanted.isBroken === got.isBroken ? undefined : `broken off: expected ${wanted.isBroken}, got ${got.isBroken}`
}

const shown = (headers: readonly string[]): string => (headers.length === 0 ? 'nothing' : headers.join(' | '))

const BEFORE = 40
const AFTER = 80

/** The first place that differs, with what is around it. */
function describeBytes(wanted: string, got: string): string {
  let place = 0
  while (place < wanted.length && wanted[place] === got[place]) place++
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, place - BEFORE), place + AFTER))
  const sizes = `${wanted.length} and ${got.length} bytes`
  return `body at byte ${place} (${sizes}):\n    expected ${around(wanted)}\n    got      ${around(got)}`
}

function countBytes(one: string, other: string): number {
  let count = Math.abs(one.length - other.length)
  if (one === other) return count
  for (let place = Math.min(one.length, other.length) - 1; place >= 0; place--) {
    if (one.charCodeAt(place) !== other.charCodeAt(place)) count++
  }
  return count
}

const MAX_BODY = 400

/** A call, for a person to read. */
export function describeCall({ scenario, method, target, headers, body }: CorpusCall): string {
  const text = Buffer.from(body, 'base64').toString()
  const shortened = text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}... (${text.length} characters)` : text
  const lines = headers.map(([name, value]) => `    ${name}: ${value}`)
  return [`    ${method} ${target}, scenario ${scenario}`, ...lines, `    ${shortened}`].join('\n')
}
