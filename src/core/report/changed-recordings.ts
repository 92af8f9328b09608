/**
 * The differences between the recordings of a run and the requests that the app sent, as data and as lines:
 *
 *   recording replies[2], worth a look: request.n: none instead of 1 (#3, #4). To do: record it again
 */
import { type JournalEntry, type RecordingFinding, TIERS } from '../journal/entry.ts'
import { countOf } from '../lib/text/wording.ts'

/** A difference, over all calls that have it. */
export interface ChangedRecording extends RecordingFinding {
  /** `replies[2]`; left out for requests that were never recorded. */
  readonly rule?: string
  /** The numbers of the calls. */
  readonly calls: number[]
}

const UNRECORDED: RecordingFinding = {
  tier: 'worth a look',
  text: 'no recording is like this request',
  remedy: 'record it',
}

/** One item for each recording and difference, the worst tier first. */
export function findChangedRecordings(entries: Iterable<JournalEntry>): ChangedRecording[] {
  const changed = new Map<string, ChangedRecording>()
  for (const entry of entries) {
    const { number, reason, recording } = entry
    const isUnrecorded = reason.by === 'request' && reason.name === 'not-recorded'
    const findings = recording?.findings ?? (isUnrecorded ? [UNRECORDED] : [])
    const rule = recording?.rule
    for (const finding of findings) {
      const { remedy, field } = finding
      // Without a remedy, the difference is ignored. Such values, for example the ids of traces, may differ in every call.
      const text = remedy === undefined ? `${field} differs` : finding.text
      const key = `${rule} ${text}`
      const known = changed.get(key)
      if (known !== undefined) known.calls.push(number)
      else changed.set(key, { ...(rule !== undefined && { rule }), ...finding, text, calls: [number] })
    }
  }
  return [...changed.values()].sort((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier))
}

const MAX_SHOWN = 20
const MAX_CALLS = 5

/** A line for each difference that needs something to be done, and one about all others. */
export function recordingLines({ recordings = [] }: { readonly recordings?: readonly ChangedRecording[] }): string[] {
  const toDo = recordings.filter(({ remedy }) => remedy !== undefined)
  const ignored = recordings.filter(({ remedy }) => remedy === undefined)
  const lines = toDo.slice(0, MAX_SHOWN).map(({ rule, tier, text, remedy, calls }) => {
    const more = calls.length > MAX_CALLS ? ` and ${calls.length - MAX_CALLS} more` : ''
    const numbers = calls.slice(0, MAX_CALLS).map((number) => `#${number}`)
    const place = rule === undefined ? '' : ` ${rule}`
    return `recording${place}, ${tier}: ${text.replace(/\.$/, '')} (${numbers.join(', ')}${more}). To do: ${remedy}`
  })
  if (toDo.length > MAX_SHOWN) lines.push(`recordings: ${toDo.length - MAX_SHOWN} more differences`)
  if (ignored.length > 0) {
    const calls = new Set(ignored.flatMap((recording) => recording.calls))
    lines.push(`recordings: harmless differences in ${countOf(calls.size, 'call')}, in parts that are ignored`)
  }
  return lines
}

/**
 * The reasons why a run with `--cassettes strict` fails, each as a clause.
 * @param missing the number of calls that were not compared, because the journal no longer has their bodies.
 */
export function recordingFailures(
  { recordings = [] }: { readonly recordings?: readonly ChangedRecording[] },
  missing: number,
): string[] {
  const counts: string[] = []
  for (const tier of TIERS) {
    const count = recordings.filter((recording) => recording.tier === tier).length
    if (tier !== 'harmless' && count > 0) counts.push(`${count} ${tier}`)
  }
  const failures: string[] = []
  if (counts.length > 0) failures.push(`differences from recordings: ${counts.join(', ')} (--cassettes strict)`)
  if (missing > 0) {
    const calls = countOf(missing, 'call')
    failures.push(`${calls} not compared, because the journal was full (--cassettes strict, --journal-bytes)`)
  }
  return failures
}
