/** What a hunt throws when the app fails under faults. */
import { MockError } from '../core/errors/mock-error.ts'
import type { KnownCall } from '../core/hunt/observe.ts'
import { describeFault } from '../core/hunt/reproduce.ts'
import type { Finding } from '../core/hunt/search.ts'
import type { ScenarioInput } from '../core/scenario/scenario-input.ts'

/** A set of faults under which the app failed. */
export interface HuntFinding extends Finding {
  /** What the app threw. */
  readonly error: unknown
  /** The scenario with these faults: `createMock(finding.scenario)`. */
  readonly scenario: ScenarioInput
}

const MAX_SHOWN = 5

/** The app failed under faults. The message names the smallest sets, and `findings` has all of them. */
export class HuntError extends MockError {
  override readonly name = 'HuntError'
  readonly findings: readonly HuntFinding[]

  constructor(findings: readonly HuntFinding[], known: ReadonlyMap<string, KnownCall>) {
    const more = findings.length > MAX_SHOWN ? [`${findings.length - MAX_SHOWN} more in error.findings.`] : []
    const shown = findings.slice(0, MAX_SHOWN).map((finding) => describeFinding(finding, known))
    super('fails-under-faults', [...shown, ...more].join('\n'), { cause: findings[0]?.error })
    this.findings = findings
  }
}

/** `FAILS with 1 fault: Unexpected end of JSON input`, and the faults. */
function describeFinding(
  { faults, failures, tries, error }: HuntFinding,
  known: ReadonlyMap<string, KnownCall>,
): string {
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`
  const flaky = failures < tries ? `, ${failures} of ${tries} times` : ''
  const lines = faults.map((fault) => `  ${describeFault(fault, known)}`)
  return [`FAILS with ${count}${flaky}: ${messageOf(error)}`, ...lines].join('\n')
}

export function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'an error whose message cannot be read'
  }
}
