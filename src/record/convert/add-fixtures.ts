/**
 * Adds the fixtures of aimock to a cassette as rules.
 * @see https://aimock.copilotkit.dev/fixtures
 */
import { isMissing, isObject, type JsonObject } from '../../core/lib/text/json.ts'
import type { Cassette, Rule } from '../cassette.ts'
import type { Redactor } from '../redact/redact.ts'
import type { Finding } from './conversion.ts'
import { ANY_RESULT, type Note, readMatch } from './fixture-match.ts'
import { readResponse, vectorRules } from './fixture-response.ts'

/** What else a fixture may have. A rule has nothing like these. */
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

/** One fixture, or several that aimock answers with one after the other. */
interface Group {
  readonly members: { readonly index: number; readonly fixture: Fixture }[]
}

interface Fixture {
  readonly match: JsonObject
  readonly response: JsonObject
  readonly settings: readonly string[]
}

export function addFixtures(
  fixtures: readonly unknown[],
  cassette: Cassette,
  redactor: Redactor,
): { items: number; carried: number; findings: readonly Finding[] } {
  const findings: Finding[] = []
  let carried = 0
  const refuse = (index: number, error: unknown): void => {
    const reason = `not converted: ${redactor.redactText((error as Error).message)}`
    findings.push({ place: `fixtures[${index}]`, reason })
  }
  for (const { members } of groupFixtures(fixtures, refuse)) {
    const notes: Finding[] = []
    try {
      const rules = rulesOf(members, (member, field, reason) =>
        notes.push({ place: `fixtures[${member}].${field}`, reason: redactor.redactText(reason) }),
      )
      for (const rule of rules) cassette.addRule(withoutSecrets(rule, redactor))
      carried += members.length
      findings.push(...notes)
    } catch (error) {
      for (const member of members) refuse(member.index, error)
    }
  }
  return { items: fixtures.length, carried, findings: findings.sort((a, b) => indexOf(a) - indexOf(b)) }
}

/** `fixtures[2].match.context` -> 2 */
const indexOf = ({ place }: Finding): number => Number.parseInt(place.slice('fixtures['.length), 10)

/** Joins the fixtures that differ only in `sequenceIndex`. */
function groupFixtures(fixtures: readonly unknown[], refuse: (index: number, error: unknown) => void): Group[] {
  const groups: Group[] = []
  const sequences = new Map<string, Group>()
  for (const [index, value] of fixtures.entries()) {
    if (!isObject(value) || !isObject(value.match) || !isObject(value.response)) {
      refuse(index, new Error('expected a map with match and response'))
      continue
    }
    const { match, response, metadata: _, ...settings } = value
    const { sequenceIndex, ...rest } = match
    const member = { index, fixture: { match: rest, response, settings: Object.keys(settings) } }
    const name = JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)))
    const known = sequences.get(name)
    if (isMissing(sequenceIndex)) groups.push({ members: [member] })
    else if (known !== undefined) known.members[Number(sequenceIndex)] = member
    else {
      const group: Group = { members: [] }
      group.members[Number(sequenceIndex)] = member
      sequences.set(name, group)
      groups.push(group)
    }
  }
  return groups.map(({ members }) => ({ members: Object.values(members) }))
}

type NoteOf = (index: number, field: string, reason: string) => void

function rulesOf(members: Group['members'], noteOf: NoteOf): Rule[] {
  const all = members.map(({ index, fixture }) => {
    const note: Note = (field, reason) => noteOf(index, field, reason)
    for (const name of fixture.settings) note(name, SETTINGS[name] ?? 'left out: unknown')
    return { index, rules: readFixture(fixture, note) }
  })
  if (all.length === 1) return all[0]!.rules
  const rules = all.flatMap((one) => one.rules)
  const [{ when }] = rules as [Rule]
  const condition = when !== undefined && { when }
  if (rules.every(({ say, finish }) => say !== undefined && finish === undefined))
    return [{ ...condition, say: rules.flatMap(({ say }) => say as string[]) }]
  if (rules.every(({ answer }) => answer !== undefined))
    return [{ ...condition, answer: rules.flatMap(({ answer }) => answer!) }]
  return all.flatMap(({ index, rules: own }, position) => {
    const isAfterCall = all[position - 1]?.rules[0]!.call !== undefined
    const more = isAfterCall ? { toolResult: ANY_RESULT } : { attempt: position + 1 }
    const [name, value] = Object.entries(more)[0]!
    noteOf(index, 'match.sequenceIndex', `became ${name}: ${value}, because a rule has answers of one kind`)
    return own.map((rule) => ({ ...rule, when: { ...rule.when, ...more } }))
  })
}

function readFixture({ match, response }: Fixture, note: Note): Rule[] {
  if (Array.isArray(response.embedding)) return vectorRules(response.embedding, match, note)
  const when = readMatch(match, note)
  if (when.endpoint === 'embeddings' && response.error === undefined)
    throw new Error('the endpoint is embedding, but the response has no vector')
  const action = readResponse(response, note)
  return [{ ...(Object.keys(when).length > 0 && { when }), ...action }]
}

/** @throws when a condition has a secret: without it, the rule would match nothing. */
function withoutSecrets(rule: Rule, redactor: Redactor): Rule {
  const redacted = redactor.redactValue(rule) as Rule
  if (JSON.stringify(redacted.when) !== JSON.stringify(rule.when))
    throw new Error('its match has a secret, which is not written down')
  return redacted
}
