/** Rot: compares recordings with the service of today, and with what the app sends today. */
import { isObject, type JsonObject, parseJson } from '../../core/lib/text/json.ts'
import { countOf } from '../../core/lib/text/wording.ts'
import type { ModelEndpoint } from '../../core/protocol/request/endpoints.ts'
import { compileScenario } from '../../core/scenario/compile/compile.ts'
import { compileIgnore } from '../../core/scenario/compile/ignore.ts'
import { compilePattern } from '../../core/scenario/compile/pattern.ts'
import { findBodyDifferences, isSame } from '../../core/scenario/conditions/request-condition.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { Engine } from '../../engine/index.ts'
import { callOf, comparedOf, type Recording, recordedCalls } from '../drift.ts'
import { ServiceToday } from './service-today.ts'

/** The tiers of findings, the worst one first. */
export const TIERS = ['would be refused', 'worth a look', 'harmless'] as const
export type Tier = (typeof TIERS)[number]

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

/** A request that the app sends today. */
export interface SentRequest {
  readonly endpoint: ModelEndpoint
  readonly body: JsonObject
}

/** A recording with its findings, the worst one first. */
export interface CheckedRecording {
  readonly file: string
  /** `replies[2]` */
  readonly rule: string
  readonly endpoint: ModelEndpoint
  readonly model: string
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
/** Fields that change nothing of an answer but what it echoes. */
const HARMLESS =
  /^request\.(?:user|metadata|store|safety_identifier|prompt_cache_key|prompt_cache_retention|service_tier)\b/

const TEXTS = /^request\.(?:messages|input)\b/

/** A recording while it is checked. */
interface Open extends Recording {
  readonly file: string
  readonly source: ScenarioSource
  readonly request: JsonObject
  readonly model: string
  readonly findings: Finding[]
}

export function checkRecordings(cassettes: readonly CheckedCassette[], options: CheckOptions): CassetteReport {
  const all = cassettes.flatMap(({ file, source }) =>
    recordedCalls(source).map((recording): Open => {
      const parsed = parseJson(recording.body)
      const request = isObject(parsed) ? parsed : {}
      return { ...recording, file, source, request, model: String(request.model ?? ''), findings: [] }
    }),
  )
  const sent = options.sent ?? []
  const service = new ServiceToday([...all.map(({ model }) => model), ...sent.map(({ body }) => String(body.model))])
  for (const one of all) checkService(one, service, options.today)
  const unrecorded = options.sent === undefined ? [] : checkSent(all, sent, service)
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

/** The day of its newest answer, or else the day in the description of the cassette. */
function dayOf({ answers, source }: Open): string | undefined {
  const times = answers.flatMap((answer) => {
    const [, seconds] = /"created(?:_at)?":\s*(\d{10})\b/.exec(comparedOf(answer).body) ?? []
    return seconds === undefined ? [] : Number(seconds) * 1000
  })
  if (times.length > 0) return new Date(Math.max(...times)).toISOString().slice(0, 10)
  return /\bon (\d{4}-\d\d-\d\d)\b/.exec(source.description ?? '')?.[1]
}

/** Compares a recording with the rules and answers of the service. */
function checkService(one: Open, service: ServiceToday, today: Date): void {
  const { model, answers } = one
  const { retires, replacement } = service.modelOf(model)?.published ?? {}
  const instead = replacement === undefined ? '' : `; the service recommends ${replacement}`
  const daysLeft = retires === undefined ? undefined : Math.ceil((Date.parse(retires) - today.getTime()) / DAY_MS)
  const wasRefused = answers.at(-1)!.status >= 400
  if (daysLeft !== undefined && daysLeft <= 0) {
    if (!wasRefused) note(one, 'would be refused', `the service has shut ${model} down on ${retires}${instead}`)
    return
  }
  if (daysLeft !== undefined && daysLeft <= SOON_DAYS)
    note(one, 'worth a look', `the service shuts ${model} down on ${retires}, in ${countOf(daysLeft, 'day')}${instead}`)
  const refusal = wasRefused ? undefined : service.refusalOf(one)
  if (refusal !== undefined) note(one, 'would be refused', refusal.text)
  const { added, dropped } = service.shapeChanges(one)
  if (dropped.length > 0) note(one, 'worth a look', `the service no longer sends ${dropped.join(', ')}`)
  // Clients skip fields that they do not know.
  if (added.length > 0) note(one, 'harmless', `the service now also sends ${added.join(', ')}`)
}

/**
 * Compares each request of the app with its recording, or else with the nearest one that is left.
 * @returns the requests without a recording
 */
function checkSent(all: readonly Open[], sent: readonly SentRequest[], service: ServiceToday): SentRequest[] {
  const met = new Set<Open>()
  const find = finderOf(all)
  const missed = sent.filter((request) => {
    const found = find(request)
    for (const one of found) {
      met.add(one)
      compareRequest(one, request, service, true)
    }
    return found.length === 0
  })
  const rest = all.filter((one) => !met.has(one))
  const pairs = missed.flatMap((request) =>
    rest.flatMap((one) => {
      const distance = distanceOf(one, request)
      return distance === undefined ? [] : { one, request, distance }
    }),
  )
  const paired = new Set<SentRequest>()
  for (const { one, request } of pairs.sort((a, b) => a.distance - b.distance)) {
    if (met.has(one) || paired.has(request)) continue
    met.add(one)
    paired.add(request)
    compareRequest(one, request, service, false)
  }
  for (const one of all) if (!met.has(one)) note(one, 'harmless', UNUSED)
  return missed.filter((request) => !paired.has(request))
}

/** Finds the recordings that replay answers a request from, one in each cassette. */
function finderOf(all: readonly Open[]): (sent: SentRequest) => readonly Open[] {
  const engines = [...new Set(all.map(({ source }) => source))].map((source) => {
    const { ignore, replies = [] } = source
    const recordings = all.filter((one) => one.source === source)
    const rules = recordings.map(({ ruleId }) => replies[Number(/\d+/.exec(ruleId)![0])]!)
    const cassette = { ...(ignore && { ignore }), replies: rules }
    return { recordings, engine: new Engine(compileScenario(cassette, { name: 'the cassette', compilePattern })) }
  })
  return ({ endpoint, body }) =>
    engines.flatMap(({ recordings, engine }) => {
      const rule = engine.findRule(callOf({ endpoint, body: JSON.stringify(body) }, engine))
      return rule === undefined ? [] : recordings[Number(/\d+/.exec(rule.ruleId)![0])]!
    })
}

/** The number of fields that differ, in which a text counts twice; undefined for another request. */
function distanceOf(one: Open, { endpoint, body }: SentRequest): number | undefined {
  if (one.endpoint !== endpoint) return undefined
  const fields = findBodyDifferences(one.request, body, isSame).map(({ field }) => field)
  const texts = fields.filter((field) => TEXTS.test(field)).length
  return texts > 0 && fields.includes('request.model') ? undefined : fields.length + texts
}

/** Notes the fields that differ. @param isReplayed true if replay answers the request from this recording */
function compareRequest(one: Open, { endpoint, body }: SentRequest, service: ServiceToday, isReplayed: boolean): void {
  // A recorded error is still what the app gets.
  const wasRefused = isReplayed && one.answers.at(-1)!.status >= 400
  const refusal = wasRefused ? undefined : service.refusalOf({ endpoint, body: JSON.stringify(body) })
  if (refusal !== undefined) note(one, 'would be refused', refusal.text)
  const ignore = compileIgnore(one.source.ignore ?? [])
  const [recorded, sent] = isReplayed ? [one.request, body] : [ignore(one.request), ignore(body)]
  for (const { field, describe } of findBodyDifferences(recorded, sent, isSame)) {
    const { needed, found } = describe()
    const isHarmless = isReplayed || HARMLESS.test(field)
    const remedy = isHarmless && !isReplayed ? '; name it under ignore' : ''
    note(one, isHarmless ? 'harmless' : 'worth a look', `${field}: ${found} instead of ${needed}${remedy}`, !isHarmless)
  }
}
