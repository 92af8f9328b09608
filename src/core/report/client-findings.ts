/**
 * Finds the mistakes of a client in the journal.
 *
 * The attempts of a request are the calls in which one key, or session of it, sent the same method, path and body, in order. An attempt
 * after a failed one is a retry. A `mistake` is always wrong; a `remark` may be intended.
 */

import { formatPrompt, formatReason } from '../journal/call-text.ts'
import type { JournalEntry, Outcome } from '../journal/entry.ts'
import {
  type Attempts,
  findRetries,
  findSameWaits,
  findSynchronised,
  groupAttempts,
  hasFailed,
  retryAfterMs,
  TOLERANCE_MS,
} from './attempts.ts'

/** The kinds of findings. */
export const FINDING_NAMES = [
  'early-retry',
  'pointless-retry',
  'refused-retry',
  'unbounded-retries',
  'no-growth',
  'no-jitter',
  'key-in-url',
  'dropped-stream',
  'unread-answer',
  'repeated-call',
] as const

export type FindingName = (typeof FINDING_NAMES)[number]

/** Something that a client did, with the calls that show it. */
export interface ClientFinding {
  readonly name: FindingName
  readonly level: 'mistake' | 'remark'
  /** One or two sentences. Calls are named by their numbers: `#3`. */
  readonly text: string
  /** The numbers of the calls. */
  readonly calls: readonly number[]
  /** The masked key. */
  readonly key: string
  /** The method and path of the first call. */
  readonly method: string
  readonly path: string
  /** The prompt or input of the first call, in quotes and shortened; '' for a call without one. */
  readonly prompt: string
  /** The calls themselves: all of them, or the first four and the last one. */
  readonly shown: readonly ShownCall[]
}

/** One of the calls of a finding. */
export interface ShownCall {
  readonly number: number
  /** Time of arrival, in milliseconds of the mock's clock since the first call of the finding. */
  readonly atMs: number
  /** 0 when nothing was answered. */
  readonly status: number
  /** The reason of the answer: `limit requests-limit`. */
  readonly reason: string
  readonly outcome: Outcome
  readonly durationMs: number
}

const MAX_RETRIES = 10
const MAX_SHOWN = 5

/** All findings, in the order of their first calls. */
export function checkClient(entries: Iterable<JournalEntry>): ClientFinding[] {
  const requests = groupAttempts(entries)
  const findings = requests.flatMap((attempts) => [
    ...checkRetries(attempts),
    ...checkRowsOfRetries(attempts),
    ...checkCalls(attempts),
  ])
  const retries = findSynchronised(requests)
  if (retries.length > 0) {
    const calls = retries.map(({ next }) => next)
    const longest = retries.reduce((so, { waitedMs }) => Math.max(so, waitedMs), 0)
    const text = `${retries.length} requests were retried after the same wait of ${rounded(longest)} (${numbersOf(calls)}): the back-off has no jitter.`
    findings.push(finding('no-jitter', calls, text))
  }
  return findings.sort((a, b) => a.calls[0]! - b.calls[0]!)
}

/** Retries that should have come later, or not at all. */
function checkRetries(attempts: Attempts): ClientFinding[] {
  const findings: ClientFinding[] = []
  for (const { failed, next, waitedMs } of findRetries(attempts)) {
    const add = (name: FindingName, text: string): void => void findings.push(finding(name, [failed, next], text))
    const { number, status, headers } = failed
    const askedMs = retryAfterMs(failed)
    if (askedMs !== undefined && waitedMs + TOLERANCE_MS < askedMs) {
      add(
        'early-retry',
        `#${next.number} came ${rounded(waitedMs)} after the ${status} of #${number}, which asked to wait ${rounded(askedMs)}.`,
      )
    }
    if (status === 400 || status === 401) {
      add(
        'pointless-retry',
        `#${next.number} repeats #${number} unchanged, which was a ${status}: a retry cannot fix that.`,
      )
    }
    if (headers['x-should-retry'] === 'false') {
      add('refused-retry', `#${next.number} retries #${number}, whose answer said x-should-retry: false.`)
    }
  }
  return findings
}

/** More retries in a row than any known client makes by default, and waits that do not grow. */
function checkRowsOfRetries(attempts: Attempts): ClientFinding[] {
  const rows: JournalEntry[][] = [[]]
  for (const entry of attempts) {
    rows.at(-1)!.push(entry)
    if (!hasFailed(entry)) rows.push([])
  }
  const findings = rows
    .filter((row) => row.length > MAX_RETRIES + 1)
    .map((row) => {
      const text = `#${row[0]!.number} was retried ${row.length - 1} times: expected at most ${MAX_RETRIES} retries.`
      return finding('unbounded-retries', row, text)
    })
  const retries = findSameWaits(attempts)
  if (retries !== undefined) {
    const first = retries[0]!.failed
    const waits = retries.map(({ waitedMs }) => rounded(waitedMs))
    const text = `#${first.number} was retried after ${waits.slice(0, -1).join(', ')} and ${waits.at(-1)}: the back-off does not grow.`
    findings.push(finding('no-growth', [first, ...retries.map(({ next }) => next)], text))
  }
  return findings
}

/** Calls with a key in the URL, which is logged and cached; answers that were not read, or were asked for again. */
function checkCalls(attempts: Attempts): ClientFinding[] {
  const findings: ClientFinding[] = []
  for (const entry of attempts) {
    const { number, path, query, headers, outcome, bytes, durationMs } = entry
    const add = (name: FindingName, text: string): void => void findings.push(finding(name, [entry], text))
    const url = query === undefined ? path : `${path}?${query}`
    if (url.includes('****')) add('key-in-url', `#${number} has a key in its URL: ${url}`)
    if (outcome !== 'client-left') continue
    if (headers['content-type']?.startsWith('text/event-stream') === true) {
      add(
        'dropped-stream',
        `The client left #${number} after ${bytes} bytes of its stream. The real service would have generated and billed the rest.`,
      )
    } else {
      add('unread-answer', `The client left #${number} after ${rounded(durationMs)}, before the answer came.`)
    }
  }
  const answered = attempts.filter(
    ({ status, outcome, method }) => status === 200 && outcome === 'complete' && method === 'POST',
  )
  if (answered.length > 1) {
    const text = `#${answered[0]!.number} was answered, but the client sent it again unchanged (${numbersOf(answered.slice(1))}).`
    findings.push(finding('repeated-call', answered, text))
  }
  return findings
}

/** Findings that may be intended. */
const REMARKS: readonly FindingName[] = ['dropped-stream', 'unread-answer', 'repeated-call']

function finding(name: FindingName, entries: Attempts, text: string): ClientFinding {
  const first = entries[0]!
  const { key, method, path } = first
  const isLong = entries.length > MAX_SHOWN
  const shown = isLong ? [...entries.slice(0, MAX_SHOWN - 1), entries.at(-1)!] : entries
  return {
    name,
    level: REMARKS.includes(name) ? 'remark' : 'mistake',
    text,
    calls: entries.map(({ number }) => number),
    key,
    method,
    path,
    prompt: formatPrompt(first),
    shown: shown.map((entry) => ({
      number: entry.number,
      atMs: Math.round(entry.at - first.at),
      status: entry.status,
      reason: formatReason(entry),
      outcome: entry.outcome,
      durationMs: Math.round(entry.durationMs),
    })),
  }
}

const rounded = (ms: number): string => `${Math.round(ms)} ms`
const numbersOf = (entries: Attempts): string => entries.map(({ number }) => `#${number}`).join(', ')
