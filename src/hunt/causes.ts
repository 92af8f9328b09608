/**
 * The causes of findings: findings that come from the same place in the app have one cause.
 *
 * Say a run under `hang` and a run under `cut` both end with `TypeError: ... at ask (/app/agent.js:12:3)`. Both have the
 * cause `/app/agent.js:12`, and a report shows them as one block.
 *
 * `isReport` tells errors that an app reports from those with which it crashes.
 */
import { dirname } from 'node:path'
import { groupBy } from '../core/report/attempts.ts'
import type { PlayedFinding } from './drive.ts'
import { type FailingSet, isFlaky } from './search/experiments.ts'
import { classOf, isFaultClass } from './search/fault-classes.ts'
import { isLasting, type PlannedFault } from './search/fault-set.ts'

/** A line of a stack, of Node, Python or Vitest: `at ask (/app/agent.js:12:3)`, `File "agent.py", line 12`, `❯ agent.js:12:3`. */
const FRAME = /^\s*(?:\|\s*)?(?:at .*?([^\s()]+:\d+):\d+\)?|File "([^"]+", line \d+).*|❯ (?:.* )?(\S+:\d+):\d+)$/gm
/** Frames outside the app: of Node, and of packages. */
const FOREIGN = /node_modules|node:|<anonymous>|site-packages|\/lib\/python/
/** The folder of the mock, whose own frames tell nothing of the app. */
const MOCK = dirname(import.meta.dirname)
/** Messages of a run that the hunt had to end. */
const ENDLESS = /^It (?:made more than|used|had not ended)/
/** The cause of all such runs. */
const DOES_NOT_END = 'It does not end.'

/**
 * The name of what made a run fail: the place in the app that threw, or the error without what differs from run to run.
 * @param trace a stack, or what a command has printed
 * @returns `/app/agent.js:12`, or `Order '' of 0 was refused` for the error `Order 'a7' of 25 was refused`
 */
export function causeOf(error: string, trace: string): string {
  if (ENDLESS.test(error)) return DOES_NOT_END
  const frames = [...trace.matchAll(FRAME)].map(([, node, python, vitest]) => node ?? python ?? vitest!)
  const ofApp = frames.filter((frame) => !FOREIGN.test(frame) && !frame.includes(MOCK))
  // Python prints the innermost call last.
  const place = trace.includes('Traceback (') ? ofApp.at(-1) : ofApp[0]
  if (place !== undefined) return place
  // An error that the app lets through: many libraries leave no line of the app in its stack.
  const outermost = frames.findLast((frame) => frame.includes('node_modules'))
  return outermost ?? error.replace(/(["'`]).*\1/gs, '$1$1').replace(/\d+/g, '0')
}

/** Errors of a program that broke down, and of a test that failed: no app reports a failure of the service like that. */
const CRASH =
  /\b(?:AssertionError|ReferenceError|AttributeError|KeyError|IndexError|NameError)\b|TypeError: (?:Cannot (?:read|set) properties of|.* is not (?:a function|iterable|a constructor)\b)/

/** True if an error that an app threw, or printed, is one that it reports. */
export const isReport = (error: string): boolean => !CRASH.test(error)

/** Findings with one cause. */
export interface Cause<Finding extends PlayedFinding = PlayedFinding> {
  /** The group that shows it best, then those that repeat it: on like calls, for longer, or after a retry. */
  readonly groups: readonly [FindingGroup<Finding>, ...FindingGroup<Finding>[]]
  /** True if the app fails only under faults that never end, so that no client gets an answer. */
  readonly isOutage: boolean
}

/**
 * The causes of findings, those of outages last. Of a cause, the findings that fail each time come first, then those with the
 * fewest faults, then those whose faults end.
 */
export function groupCauses<Finding extends PlayedFinding>(findings: readonly Finding[]): Cause<Finding>[] {
  const isUnsure = (finding: FailingSet): boolean => finding.tries === 1 || isFlaky(finding)
  const clearestFirst = findings.toSorted(
    (one, other) =>
      Number(isUnsure(one)) - Number(isUnsure(other)) ||
      one.faults.length - other.faults.length ||
      countLasting(one) - countLasting(other),
  )
  const causes = groupBy(clearestFirst, ({ cause }) => cause).map((members): Cause<Finding> => {
    const [first, ...others] = groupFindings(members)
    const isOutage = members.every((finding) => countLasting(finding) > 0 && finding.cause !== DOES_NOT_END)
    return { groups: [first!, ...others], isOutage }
  })
  return causes.sort((one, other) => Number(one.isOutage) - Number(other.isOutage))
}

const countLasting = ({ faults }: FailingSet): number => faults.filter(isLasting).length

/** Findings that differ only in the faults of their calls: call 2 fails under `cut`, and under `hang`. */
export interface FindingGroup<Finding extends FailingSet = FailingSet> {
  readonly attempts: readonly GroupedAttempt[]
  readonly findings: readonly Finding[]
}

/** An attempt of a call, and the faults that hit it in the findings of a group. */
export interface GroupedAttempt extends Pick<PlannedFault, 'call' | 'attempt'> {
  readonly faults: readonly string[]
}

/** The groups, in the order of their first findings. Flaky and unconfirmed findings are not grouped with others. */
export function groupFindings<Finding extends FailingSet>(findings: readonly Finding[]): FindingGroup<Finding>[] {
  const groups = groupBy(findings, (finding) => {
    const places = finding.faults.map(({ call, attempt, fault }) => {
      // A cut at one place belongs to no class, so it is a group by itself.
      return isFaultClass(classOf(fault)) ? [call, attempt] : [call, attempt, fault]
    })
    return JSON.stringify([isFlaky(finding), finding.tries === 1, places])
  })
  return groups.map((members) => ({
    attempts: members[0]!.faults.map(({ call, attempt }, index) => ({
      call,
      attempt,
      faults: [...new Set(members.map(({ faults }) => faults[index]!.fault))],
    })),
    findings: members,
  }))
}
