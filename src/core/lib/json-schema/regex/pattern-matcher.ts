/**
 * Matches the `pattern`s of a schema in linear time.
 *
 * RE2 has no look-around. Look-aheads at the start of a pattern, the usual ones (`^(?=.*\d)(?!.*\s).{8,}$`), do not need
 * it: the text must match, or not match, several patterns.
 */
import type { RE2JS } from 're2js'
import { LimitExceeded, MalformedSchema, type WorkBudget } from '../json-schema.ts'
import { compileRe2 } from './compile-re2.ts'
import { parsePattern, type RegexSequence } from './parse-pattern.ts'

const MAX_SOURCE = 5000
/** Steps of work to compile a pattern. A class of Unicode has hundreds of ranges. */
const STEPS_PER_CHARACTER = 3
const STEPS_PER_CLASS = 150

interface CompiledPattern {
  /** The pattern without look-aheads; undefined for a valid pattern that this folder does not support. */
  readonly tree: RegexSequence | undefined
  /** A text must match each of these, or must not. */
  readonly tests: readonly { readonly regex: RE2JS; readonly isWanted: boolean }[]
}

const UNSUPPORTED: CompiledPattern = { tree: undefined, tests: [] }

/** The patterns of one schema, each compiled once. */
export class PatternMatcher {
  readonly #compiled = new Map<string, CompiledPattern>()
  readonly #work: WorkBudget

  constructor(work: WorkBudget) {
    this.#work = work
  }

  /** True if the pattern matches anywhere in `text`; undefined for a pattern that is not supported. */
  matches(source: string, text: string, path: string): boolean | undefined {
    const { tests, tree } = this.compile(source, path)
    if (tree === undefined) return undefined
    // RE2 takes time in proportion to both lengths.
    this.#work.spend(1 + Math.ceil((text.length * (source.length + 8)) / 2048), path)
    // The beginning first: most texts match there, and for `[a-z]{1000}` a search takes 100 times as long.
    return tests.every(({ regex, isWanted }) => (regex.matcher(text).lookingAt() || regex.test(text)) === isWanted)
  }

  /** The pattern as it is matched and written. @throws MalformedSchema for a malformed one. */
  compile(source: string, path: string): CompiledPattern {
    const known = this.#compiled.get(source)
    if (known !== undefined) return known
    if (source.length > MAX_SOURCE) throw new LimitExceeded(`a pattern has more than ${MAX_SOURCE} characters`, path)
    const classes = source.split(/\\[pP]/).length - 1
    this.#work.spend(1 + STEPS_PER_CHARACTER * source.length + STEPS_PER_CLASS * classes, path)
    let compiled = UNSUPPORTED
    try {
      const { tree, tests } = parsePattern(source)
      compiled = { tree, tests: tests.map((test) => ({ regex: compileRe2(test.source), isWanted: test.isWanted })) }
    } catch (error) {
      // A pattern that JavaScript accepts is unsupported here. It is never run: that may take forever.
      try {
        RegExp(source)
      } catch {
        const reason = (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '')
        throw new MalformedSchema(`pattern '${source.slice(0, 80)}' can't be used: ${reason}`, path)
      }
    }
    this.#compiled.set(source, compiled)
    return compiled
  }
}
