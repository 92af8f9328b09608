/** Checks the values of `--ignore`. */
import { findIgnoreProblem } from '../core/scenario/compile/ignore.ts'
import { UsageError } from './usage-error.ts'

/** @throws UsageError for one that is neither a path nor a valid pattern. */
export function checkIgnored(texts: readonly string[]): void {
  const problem = findIgnoreProblem(texts)
  if (problem !== undefined) throw new UsageError(`--ignore: expected ${problem.expected}, got '${problem.found}'.`)
}
