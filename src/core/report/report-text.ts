/** The parts of the report that every text form has. */
import type { Use } from '../decide/call/rule-usage.ts'
import { formatStatus } from '../journal/call-text.ts'
import { countOf, escapeControls } from '../lib/text/wording.ts'
import type { ClientFinding } from './client-findings.ts'
import type { ClientReport } from './client-report.ts'
import type { ExpectationResult } from './expectations.ts'

/**
 * The finding, and then its calls.
 * @example ["early-retry of POST /v1/chat/completions 'Hi' (key sk****st): #5 came 92 ms after ...", '#4 at 0 ms: 429 limit requests-limit, ended after 2 ms']
 */
export function formatFinding(finding: ClientFinding): readonly string[] {
  const { name, method, path, prompt, key, text, shown, calls } = finding
  const request = [method, path, prompt].filter((part) => part !== '').join(' ')
  const title = `${name} of ${request} (key ${key}): ${text}`
  const lines = shown.map((call) => {
    const end = call.outcome === 'open' ? 'still open' : `${ENDS[call.outcome]} after ${call.durationMs} ms`
    return `#${call.number} at ${call.atMs} ms: ${formatStatus(call.status)} ${call.reason}, ${end}`
  })
  const hidden = calls.length - shown.length
  if (hidden > 0) lines.splice(-1, 0, `... and ${hidden} more`)
  return [title, ...lines].map(escapeControls)
}

const ENDS = { complete: 'ended', cut: 'cut off', 'client-left': 'the client left' } as const

const MAX_SHOWN_MISSES = 20
const MAX_SHOWN_UNUSED = 20

/** The words for a rule or a fault that did nothing, and for a limit that refused nothing: it may have counted calls. */
export const unusedText = (kind: Use['kind']): 'never used' | 'never reached' =>
  kind === 'limit' ? 'never reached' : 'never used'

/** `faults[0] (server-error, line 12, when user 'rain')` */
export function formatUse({ ruleId, fault, line, when }: Use): string {
  const facts = [fault, line && `line ${line}`, when && `when ${when}`].filter((fact) => fact !== undefined)
  return facts.length === 0 ? ruleId : `${ruleId} (${facts.join(', ')})`
}

/** `never used: replies[1] (line 7, when user 'rain')`, several on lines of their own, and `never reached: limits.requests` */
export function shownUnused({ coverage }: Pick<ClientReport, 'coverage'>): string[] {
  const unused = coverage.filter(({ count }) => count === 0)
  return (['never used', 'never reached'] as const).flatMap((text) => {
    const names = unused.filter((use) => unusedText(use.kind) === text).map((use) => escapeControls(formatUse(use)))
    if (names.length < 2) return names.map((name) => `${text}: ${name}`)
    const more = names.length - MAX_SHOWN_UNUSED
    const shown = [...names.slice(0, MAX_SHOWN_UNUSED), ...(more > 0 ? [`and ${more} more`] : [])]
    return [`${text}:${shown.map((name) => `\n  ${name}`).join('')}`]
  })
}

/** `limits were not checked for 4 calls: redis://store:6379 does not answer (timeout)`, or no line. */
export function shownUncheckedLimits({ uncheckedLimits }: ClientReport): string[] {
  if (uncheckedLimits === undefined) return []
  const { calls, problem } = uncheckedLimits
  return [escapeControls(`limits were not checked for ${countOf(calls, 'call')}: ${problem}`)]
}

/** `#3, #4: replies[2] nearly matched: expected request.model 'a', got 'b'` */
export function shownMisses({ misses }: ClientReport): string[] {
  const lines = misses
    .slice(0, MAX_SHOWN_MISSES)
    .map(({ calls, text }) => `${calls.map((number) => `#${number}`).join(', ')}: ${text}`)
  const more = misses.length - lines.length
  return more > 0 ? [...lines, `of ${more} more request${more === 1 ? '' : 's'}`] : lines
}

/** `no mistakes found in 7 calls`; undefined for a report with a mistake, or without calls. */
export function praise({ calls, findings }: ClientReport): string | undefined {
  if (calls === 0 || findings.some(({ level }) => level === 'mistake')) return undefined
  return `no mistakes found in ${calls} call${calls === 1 ? '' : 's'}`
}

/** `p99 < 2s: 1204 ms over 40 answered calls. Too few to tell: expected at least 100 answered calls, got 40.` */
export const formatExpectation = ({ name, expected, found, reason }: ExpectationResult): string =>
  `${name} ${expected}: ${found}${reason === undefined ? '' : `. ${reason}`}`
