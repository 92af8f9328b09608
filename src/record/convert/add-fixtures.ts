/**
 * Adds the fixtures of aimock to a cassette as rules.
 *
 *     { "match": { "userMessage": "hi" }, "response": { "content": "Hello" } }     ->     { when: { user: hi }, say: Hello }
 *
 * Fixtures that differ only in `sequenceIndex` are the answers of one rule, one after the other.
 * @see https://aimock.copilotkit.dev/fixtures
 */
import { isMissing, isObject, type JsonObject } from '../../core/lib/text/json.ts'
import type { Cassette } from '../cassette.ts'
import type { CassetteRule } from '../cassette-text.ts'
import type { Redactor } from '../redact/redact.ts'
import { ANY_RESULT, readMatch } from './fixture-match.ts'
import { readResponse } from './fixture-response.ts'
import { buildVectorRules } from './fixture-vector.ts'

/** The fields of a fixture beside `match` and `response`, with what becomes of them. A rule has nothing like these. */
const SETTINGS: Readonly<Record<string, string>> = {
  latency: 'left out: see `pace` of a scenario',
  streamingProfile: 'left out: see `pace` of a scenario',
  recordedTimings: 'left out: see `pace` of a scenario',
  replaySpeed: 'left out: see the option --speed',
  chunkSize: 'left out: the mock streams token by token',
  truncateAfterChunks: 'left out: see the fault cut',
  disconnectAfterMs: 'left out: see the fault cut',
  chaos: 'left out: see `faults` of a scenario',
}

/** Something that is missing in the scenario, or different. */
export interface Loss {
  /** Its place in the file: `interactions[2]`, `fixtures[0].match.context`. */
  readonly place: string
  /** Reason, and what is there instead. */
  readonly reason: string
}

interface Fixture {
  /** Its position in the file. */
  readonly index: number
  readonly match: JsonObject
  readonly response: JsonObject
  /** The names of its other fields. */
  readonly settings: readonly string[]
}

/** Notes what is left out or different in the fixture with this index. */
type NoteOf = (index: number, field: string, reason: string) => void

/** Returns the number of fixtures, and of those that became rules; and what is missing or different. */
export function addFixtures(fixtures: readonly unknown[], cassette: Cassette, redactor: Redactor) {
  /** The losses of each fixture. */
  const losses = fixtures.map((): Loss[] => [])
  let carried = 0
  const refuse = (index: number, { message }: Error): void => {
    losses[index] = [{ place: `fixtures[${index}]`, reason: `not converted: ${redactor.redactText(message)}` }]
  }
  for (const members of groupFixtures(fixtures, refuse)) {
    try {
      const rules = buildRules(members, (index, field, reason) => {
        losses[index]!.push({ place: `fixtures[${index}].${field}`, reason: redactor.redactText(reason) })
      })
      for (const rule of rules) {
        const redacted = redactor.redactValue(rule) as CassetteRule
        // Without the secret, the rule would match nothing.
        if (JSON.stringify(redacted.when) !== JSON.stringify(rule.when))
          throw new Error('its match has a secret, which is not written down')
        cassette.addRule(redacted)
      }
      carried += members.length
    } catch (error) {
      for (const { index } of members) refuse(index, error as Error)
    }
  }
  return { items: fixtures.length, carried, findings: losses.flat() }
}

/** Joins the fixtures that differ only in `sequenceIndex`: aimock answers with one after the other. */
function groupFixtures(fixtures: readonly unknown[], refuse: (index: number, error: Error) => void): Fixture[][] {
  const groups = new Map<unknown, Fixture[]>()
  for (const [index, value] of fixtures.entries()) {
    if (!isObject(value) || !isObject(value.match) || !isObject(value.response)) {
      refuse(index, new Error('expected a map with match and response'))
      continue
    }
    const { match, response, metadata: _, ...settings } = value
    const { sequenceIndex, ...conditions } = match
    const fixture: Fixture = { index, match: conditions, response, settings: Object.keys(settings) }
    if (isMissing(sequenceIndex)) {
      groups.set(index, [fixture])
      continue
    }
    const name = JSON.stringify(Object.entries(conditions).sort(([a], [b]) => (a < b ? -1 : 1)))
    const group = groups.get(name) ?? []
    group[Number(sequenceIndex)] = fixture
    groups.set(name, group)
  }
  // The positions that no fixture has are left out.
  return [...groups.values()].map((group) => Object.values(group))
}

/** Builds one rule with all answers of a group, if they are of one kind; otherwise a rule for each fixture. */
function buildRules(members: readonly Fixture[], noteOf: NoteOf): CassetteRule[] {
  const rulesOfEach = members.map((fixture) => readFixture(fixture, noteOf))
  const rules = rulesOfEach.flat()
  if (members.length === 1) return rules
  const [{ when }] = rules as [CassetteRule]
  const condition = when !== undefined && { when }
  if (rules.every(({ say, finish }) => say !== undefined && finish === undefined))
    return [{ ...condition, say: rules.flatMap(({ say }) => say as string[]) }]
  if (rules.every(({ answer }) => answer !== undefined))
    return [{ ...condition, answer: rules.flatMap(({ answer }) => answer!) }]
  return rulesOfEach.flatMap((own, position) => {
    const attempt = position + 1
    // The result of a tool follows a call. It makes the next request another one, and not another attempt.
    const isAfterCall = rulesOfEach[position - 1]?.[0]!.call !== undefined
    const became = isAfterCall ? `toolResult: ${ANY_RESULT}` : `attempt: ${attempt}`
    const { index } = members[position]!
    noteOf(index, 'match.sequenceIndex', `became ${became}, because a rule has answers of one kind`)
    const added = isAfterCall ? { toolResult: ANY_RESULT } : { attempt }
    return own.map((rule) => ({ ...rule, when: { ...rule.when, ...added } }))
  })
}

function readFixture({ index, match, response, settings }: Fixture, noteOf: NoteOf): CassetteRule[] {
  const note = (field: string, reason: string): void => noteOf(index, field, reason)
  for (const name of settings) note(name, SETTINGS[name] ?? 'left out: unknown')
  if (Array.isArray(response.embedding)) return buildVectorRules(response.embedding, match, note)
  const when = readMatch(match, note)
  if (when.endpoint === 'embeddings' && response.error === undefined)
    throw new Error('the endpoint is embedding, but the response has no vector')
  return [{ ...(Object.keys(when).length > 0 && { when }), ...readResponse(response, note) }]
}
