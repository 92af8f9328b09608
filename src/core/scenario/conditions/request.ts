/** `when: { request: { ... } }`: the whole body, in any order of its keys, as a recording has it. */
import { isObject, type JsonObject, parseJson } from '../../lib/text/json.ts'
import { matchesGlob } from '../compile/glob.ts'
import { findBodyDifferences } from './body-differences.ts'
import type { Condition } from './condition.ts'
import type { Facts } from './facts.ts'
import { NO_GROUPS } from './match.ts'

/** Replaces a secret in a recording; it matches any text. */
export const REDACTED = '[redacted]'

const EXPECTED = 'a request body as a map, or as text when it is not a JSON object'

type Wanted = string | JsonObject
type Sent = Pick<Facts, 'comparedBody' | 'bodyText'>

const schema = (fields: typeof import('../grammar/fields.ts')) => fields.requestBody(EXPECTED)

export const request: Condition<Wanted, ReturnType<typeof schema>> = {
  about: `the whole request body, with keys in any order; ${REDACTED} matches any text`,
  expected: EXPECTED,
  schema,
  compile(wanted) {
    const matches = compileRequest(wanted)
    return (facts) => (matches(facts) ? NO_GROUPS : undefined)
  },
  read: (facts) => facts.comparedBody,
  describeFound: () => 'another request',
  describeWanted: () => 'as recorded',
  findDifferences(wanted, { comparedBody }) {
    const recorded = typeof wanted === 'string' ? parseObject(wanted) : wanted
    return recorded === undefined ? [] : findBodyDifferences(recorded, comparedBody, isSame)
  },
  accepts: (value) => typeof value === 'string' || isObject(value),
  parse: (text) => text,
  split: (wanted) => [wanted],
  covers: (wanted, known) => known !== undefined && compileRequest(wanted)(asSent(known as Wanted)),
}

function compileRequest(wanted: Wanted): (sent: Sent) => boolean {
  if (typeof wanted !== 'string') return ({ comparedBody }) => isSame(wanted, comparedBody)
  const parsed = parseObject(wanted)
  if (parsed !== undefined) return ({ comparedBody }) => isSame(parsed, comparedBody)
  return ({ bodyText }) => bodyText !== undefined && isSame(wanted, bodyText)
}

/** A request that a rule waits for, as if a client had sent it. */
function asSent(wanted: Wanted): Sent {
  const body = typeof wanted === 'string' ? parseObject(wanted) : wanted
  return body === undefined
    ? { comparedBody: {}, bodyText: wanted as string }
    : { comparedBody: body, bodyText: undefined }
}

function isSame(recorded: unknown, sent: unknown): boolean {
  if (typeof recorded === 'string' && typeof sent === 'string') {
    return recorded.includes(REDACTED) ? matchesGlob(recorded, sent, REDACTED) : recorded === sent
  }
  if (Array.isArray(recorded)) {
    if (!Array.isArray(sent) || recorded.length !== sent.length) return false
    return recorded.every((item, index) => isSame(item, sent[index]))
  }
  if (!isObject(recorded) || !isObject(sent)) return recorded === sent
  const names = Object.keys(recorded)
  if (names.length !== Object.keys(sent).length) return false
  return names.every((name) => Object.hasOwn(sent, name) && isSame(recorded[name], sent[name]))
}

function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isObject(value) ? value : undefined
}
