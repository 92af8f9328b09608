/** What a hunt throws when the app fails under faults. */
import { MockError } from '../core/protocol/errors/mock-error.ts'
import type { ScenarioInput } from '../generated/scenario-input.ts'
import { describeGroup } from './search/describe.ts'
import type { Finding } from './search/experiments.ts'
import { type FindingGroup, groupFindings } from './search/groups.ts'
import type { KnownCall } from './search/observe.ts'
import type { Pruned } from './search/search.ts'
import type { HuntTable } from './search/table.ts'

/** A set of faults under which the app failed. */
export interface HuntFinding extends Finding {
  /** What the app threw. */
  readonly error: unknown
  /** The last 20 lines that it printed to the console then, unless the test spies on the console. */
  readonly output: readonly string[]
  /** The scenario with these faults: `createMock(finding.scenario)`. */
  readonly scenario: ScenarioInput
}

/** What a hunt has tried. */
export interface HuntReport {
  /** The calls that were seen, with those that only faults led to: `POST chat "Hello"`. */
  readonly calls: readonly string[]
  /** Runs under faults. */
  readonly runs: number
  /** Sets of faults that were not run, by the reason. */
  readonly pruned: Pruned
  /** What became of each call under each class of faults. */
  readonly table: HuntTable
}

const MAX_SHOWN = 5
const MAX_OUTPUT_LINES = 10

/** The app failed under faults. The message names the smallest sets, and `findings` has all of them. */
export class HuntError extends MockError {
  override readonly name = 'HuntError'
  readonly findings: readonly HuntFinding[]
  readonly report: HuntReport

  constructor(findings: readonly HuntFinding[], known: ReadonlyMap<string, KnownCall>, report: HuntReport) {
    const groups = groupFindings(findings)
    const left = groups.slice(MAX_SHOWN).reduce((sum, group) => sum + group.findings.length, 0)
    const shown = groups.slice(0, MAX_SHOWN).map((group) => describe(group, known))
    super('fails-under-faults', [...shown, ...(left > 0 ? [`${left} more in error.findings.`] : [])].join('\n'), {
      cause: findings[0]?.error,
    })
    this.findings = findings
    this.report = report
  }
}

/** `FAILS with 1 fault: Unexpected end of JSON input`, the faults, and what was printed. */
function describe(group: FindingGroup<HuntFinding>, known: ReadonlyMap<string, KnownCall>): string {
  const { size, lines } = describeGroup(group, known)
  const { error, output } = group.findings[0]!
  const printed = output.slice(-MAX_OUTPUT_LINES).map((line) => `| ${line}`)
  return [`FAILS with ${size}: ${messageOf(error)}`, ...[...lines, ...printed].map((line) => `  ${line}`)].join('\n')
}

export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'an error whose message cannot be read'
  }
}

/** The failure of an app that leaves an error to Node, which would end the process. */
export const unhandled = (cause: unknown): Error =>
  new Error(`An error was not handled: ${messageOf(cause)}`, { cause })
