/** The redactor of `record` and `convert`: it also finds the texts and patterns of `--redact`. */
import { compileFinder } from '../core/scenario/compile/pattern.ts'
import { patternParts } from '../core/scenario/compile/pattern-text.ts'
import { buildTextFinder, Redactor } from '../record/index.ts'
import { UsageError } from '../terminal/usage-error.ts'

/** @throws UsageError for a pattern that is not valid. */
export function createRedactor(texts: readonly string[]): Redactor {
  const finders = texts.map((text) => {
    const parts = patternParts(text)
    if (parts === undefined) return buildTextFinder(text)
    try {
      return compileFinder(parts.source, parts.flags)
    } catch (error) {
      throw new UsageError(`--redact: expected a valid pattern, got ${text}: ${(error as Error).message}`)
    }
  })
  return new Redactor(finders)
}
