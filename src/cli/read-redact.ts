/** Reads the values of `--redact`. */
import { compileFinder } from '../core/scenario/compile/pattern.ts'
import { patternParts } from '../core/scenario/compile/pattern-text.ts'
import { buildTextFinder, type Finder } from '../record/redact/finder.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** @throws UsageError for a pattern that is not valid. */
export function readRedact(text: string): Finder {
  const parts = patternParts(text)
  if (parts === undefined) return buildTextFinder(text)
  try {
    return compileFinder(parts.source, parts.flags)
  } catch (error) {
    throw new UsageError(`--redact: expected a valid pattern, got ${text}: ${(error as Error).message}`)
  }
}
