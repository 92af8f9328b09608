/**
 * The checks behind the matchers of a mock. Each returns a verdict, whose message is for the case that the test expects the
 * other one; it names the nearest call:
 *
 *     Expected the mock to receive a call with endpoint 'embeddings', got none.
 *     The nearest other call is
 *       #1 POST /v1/chat/completions …
 *         endpoint: chat instead of embeddings
 */
import { formatCall } from '../core/journal/call-text.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { type CallFilter, type CompiledFilter, compileFilter } from '../core/journal/filter.ts'
import { countOf } from '../core/lib/text/wording.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { findChangedRecordings, recordingLines } from '../core/report/changed-recordings.ts'
import { checkClient } from '../core/report/client-findings.ts'
import { formatExpectation, formatFinding, formatUse } from '../core/report/write-report.ts'
import { describeFields, differencesText } from '../core/scenario/check/describe-values.ts'
import { buildMockReport, engineOf, type Mock } from '../engine/index.ts'

/** A filter of calls, and the expected number of them. */
export interface ExpectedCalls extends CallFilter {
  /** The exact number of calls, from 0. Default: one or more. */
  readonly times?: number | undefined
}

/** The result of a check, and the message for when it is not the expected one. */
export interface Verdict {
  readonly pass: boolean
  readonly message: () => string
}

/**
 * The verdict that passes if nothing was found.
 * @param lines a line for each thing that was found.
 * @param noneFound the message of `.not`, for a test that expects something to be found.
 * @param someFound the message above the lines.
 */
const expectNone = (lines: readonly string[], noneFound: string, someFound: string): Verdict => ({
  pass: lines.length === 0,
  message: () => (lines.length === 0 ? noneFound : `${someFound}:${formatLines(lines)}`),
})

/**
 * Checks that the journal still has all calls, for a verdict that a missing call could change.
 * @param needs `bodies` for a verdict that depends on bodies too, which the journal drops earlier. Default: the filter says.
 * @throws MockError: the expectation is neither met nor failed, so `.not` must not turn it.
 */
export function requireWholeJournal(name: string, mock: Mock, filter: CallFilter, needs?: 'bodies'): void {
  const { dropped, withoutPayload } = engineOf(mock).journal
  const lacksBodies = withoutPayload > 0 && (needs === 'bodies' || compileFor(mock, filter).readsPayload)
  if (dropped === 0 && !lacksBodies) return
  const [problem, setting] =
    dropped > 0
      ? [`dropped ${countOf(dropped, 'call')}`, 'entries']
      : [`dropped the bodies of ${countOf(withoutPayload, 'call')}`, 'bytes']
  throw new MockError(
    'dropped-calls',
    `${name}: the journal has ${problem} that could match, so nothing can be said. Keep more with the option journal: { ${setting} } of createMock, or call mock.clearJournal() between the checks.`,
  )
}

/** A filter at the time of the mock. @throws MockError for a wrong filter. */
export const compileFor = (mock: Mock, filter: CallFilter): CompiledFilter =>
  compileFilter(filter, { now: mock.clock.now() })

/** Checks that the mock received calls that match a filter: a number of them, or at least one. */
export function checkReceived(
  mock: Mock & { readonly baseURL?: string },
  { times, ...filter }: ExpectedCalls,
): Verdict {
  if (times !== undefined && (!Number.isSafeInteger(times) || times < 0)) {
    throw new MockError('invalid-option', `toHaveReceived: expected times to be a whole number from 0, got ${times}.`)
  }
  const compiled = compileFor(mock, filter)
  const all = mock.journal
  const matching = all.filter(compiled.matches)
  // Calls that the journal has dropped could only add to these: more than the expected number is certain.
  const isCertain = matching.length > (times ?? 0)
  if (!isCertain) requireWholeJournal('toHaveReceived', mock, filter)
  const pass = times === undefined ? matching.length > 0 : matching.length === times
  return {
    pass,
    message: () => {
      const conditions = compiled.text === '' ? '' : ` with ${compiled.text}`
      const expected = `${times === undefined ? 'a call' : countOf(times, 'call')}${conditions}`
      const start = `Expected the mock ${pass ? 'not ' : ''}to receive ${expected}, got`
      if (matching.length > 0) {
        const nearest = pass ? '' : formatNearest(all, compiled)
        return `${start} ${matching.length}:${formatLines(matching.map(formatCall))}${nearest}`
      }
      if (all.length > 0) return `${start} none.${formatNearest(all, compiled)}`
      // A mock that is only served over HTTP has no base URL.
      if (mock.baseURL === undefined)
        return `${start} none. The mock received no calls at all: does the app call the address of the mock?`
      return `${start} none. The mock received no calls to ${mock.baseURL}: is that the app's base URL?`
    },
  }
}

/** Checks that every reply rule of the scenario matched a call. */
export function checkRepliesUsed(mock: Mock): Verdict {
  const rules = mock.usage.filter(({ kind }) => kind === 'rule')
  const unused = rules.filter(({ count }) => count === 0)
  const unmatched = unused.length === 0 ? [] : mock.calls({ unmatched: true })
  const lines = unused.map((use) => {
    const nearest = unmatched.find(({ nearMiss }) => nearMiss?.rule === use.ruleId)
    if (nearest === undefined) return formatUse(use)
    return `${formatUse(use)}: the nearest call is #${nearest.number}: ${differencesText(nearest.nearMiss!.differences)}`
  })
  return expectNone(
    lines,
    `Expected a reply rule that matched no call, got none: all ${rules.length} matched.`,
    `Expected every reply rule to match a call, but ${lines.length} of ${rules.length} did not`,
  )
}

/** Checks that every fault of the scenario, and every injected one, applied to a call. */
export function checkFaultsUsed(mock: Mock): Verdict {
  const faults = mock.usage.filter(({ kind }) => kind === 'fault')
  const lines = [...faults.filter(({ count }) => count === 0).map(formatUse), ...listUnusedInjections(mock)]
  return expectNone(
    lines,
    `Expected a fault that applied to no call, got none: all ${faults.length} of the scenario applied, and none that was injected is unused.`,
    `Expected every fault to apply to a call, but ${lines.length} did not`,
  )
}

/** `the injected fault rate-limit (endpoint 'chat', skip 2)`, for each that applied to no call. */
export const listUnusedInjections = (mock: Mock): string[] =>
  engineOf(mock).view.unusedFaults.map(({ fault, endpoint, model, key, session, skip }) => {
    const only = describeFields({ endpoint, model, key, session, skip })
    return `the injected fault ${fault}${only === '' ? '' : ` (${only})`}`
  })

/** Checks that a reply rule matched every chat, in a scenario that has rules. */
export function checkAllMatched(mock: Mock, filter: CallFilter = {}): Verdict {
  const unmatched = mock.calls({ ...filter, unmatched: true })
  if (unmatched.length === 0) requireWholeJournal('toHaveNoUnmatchedCalls', mock, filter)
  return expectNone(
    unmatched.map((call) => `${formatCall(call)}${call.nearMiss === undefined ? '' : `\n    ${call.nearMiss.text}`}`),
    'Expected a chat that no reply rule matches, got none.',
    `Expected a reply rule to match every chat, got ${countOf(unmatched.length, 'call')} without one`,
  )
}

/** Checks that the client made no mistake. Remarks, on what may be intended, do not count. */
export function checkBehaviour(mock: Mock, filter: CallFilter = {}): Verdict {
  const mistakes = checkClient(mock.calls(filter)).filter(({ level }) => level === 'mistake')
  if (mistakes.length === 0) requireWholeJournal('toHaveBehaved', mock, filter)
  return expectNone(
    mistakes.map((mistake) => formatFinding(mistake).join('\n    ')),
    'Expected the client to make a mistake, got none.',
    `Expected the client to make no mistakes, got ${mistakes.length}`,
  )
}

/** Checks that no call differs from its recording in more than harmless fields. */
export function checkRecordings(mock: Mock, filter: CallFilter = {}): Verdict {
  const changed = findChangedRecordings(mock.calls(filter)).filter(({ tier }) => tier !== 'harmless')
  if (changed.length === 0) requireWholeJournal('toMatchRecordings', mock, filter, 'bodies')
  return expectNone(
    recordingLines({ recordings: changed }),
    'Expected a call that differs from its recording, got none.',
    `Expected all calls to be as recorded, got ${countOf(changed.length, 'difference')}`,
  )
}

/** Checks what the scenario expects of a run. Without a verdict, an expectation is not met. */
export function checkExpectations(mock: Mock): Verdict {
  const { expectations: all } = buildMockReport(engineOf(mock).view)
  if (all === undefined)
    throw new MockError(
      'invalid-option',
      `toMeetExpectations: the scenario '${mock.scenario.name}' expects nothing. Add 'expect' to it, such as expect: { retries: '<= 3' }.`,
    )
  const unmet = all.filter(({ verdict }) => verdict !== 'PASS')
  return expectNone(
    unmet.map((result) => `${result.verdict} ${formatExpectation(result)}`),
    `Expected an expectation that is not met, but all ${all.length} are.`,
    `Expected the run to keep to all expectations, but ${unmet.length} of ${all.length} are not met`,
  )
}

/** The end of a message: the call that differs least from a filter, of those that do not match it; '' if there is none. */
function formatNearest(all: readonly JournalEntry[], filter: CompiledFilter): string {
  const compared = all.map((entry) => ({ entry, differences: filter.differences(entry) }))
  const others = compared.filter(({ differences }) => differences.length > 0)
  const [nearest] = others.sort((a, b) => a.differences.length - b.differences.length)
  if (nearest === undefined) return ''
  return `\nThe nearest other call is\n  ${formatCall(nearest.entry)}\n    ${differencesText(nearest.differences)}`
}

const MAX_LINES = 5

/** The first lines of a list, each on a line of its own, and the number of the others. */
export function formatLines(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_LINES).map((line) => `\n  ${line}`)
  return shown.join('') + (lines.length > MAX_LINES ? `\n  ... and ${lines.length - MAX_LINES} more` : '')
}
