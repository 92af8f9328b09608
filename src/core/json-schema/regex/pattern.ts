/**
 * Matching of `pattern`s in linear time.
 *
 * RE2 has no look-around. Look-aheads at the start of a pattern, as in `^(?=.*\d)(?!.*\s).{8,}$`, are the common ones,
 * and they need none: the text must match, or not match, several patterns at once.
 */
import { RE2JS } from 're2js'
import { SchemaProblem, type Work } from '../schema.ts'
import { LONG_NAMES } from './classes.ts'
import { parseRegex, type RegexNode } from './parse.ts'

const MAX_SOURCE = 5000

interface Compiled {
  readonly nodes: readonly RegexNode[]
  readonly tests: readonly { readonly regex: RE2JS; readonly isWanted: boolean }[]
}

/** The patterns of one schema, each compiled once. */
export class Patterns {
  readonly #compiled = new Map<string, Compiled>()
  readonly #work: Work

  constructor(work: Work) {
    this.#work = work
  }

  /** Whether `text` matches the pattern, wherever in the text. */
  matches(source: string, text: string, path: string): boolean {
    const { tests } = this.#compile(source, path)
    this.#work.spend(1 + Math.ceil((text.length * (source.length + 8)) / 2048), path)
    return tests.every(({ regex, isWanted }) => regex.matcher(text).find() === isWanted)
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
    this.#work.spend(1 + source.length, path)
    try {
      const { nodes, tests } = parseRegex(source)
      const compiled = {
        nodes,
        tests: tests.map((test) => ({ regex: re2(test.source), isWanted: test.isWanted })),
      }
      this.#compiled.set(source, compiled)
      return compiled
    } catch (error) {
      const reason = (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '')
      throw new SchemaProblem(`pattern '${source.slice(0, 80)}' can't be used: ${reason}`, path)
    }
  }
}

// The white space of ECMAScript; that of RE2 is ASCII only.
const SPACE = '\\t\\n\\v\\f\\r\\p{Z}\\x{feff}'
const TOKENS = /\\[pP]\{(?:\w+=)?(\w+)\}|\\([\s\S])|\[\^?|\]|[^\\[\]]+/g

/** Compiles with RE2, after putting into its words what it would read otherwise than JavaScript does. */
function re2(source: string): RE2JS {
  let isInClass = false
  const translated = RE2JS.translateRegExp(source).replaceAll(TOKENS, (token, property, escaped) => {
    if (property !== undefined) return `${token.slice(0, 2)}{${LONG_NAMES[property] ?? property}}`
    if (escaped === 's') return isInClass ? SPACE : `[${SPACE}]`
    if (escaped === 'S' && !isInClass) return `[^${SPACE}]`
    if (token.startsWith('[')) isInClass = true
    else if (token === ']') isInClass = false
    return token
  })
  return RE2JS.compile(translated)
}
