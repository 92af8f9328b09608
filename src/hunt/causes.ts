/** Causes: findings that come from the same place in the app are one. */
import { dirname } from 'node:path'
import type { PlayedFinding } from './drive.ts'
import { type FindingGroup, groupFindings, isFlaky } from './search/experiments.ts'
import { isLasting } from './search/fault-set.ts'

/** Findings with one cause. */
export interface Cause<One extends PlayedFinding = PlayedFinding> {
  /** The group that shows it best, then those that repeat it: on like calls, for longer, or after a retry. */
  readonly groups: readonly [FindingGroup<One>, ...FindingGroup<One>[]]
  /** True if the app fails only under faults that never end, so that no client gets an answer. */
  readonly isOutage: boolean
}

/** A line of a stack that is the app's: `at ask (/app/agent.js:12:3)`, `File "agent.py", line 12`. */
const FRAME = /^\s*(?:\|\s*)?(?:at .*?([^\s()]+:\d+):\d+\)?|File "([^"]+", line \d+).*|❯ (?:.* )?(\S+:\d+):\d+)$/gm
const FOREIGN = /node_modules|node:|<anonymous>|site-packages|\/lib\/python/
const MOCK = dirname(import.meta.dirname)
/** Messages of a run that the hunt had to end. */
const ENDLESS = /^It (?:made more than|used|had not ended)/
const DOES_NOT_END = 'It does not end.'

/**
 * The name of what made a run fail: the place in the app that threw, or the error without what differs from run to run.
 * @param trace a stack, or what a command has printed
 */
export function causeOf(error: string, trace: string): string {
  if (ENDLESS.test(error)) return DOES_NOT_END
  const frames = [...trace.matchAll(FRAME)].map(([, js, python, vitest]) => js ?? python ?? vitest!)
  const own = frames.filter((frame) => !FOREIGN.test(frame) && !frame.includes(MOCK))
  // Python prints the innermost call last.
  const place = trace.includes('Traceback (') ? own.at(-1) : own[0]
  // An error that the app lets through: many libraries leave no line of the app in its stack.
  const outermost = frames.findLast((frame) => frame.includes('node_modules'))
  return place ?? outermost ?? error.replace(/(["'`]).*\1/gs, '$1$1').replace(/\d+/g, '0')
}

/** The causes of findings: those of outages last. Of a cause, the smallest findings come first, and faults that end. */
export function groupCauses<One extends PlayedFinding>(findings: readonly One[]): Cause<One>[] {
  const rank = (finding: PlayedFinding): number =>
    100 * Number(finding.tries === 1 || isFlaky(finding)) + 10 * finding.faults.length + lastingIn(finding)
  const byCause = new Map<string, One[]>()
  for (const finding of findings.toSorted((one, other) => rank(one) - rank(other)))
    byCause.set(finding.cause, [...(byCause.get(finding.cause) ?? []), finding])
  const causes = [...byCause.values()].map((members): Cause<One> => {
    const [first, ...others] = groupFindings(members)
    const isOutage = members.every((one) => lastingIn(one) > 0 && one.cause !== DOES_NOT_END)
    return { groups: [first!, ...others], isOutage }
  })
  return causes.sort((one, other) => Number(one.isOutage) - Number(other.isOutage))
}

const lastingIn = ({ faults }: PlayedFinding): number => faults.filter(isLasting).length
