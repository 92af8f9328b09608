/**
 * The progress of a hunt on stderr: one line that is rewritten on a terminal, and a line every few seconds elsewhere. The text
 * of `hunt` comes from `formatProgress`, and `shrink` and replays have short ones of their own.
 */
import { stripVTControlCharacters } from 'node:util'
import { countOf } from '../../core/lib/text/wording.ts'
import { describeFault } from '../describe-cause.ts'
import type { SearchProgress } from '../search/experiments.ts'
import type { FaultSet } from '../search/fault-set.ts'
import type { KnownCalls } from '../search/known-calls.ts'

/** Interval of the lines where there is no terminal. */
const LINE_EVERY_MS = 10_000

export class ProgressLine {
  #shownAt = performance.now()
  /** True while a line is on the terminal. */
  #isShown = false

  show(text: string): void {
    const { stderr } = process
    if (stderr.isTTY) {
      const line = stripVTControlCharacters(text).slice(0, (stderr.columns || 80) - 1)
      stderr.write(`\r${line}\u001b[K`)
      this.#isShown = true
    } else if (performance.now() - this.#shownAt >= LINE_EVERY_MS) {
      this.#shownAt = performance.now()
      stderr.write(`${text}\n`)
    }
  }

  /** Removes the line from the terminal. */
  clear(): void {
    if (this.#isShown) process.stderr.write('\r\u001b[K')
    this.#isShown = false
  }
}

/** The width of the progress bar, in characters. */
const BAR_WIDTH = 20

/**
 * `[=====     ] 34 sets tried, 1 finding; 40 single faults left, about 12 s, then sets of 2. Now: call 2 (POST chat "Hello"...): hang`
 */
export function formatProgress(
  { tried, found, left }: SearchProgress,
  now: readonly FaultSet[],
  known: KnownCalls,
  { maxSize, startedAt }: { readonly maxSize: number; readonly startedAt: number },
): string {
  const [firstSet = []] = now
  const { length: size } = firstSet
  if (size === 0) return 'Running the command without faults, twice.'
  const filled = '='.repeat(Math.round((BAR_WIDTH * tried) / Math.max(1, tried + left)))
  const bar = process.stderr.isTTY ? `[${filled.padEnd(BAR_WIDTH)}] ` : ''
  const [one, several] = size === 1 ? ['single fault', 'single faults'] : [`set of ${size}`, `sets of ${size}`]
  const secondsPerSet = (performance.now() - startedAt) / 1000 / tried
  const time = tried === 0 ? '' : `, about ${Math.ceil(secondsPerSet * left)} s`
  // How many larger sets there are is known only when these have been tried.
  const next = size < maxSize ? `, then sets of ${size + 1}` : ''
  const setsLeft = `${left} ${left === 1 ? one : several} left${time}${next}`
  const faults = firstSet.map((fault) => describeFault(fault, known)).join(' and ')
  const more = now.length > 1 ? `, and ${now.length - 1} more` : ''
  return `${bar}${countOf(tried, 'set')} tried, ${countOf(found, 'finding')}; ${setsLeft}. Now: ${faults}${more}`
}
