/** Rot: compares recordings with the service of today, and with what the app sends today. */
import { TIERS } from '../../core/journal/entry.ts'
import { hashName } from '../../core/lib/random/hash.ts'
import { countOf } from '../../core/lib/text/wording.ts'
import type { ModelEndpoint } from '../../core/protocol/request/endpoints.ts'
import { compileIgnore } from '../../core/scenario/compile/ignore.ts'
import { isSame, REDACTED } from '../../core/scenario/conditions/request-condition.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import {
  bodyOfRequest,
  compareRequest,
  MODEL_TABLE,
  type RecordedRequest,
  refusalToday,
  type SentRequest,
} from '../../engine/index.ts'
import { comparedOf, type Recording, recordedCalls } from '../drift.ts'
import { canonicalJson } from '../recorded-exchange.ts'
import { answerChanges } from './answer-changes.ts'
import { pairNearest } from './pair-nearest.ts'

type Tier = (typeof TIERS)[number]

export interface Finding {
  readonly tier: Tier
  readonly text: string
  /** True if only a new recording helps. */
  readonly needsRecording: boolean
}

/** A cassette to check. */
export interface CheckedCassette {
  readonly file: string
  readonly source: ScenarioSource
}

/** A recording with its findings, the worst one first. */
export interface CheckedRecording {
  readonly file: string
  /** `replies[2]` */
  readonly rule: string
  readonly endpoint: ModelEndpoint
  readonly model: string
  /** A fingerprint of the request: recordings of the same request share it. */
  readonly request: string
  /** The day on which it was recorded, `2026-11-21`, and its age; left out if nothing says so. */
  readonly recordedOn?: string
  readonly ageDays?: number
  readonly findings: readonly Finding[]
  readonly mustRecord: boolean
}

export interface CheckOptions {
  readonly today: Date
  /** The age from which a recording is worth a look. */
  readonly maxAgeDays: number
  /** The requests that the app sends today; undefined if they are not known. */
  readonly sent?: readonly SentRequest[] | undefined
}

export interface CassetteReport {
  readonly recordings: readonly CheckedRecording[]
  /** The requests of the app for which there is no recording. */
  readonly unrecorded: readonly SentRequest[]
}

const UNUSED = 'the app no longer sends this request: remove the recording'
const DAY_MS = 86_400_000
/** A shutdown that is nearer than this is worth a look. */
const SOON_DAYS = 90
/** A recording while it is checked. */
interface Open extends Recording, RecordedRequest {
  readonly file: string
  readonly source: ScenarioSource
  readonly model: string
  /** Canonical JSON of the endpoint and the request. */
  readonly name: string
  readonly findings: Finding[]
}

export function checkRecordings(cassettes: readonly CheckedCassette[], options: CheckOptions): CassetteReport {
  const all = cassettes.flatMap(({ file, source }) => {
    const ignore = compileIgnore(source.ignore ?? [])
    return recordedCalls(source).map((recording): Open => {
      const request = bodyOfRequest(recording.body)
      const name = canonicalJson([recording.endpoint, request])
      const wasRefused = recording.answers.at(-1)!.status >= 400
      const model = String(request.model ?? '')
      return { ...recording, file, source, request, ignore, wasRefused, model, name, findings: [] }
    })
  })
  for (const one of all) checkService(one, options.today)
  const unrecorded = options.sent === undefined ? [] : checkSent(all, options.sent)
  const recordings = all.map((one): CheckedRecording => {
    const { file, ruleId: rule, endpoint, model, findings } = one
    const recordedOn = dayOf(one)
    const ageDays = Math.floor((options.today.getTime() - Date.parse(recordedOn ?? '')) / DAY_MS)
    if (ageDays > options.maxAgeDays) note(one, 'worth a look', `it is ${countOf(ageDays, 'day')} old`)
    return {
      file,
      rule,
      endpoint,
      model,
      request: hashName(one.name),
      ...(recordedOn && { recordedOn, ageDays }),
      findings: findings.sort((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier)),
      mustRecord: findings.some((found) => found.needsRecording) && !findings.some(({ text }) => text === UNUSED),
    }
  })
  return { recordings, unrecorded }
}

function note({ findings }: Open, tier: Tier, text: string, needsRecording = tier === 'would be refused'): void {
  if (!findings.some((one) => one.text === text)) findings.push({ tier, text, needsRecording })
}

const CREATED = /"created(?:_at)?":\s*(\d{10})\b/

/** The day of its newest answer, or else the day in the description of the cassette. */
function dayOf({ answers, source }: Open): string | undefined {
  const times = answers.map((answer) => Number(CREATED.exec(comparedOf(answer).body)?.[1] ?? 0))
  const newest = Math.max(...times)
  if (newest > 0) return new Date(newest * 1000).toISOString().slice(0, 10)
  return /\bon (\d{4}-\d\d-\d\d)\b/.exec(source.description ?? '')?.[1]
}

/** Compares a recording with the rules and answers of the service. */
function checkService(one: Open, today: Date): void {
  const { model, wasRefused } = one
  const row = Object.hasOwn(MODEL_TABLE, model) ? MODEL_TABLE[model] : undefined
  const { retires, replacement } = row?.published ?? {}
  const instead = replacement === undefined ? '' : `; the service recommends ${replacement}`
  const daysLeft = retires === undefined ? undefined : Math.ceil((Date.parse(retires) - today.getTime()) / DAY_MS)
  if (daysLeft !== undefined && daysLeft <= 0) {
    if (!wasRefused) note(one, 'would be refused', `the service has shut ${model} down on ${retires}${instead}`)
    return
  }
  if (daysLeft !== undefined && daysLeft <= SOON_DAYS)
    note(one, 'worth a look', `the service shuts ${model} down on ${retires}, in ${countOf(daysLeft, 'day')}${instead}`)
  const refusal = wasRefused ? undefined : refusalToday(one)
  if (refusal !== undefined) note(one, 'would be refused', `${refusal.status} ${refusal.message}`)
  const { added, dropped } = answerChanges(one)
  if (dropped.length > 0) note(one, 'worth a look', `the service no longer sends ${dropped.join(', ')}`)
  // Clients skip fields that they do not know.
  if (added.length > 0) note(one, 'harmless', `the service now also sends ${added.join(', ')}`)
}

/**
 * Compares each request of the app with its recording, or else with the nearest one that is left.
 * @returns the requests without a recording
 */
function checkSent(all: readonly Open[], sent: readonly SentRequest[]): SentRequest[] {
  const met = new Set<Open>()
  const find = finderOf(all)
  const meet = (request: SentRequest, found: readonly Open[], isReplayed: boolean): void => {
    for (const one of found) {
      met.add(one)
      for (const { tier, text, remedy } of compareRequest(one, request, isReplayed)) {
        const shown = tier === 'harmless' && remedy !== undefined ? `${text}; ${remedy}` : text
        note(one, tier, shown, tier !== 'harmless')
      }
    }
  }
  const missed = sent.filter((request) => {
    const found = find(request)
    meet(request, found, true)
    return found.length === 0
  })
  // Files that record the same request get the same findings.
  const rest = new Map<string, Open[]>()
  for (const one of all) if (!met.has(one)) rest.set(one.name, [...(rest.get(one.name) ?? []), one])
  const pairs = pairNearest(
    missed,
    [...rest.values()].map(([first]) => first!),
  )
  for (const [request, { name }] of pairs) meet(request, rest.get(name)!, false)
  for (const one of all) if (!met.has(one)) note(one, 'harmless', UNUSED)
  const paired = new Set(pairs.map(([request]) => request))
  return missed.filter((request) => !paired.has(request))
}

/** Finds the recordings that replay answers a request from, one in each cassette. */
function finderOf(all: readonly Open[]): (sent: SentRequest) => readonly Open[] {
  const cassettes = [...new Set(all.map(({ source }) => source))].map((source) => {
    const own = all.filter((one) => one.source === source)
    const { ignore } = own[0]!
    const named = own.map((one) => [canonicalJson([one.endpoint, ignore(one.request)]), one] as const)
    const redacted = named.flatMap(([name, one]) => (name.includes(REDACTED) ? one : []))
    // Of equal requests, replay takes the first.
    return { ignore, redacted, exact: new Map(named.toReversed()) }
  })
  return ({ endpoint, body }) =>
    cassettes.flatMap(({ ignore, redacted, exact }) => {
      const sent = ignore(body)
      const isLike = (one: Open): boolean => one.endpoint === endpoint && isSame(ignore(one.request), sent)
      return exact.get(canonicalJson([endpoint, sent])) ?? redacted.find(isLike) ?? []
    })
}
