/** The properties that the options of a hunt with a command ask for. The start of the program does not load them. */
import { boundedCalls, type HuntCheck, once, wholeOrError } from '../properties.ts'
import type { SessionSettings } from './hunt-options.ts'

/** The properties that the options ask for, each named as its option. */
export function checksOf(settings: SessionSettings): HuntCheck[] {
  const { 'whole-or-error': isWhole = false, once: effects = [], 'max-calls': calls } = settings
  return [
    ...(isWhole ? [{ ...wholeOrError(), name: '--whole-or-error' }] : []),
    ...effects.map((effect) => ({ ...once(effect), name: `--once ${effect}` })),
    ...(calls === undefined ? [] : [{ ...boundedCalls(calls), name: `--max-calls ${calls}` }]),
  ]
}
