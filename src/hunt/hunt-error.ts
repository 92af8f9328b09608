/** The error of a hunt whose app fails under faults. */
import { MockError } from '../core/protocol/errors/mock-error.ts'
import type { ScenarioInput } from '../generated/scenario-input.ts'
import { describeGroup } from './describe-findings.ts'
import type { HuntReport, PlayedFinding } from './drive.ts'
import { groupFindings } from './search/finding-groups.ts'
import type { KnownCalls } from './search/known-calls.ts'

/** A set of faults under which the app failed. */
export interface HuntFinding extends PlayedFinding {
  /** The error that the app threw. */
  readonly error: unknown
  /** The last 20 lines that it printed to the console then, unless the test spies on the console. */
  readonly output: readonly string[]
  /** The scenario with these faults: `createMock(finding.scenario)`. */
  readonly scenario: ScenarioInput
}

const MAX_SHOWN = 5
const MAX_OUTPUT_LINES = 10

/** The app failed under faults. The message names the smallest sets, and `findings` has all of them. */
export class HuntError extends MockError {
  override readonly name = 'HuntError'
  readonly findings: readonly HuntFinding[]
  readonly report: HuntReport

  constructor(findings: readonly HuntFinding[], known: KnownCalls, report: HuntReport) {
    const groups = groupFindings(findings)
    // `FAILS with 1 fault: Unexpected end of JSON input`, the faults, and what was printed.
    const shown = groups.slice(0, MAX_SHOWN).flatMap((group) => {
      const { size, faults, error, output } = describeGroup(group, known)
      const printed = output.slice(-MAX_OUTPUT_LINES).map((line) => `| ${line}`)
      return [`FAILS with ${size}: ${error}`, ...[...faults, ...printed].map((line) => `  ${line}`)]
    })
    const left = groups.slice(MAX_SHOWN).reduce((sum, group) => sum + group.findings.length, 0)
    const more = left > 0 ? [`${left} more in error.findings.`] : []
    super('fails-under-faults', [...shown, ...more].join('\n'), { cause: findings[0]?.error })
    this.findings = findings
    this.report = report
  }
}
