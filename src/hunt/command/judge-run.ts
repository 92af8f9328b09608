/**
 * The verdict on a run of a command: it passed, or it failed and why. A run fails on its exit code, a signal or its time
 * limit, on expectations of the scenario and mistakes of the client, and on properties that options ask for, such as `--once charge`.
 */
import { engineOf, type Mock } from '../../engine/index.ts'
import { type CommandEnd, errorLine, findClientFailure, type Played } from '../../play/index.ts'
import { causeOf, isReport } from '../causes.ts'
import { boundedCalls, type CheckedRun, findBrokenProperty, type HuntCheck, once, wholeOrError } from '../properties.ts'
import type { SessionSettings } from './hunt-options.ts'

export interface EndedRun {
  readonly mock: Mock
  readonly end: CommandEnd
  /** The reason why the hunt had to stop it, such as too many calls. */
  readonly stopped: string | undefined
  /** The time limit of the run. */
  readonly limitMs: number
  readonly checked: CheckedRun
  readonly isBaseline: boolean
}

/** @param usual the run without faults */
export function judgeRun(
  run: EndedRun,
  usual: CheckedRun,
  settings: SessionSettings,
): Pick<Played, 'isPassed' | 'error' | 'cause'> {
  const { mock, end, stopped, checked, isBaseline } = run
  const checks = checksOf(settings)
  // An error with which the command ends, as `wholeOrError` lets it: it printed the error and did not crash.
  const hasErrorCode = end.code !== 0 && end.code !== null && !end.isTimedOut
  const acceptsErrors = !isBaseline && checks.some((check) => check.acceptsErrors)
  const isHandled = hasErrorCode && acceptsErrors && isReport(end.output.text)
  const endFailure = stopped ?? (isHandled ? undefined : describeEnd(run))
  const failure = endFailure ?? findClientFailure(engineOf(mock), settings['fail-on'] === 'conduct')
  if (failure !== undefined) {
    // Runs with the same exit code may fail for different causes, so the line with the error tells them apart.
    const { excerpt } = end.output
    const causeText = end.code === 0 ? failure : [failure, ...errorLine(excerpt)].join(' ')
    return { isPassed: false, error: new Error(failure), cause: causeOf(causeText, excerpt.join('\n')) }
  }
  // What it printed is an error, and not an answer.
  const shown = isHandled ? undefined : checked.shown
  const broken = findBrokenProperty(checks, { ...checked, shown }, usual)
  return { isPassed: broken === undefined, ...broken }
}

/** The properties that the options ask for, each named as its option. */
export function checksOf(settings: SessionSettings): HuntCheck[] {
  const { 'whole-or-error': isWhole = false, once: effects = [], 'max-calls': calls } = settings
  return [
    ...(isWhole ? [{ ...wholeOrError(), name: '--whole-or-error' }] : []),
    ...effects.map((effect) => ({ ...once(effect), name: `--once ${effect}` })),
    ...(calls === undefined ? [] : [{ ...boundedCalls(calls), name: `--max-calls ${calls}` }]),
  ]
}

/** The reason why a command failed, from its end; undefined if it passed. */
function describeEnd({ end, limitMs, checked }: EndedRun): string | undefined {
  const { code, signal, isTimedOut } = end
  if (isTimedOut) {
    const advice = checked.entries.some(({ fault }) => fault === 'hang')
      ? ' It waited for an answer that never came: give its client a shorter time-out, or raise --run-timeout.'
      : ''
    return `It did not end within ${Math.round(limitMs / 1000)} s.${advice}`
  }
  if (signal !== null) return `It was ended by ${signal}.`
  return code === 0 ? undefined : `It ended with exit code ${code}.`
}
