/**
 * A run of an app in a hunt: what is known of it, its limits, and the reasons for which it fails. Runs in this process and
 * runs of a command share this file.
 */
import { inspect } from 'node:util'
import type { JournalEntry } from '../core/journal/entry.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { failuresOf } from '../core/report/client-report.ts'
import { formatExpectation, formatFinding } from '../core/report/write-report.ts'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { buildMockReport, type Engine } from '../engine/index.ts'

/** A run of an app under a set of faults. */
export interface Played {
  readonly isPassed: boolean
  /** The reason why it failed. */
  readonly error?: unknown
  /** The name of what made it fail, the same for runs that fail at the same place of the app. */
  readonly cause?: string | undefined
  /** Lines that the app printed; undefined if they were not kept. */
  readonly output?: readonly string[] | undefined
  /** Digests of all that it printed and returned, the strictest first. Default: unknown. */
  readonly shown?: readonly string[] | undefined
  readonly entries: readonly JournalEntry[]
  /** The place in the run, from 1, of a call in flight when the app ended: nobody waited for its answer. Default: none. */
  readonly openCall?: number | undefined
  /** True if it was ended early, so that it says nothing. Default: if the signal of the hunt came before its end. */
  readonly isStopped?: boolean
}

/** An app that makes more calls in one run retries without end. */
const MAX_CALLS = 1000
const TOO_MANY_CALLS = 'It made more than 1,000 calls, the limit of a run. Limit its retries, or hunt a smaller part.'

/** Room for all calls of a run. */
export const HUNT_JOURNAL = { entries: 10_000 }

/** Calls `fail` at the first call above the limit of a run. Returns a function that stops the counting. */
export function failAfterTooManyCalls(engine: Engine, fail: (error: Error) => void): () => void {
  let calls = 0
  return engine.begun.add(() => {
    if (++calls === MAX_CALLS + 1) fail(new Error(TOO_MANY_CALLS))
  })
}

/** Runs share nothing, and virtual time is not that of a store. @throws MockError for a scenario with shared limits */
export function refuseSharedLimits({ limits }: ScenarioSource): void {
  if (limits?.shared === undefined) return
  throw new MockError(
    'unsupported-scenario',
    'Failed to hunt: the scenario has limits.shared, and each run of a hunt has limits of its own. Remove limits.shared.',
  )
}

/**
 * The first thing that a run fails for although the app passed: an expectation of the scenario, or a mistake of the client.
 * @param isStrict also fails a run for a mistake, and for an expectation without a verdict
 */
export function findClientFailure(engine: Engine, isStrict: boolean): string | undefined {
  if (!isStrict && engine.scenario.source.expect === undefined) return undefined
  const report = buildMockReport(engine.view)
  if (failuresOf(report, isStrict).length === 0) return undefined
  const { expectations = [], findings } = report
  const failed = expectations.find(({ verdict }) => verdict === 'FAIL')
  const mistake = findings.find(({ level }) => level === 'mistake')
  if (failed === undefined && mistake !== undefined) return `Its client made a mistake: ${formatFinding(mistake)[0]}`
  const unmet = failed ?? expectations.find(({ verdict }) => verdict === 'INCONCLUSIVE')
  return `It did not meet an expectation: ${formatExpectation(unmet!)}`
}

/**
 * @param message the reason to end, before the error of the run and the lines that it printed
 * @throws MockError when a run without faults has failed
 */
export function requirePassed(run: Pick<Played, 'isPassed' | 'error' | 'output'>, message: string): void {
  const { isPassed, error, output = [] } = run
  if (isPassed) return
  const lines = run.output?.length === 0 ? ['It printed nothing.'] : output.map((line) => `  | ${line}`)
  const text = [message, `  ${messageOf(error)}`, ...lines].join('\n')
  throw new MockError('fails-without-faults', text, { cause: error })
}

/** The message of what an app threw, which can be anything. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message
  return typeof error === 'string' ? error : inspect(error, { breakLength: Number.POSITIVE_INFINITY })
}

/** The failure of an app that leaves an error to Node, which would end the process. */
export const unhandled = (cause: unknown): Error =>
  new Error(`An error was not handled: ${messageOf(cause)}`, { cause })
