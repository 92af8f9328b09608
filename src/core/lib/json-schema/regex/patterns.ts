/**
 * Matches `pattern`s in linear time.
 *
 * RE2 has no look-around. Look-aheads at the start of a pattern, the usual ones (`^(?=.*\d)(?!.*\s).{8,}$`), do not need
 * it: the text must match, or not match, several patterns.
 */
import type { RE2JS } from 're2js'
import { SchemaProblem, type WorkBudget } from '../schema.ts'
import { compileRe2 } from './compile-re2.ts'
import { parseRegex, type RegexNode } from './parse.ts'

const MAX_SOURCE = 5000
/** What compiling takes. A class of Unicode has hundreds of ranges. */
const STEPS_PER_CHARACTER = 3
const STEPS_PER_CLASS = 150

const countClasses = (source: string): number => source.split(/\\[pP]/).length - 1

interface Compiled {
  readonly nodes: readonly RegexNode[]
  readonly tests: readonly { readonly regex: RE2JS; readonly isWanted: boolean }[]
}

/** Looks at the beginning first: most texts match there, and for `[a-z]{1000}` a search takes 100 times as long. */
const isMatch = (regex: RE2JS, text: string): boolean => regex.matcher(text).lookingAt() || regex.test(text)

/** The patterns of one schema, each compiled once. */
export class Patterns {
  readonly #compiled = new Map<string, Compiled>()
  readonly #work: WorkBudget

  constructor(work: WorkBudget) {
    this.#work = work
  }

  /** Whether the pattern matches anywhere in `text`. */
  matches(source: string, text: string, path: string): boolean {
    const { tests } = this.#compile(source, path)
    this.#work.spend(1 + Math.ceil((text.length * (source.length + 8)) / 2048), path)
    return tests.every(({ regex, isWanted }) => isMatch(regex, text) === isWanted)
  }

  /** The parsed pattern, as a sequence. */
  nodes(source: string, path: string): readonly RegexNode[] {
    return this.#compile(source, path).nodes
  }

  #compile(source: string, path: string): Compiled {
    const known = this.#compiled.get(source)
    if (known !== undefined) return known
    if (source.length > MAX_SOURCE) {
      throw new SchemaProblem(`a pattern has more than ${MAX_SOURCE} characters`, path)
    }
    this.#work.spend(1 + STEPS_PER_CHARACTER * source.length + STEPS_PER_CLASS * countClasses(source), path)
    try {
      const { nodes, tests } = parseRegex(source)
      const compiled = {
        nodes,
        tests: tests.map((test) => ({ regex: compileRe2(test.source), isWanted: test.isWanted })),
      }
      this.#compiled.set(source, compiled)
      return compiled
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '')
      throw new SchemaProblem(`pattern '${source.slice(0, 80)}' can't be used: ${reason}`, path)
    }
  }
}
