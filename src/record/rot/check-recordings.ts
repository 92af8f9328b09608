/**
 * Rot: compares recordings with the service of today, and with what the app sends today. Each recording gets findings, in
 * three tiers:
 *
 *     replies[2] chat gpt-4o:
 *       would be refused   the service has shut gpt-4o down on 2026-10-01
 *       worth a look       request.temperature: 0 instead of 1
 *       harmless           the service now also sends usage.prompt_tokens_details
 */
import { TIERS } from '../../core/journal/entry.ts'
import { countOf } from '../../core/lib/text/wording.ts'
import { groupBy } from '../../core/report/attempts.ts'
import { compileIgnore } from '../../core/scenario/compile/ignore.ts'
import { isSame, REDACTED } from '../../core/scenario/conditions/request-condition.ts'
import type { ScenarioSource } from '../../core/scenario/scenario-source.ts'
import { bodyOfRequest, compareRequest, MODEL_TABLE, refusalToday, type SentRequest } from '../../engine/index.ts'
import { comparedOf, recordedCalls } from '../recorded-calls.ts'
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
export type CheckedRecording = ReturnType<typeof closeRecording>

/** The finding on a recording that no request of the app is like. */
const UNUSED = 'the app no longer sends this request: remove the recording'
const DAY_MS = 86_400_000
/** A shutdown that is nearer than this is worth a look. */
const SOON_DAYS = 90

/** The time of an answer, in seconds since 1970. */
const CREATED = /"created(?:_at)?":\s*(\d{10})\b/

/** A recording while it is checked: each check adds its findings. */
type RecordingInCheck = ReturnType<typeof openCassette>[number]

/**
 * Checks recordings. `unrecorded` has the requests of the app for which there is no recording.
 * @param options.maxAgeDays the age from which a recording is worth a look.
 * @param options.sent the requests that the app sends today; undefined if they are not known.
 */
export function checkRecordings(
  cassettes: readonly CheckedCassette[],
  { today, maxAgeDays, sent }: { today: Date; maxAgeDays: number; sent?: readonly SentRequest[] | undefined },
) {
  const opened = cassettes.map((cassette) => openCassette(cassette, today)).filter(({ length }) => length > 0)
  const recordings = opened.flat()
  for (const recording of recordings) checkService(recording, today)
  const unrecorded = sent === undefined ? [] : checkSent(opened, sent)
  for (const recording of recordings) {
    const { age } = recording
    if (age && age.ageDays > maxAgeDays)
      addFinding(recording, 'worth a look', `it is ${countOf(age.ageDays, 'day')} old`)
  }
  return { recordings: recordings.map(closeRecording), unrecorded }
}

function openCassette({ file, source }: CheckedCassette, today: Date) {
  const ignore = compileIgnore(source.ignore ?? [])
  return recordedCalls(source).map((recording) => {
    const request = bodyOfRequest(recording.body)
    // Equal for recordings of the same request.
    const name = canonicalJson([recording.endpoint, request])
    const wasRefused = recording.answers.at(-1)!.status >= 400
    const model = String(request.model ?? '')
    // The day of the newest answer, or else the day in the description of the cassette.
    const times = recording.answers.map((answer) => Number(CREATED.exec(comparedOf(answer).body)?.[1] ?? 0))
    const newest = Math.max(...times)
    const recordedOn =
      newest > 0
        ? new Date(newest * 1000).toISOString().slice(0, 10)
        : /\bon (\d{4}-\d\d-\d\d)\b/.exec(source.description ?? '')?.[1]
    const age = recordedOn !== undefined && {
      recordedOn,
      ageDays: Math.floor((today.getTime() - Date.parse(recordedOn)) / DAY_MS),
    }
    const findings: Finding[] = []
    return { ...recording, file, request, ignore, wasRefused, model, name, age, findings }
  })
}

/** The result for a recording, once each check has added its findings. */
function closeRecording({ file, ruleId: rule, endpoint, model, age, findings }: RecordingInCheck) {
  const isUsed = findings.every(({ text }) => text !== UNUSED)
  return {
    file,
    /** `replies[2]` */
    rule,
    endpoint,
    model,
    // Left out if nothing says it.
    ...age,
    findings: findings.sort((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier)),
    mustRecord: isUsed && findings.some(({ needsRecording }) => needsRecording),
  }
}

/** Adds a finding, unless the recording has it already. */
function addFinding(
  { findings }: RecordingInCheck,
  tier: Tier,
  text: string,
  needsRecording = tier === 'would be refused',
): void {
  if (!findings.some((finding) => finding.text === text)) findings.push({ tier, text, needsRecording })
}

/** Compares a recording with the rules and answers of the service. */
function checkService(recording: RecordingInCheck, today: Date): void {
  const { model, wasRefused } = recording
  const settings = Object.hasOwn(MODEL_TABLE, model) ? MODEL_TABLE[model] : undefined
  const { retires, replacement } = settings?.published ?? {}
  const instead = replacement === undefined ? '' : `; the service recommends ${replacement}`
  const daysLeft = retires === undefined ? undefined : Math.ceil((Date.parse(retires) - today.getTime()) / DAY_MS)
  if (daysLeft !== undefined && daysLeft <= 0) {
    const text = `the service has shut ${model} down on ${retires}${instead}`
    // A recorded refusal is as good as today's. Of a model that is gone, nothing else can be compared.
    if (!wasRefused) addFinding(recording, 'would be refused', text)
    return
  }
  if (daysLeft !== undefined && daysLeft <= SOON_DAYS) {
    const text = `the service shuts ${model} down on ${retires}, in ${countOf(daysLeft, 'day')}${instead}`
    addFinding(recording, 'worth a look', text)
  }
  const refusal = wasRefused ? undefined : refusalToday(recording)
  if (refusal !== undefined) addFinding(recording, 'would be refused', `${refusal.status} ${refusal.message}`)
  const { added, dropped } = answerChanges(recording)
  if (dropped.length > 0) addFinding(recording, 'worth a look', `the service no longer sends ${dropped.join(', ')}`)
  // Clients skip fields that they do not know.
  if (added.length > 0) addFinding(recording, 'harmless', `the service now also sends ${added.join(', ')}`)
}

/**
 * Compares each request of the app with its recording, or else with the nearest one that is left.
 * @returns the requests without a recording
 */
function checkSent(cassettes: readonly (readonly RecordingInCheck[])[], sent: readonly SentRequest[]): SentRequest[] {
  const recordings = cassettes.flat()
  const used = new Set<RecordingInCheck>()
  /** Compares a request with the recordings that answer it, or with the nearest ones if `isReplayed` is false. */
  const compare = (request: SentRequest, matching: readonly RecordingInCheck[], isReplayed: boolean): void => {
    for (const recording of matching) {
      used.add(recording)
      for (const { tier, text, remedy } of compareRequest(recording, request, { isReplayed })) {
        const shown = tier === 'harmless' && remedy !== undefined ? `${text}; ${remedy}` : text
        addFinding(recording, tier, shown, tier !== 'harmless')
      }
    }
  }

  const findReplayed = replayFinder(cassettes)
  const unanswered: SentRequest[] = []
  for (const request of sent) {
    const replayed = findReplayed(request)
    compare(request, replayed, true)
    if (replayed.length === 0) unanswered.push(request)
  }

  // Files that record the same request get the same findings, so the first of them stands for all.
  const unused = recordings.filter((recording) => !used.has(recording))
  const groups = new Map(groupBy(unused, ({ name }) => name).map((group) => [group[0]!, group]))
  const pairs = pairNearest(unanswered, [...groups.keys()])
  for (const [request, first] of pairs) compare(request, groups.get(first)!, false)

  for (const recording of recordings) if (!used.has(recording)) addFinding(recording, 'harmless', UNUSED)
  const paired = new Set(pairs.map(([request]) => request))
  return unanswered.filter((request) => !paired.has(request))
}

/** Returns a function that finds the recordings from which replay answers a request, one in each cassette. */
function replayFinder(cassettes: readonly (readonly RecordingInCheck[])[]) {
  const indexes = cassettes.map((recordings) => {
    const { ignore } = recordings[0]!
    const named = recordings.map((recording) => {
      return [canonicalJson([recording.endpoint, ignore(recording.request)]), recording] as const
    })
    const redacted = named.filter(([name]) => name.includes(REDACTED)).map(([, recording]) => recording)
    // Of equal requests, replay takes the first.
    return { ignore, redacted, exact: new Map(named.toReversed()) }
  })
  return ({ endpoint, body }: SentRequest): RecordingInCheck[] =>
    indexes.flatMap(({ ignore, redacted, exact }) => {
      const sent = ignore(body)
      const isLike = (recording: RecordingInCheck): boolean =>
        recording.endpoint === endpoint && isSame(ignore(recording.request), sent)
      return exact.get(canonicalJson([endpoint, sent])) ?? redacted.find(isLike) ?? []
    })
}
