/**
 * `ignore`: the parts of a request that don't count when it is compared with a recorded one.
 *
 * Both sides are compared without them: what a path names is removed, and what a pattern matches is replaced by the same
 * text. So neither its value nor its presence makes a difference.
 */
import { isObject, type JsonObject, parseJson } from '../../lib/text/json.ts'
import type { Steps } from '../../lib/work/steps.ts'
import { compileFinder } from './pattern.ts'
import { patternParts } from './pattern-text.ts'

/** A request as a rule has it, or as it was sent. */
type Request = string | JsonObject

/** The request without its ignored parts. */
export type Ignore = <Body extends Request>(request: Body) => Steps<Body>

/** One step of a path: the name of a field, the index of an item, or all items. */
type Step = string | number
type Path = readonly Step[]
type Finder = ReturnType<typeof compileFinder>

/** Deeper values are compared as they are. */
const MAX_DEPTH = 50
const ALL_ITEMS = '[*]'
/** Replaces what a pattern matches. */
const IGNORED = '[ignored]'

const NAME = String.raw`[^\s.$[\]/][^\s.[\]/]*`
/** `metadata.trace_id`, `messages[*].name`, `messages[0]` */
export const IGNORED_PATH = new RegExp(String.raw`^${NAME}(?:\.${NAME}|\[(?:\*|\d{1,6})\])*$`)

/** The steps of a path: `messages[*].name` -> `messages`, `[*]`, `name`. */
export const readPath = (path: string): Path =>
  [...path.matchAll(/\[(?:\*|(\d+))\]|[^.[\]]+/g)].map(([step, index]) => (index === undefined ? step : Number(index)))

/** The first thing that is neither a path nor a valid pattern, for messages; undefined if there is none. */
export function findIgnoreProblem(
  ignore: readonly string[],
): { readonly expected: string; readonly found: string } | undefined {
  for (const found of ignore) {
    const pattern = patternParts(found)
    if (pattern === undefined && !IGNORED_PATH.test(found))
      return {
        expected: 'a path such as metadata.trace_id or messages[*].name, or a /pattern/',
        found,
      }
    try {
      if (pattern !== undefined) compileFinder(pattern.source, pattern.flags)
    } catch (error) {
      return { expected: `a valid pattern (${(error as Error).message})`, found }
    }
  }
  return undefined
}

/** @throws when a pattern is not valid. */
export function compileIgnore(ignore: readonly string[]): Ignore {
  const parts = ignore.map((text) => ({ text, pattern: patternParts(text) }))
  const paths = parts.flatMap(({ text, pattern }) => (pattern === undefined ? [readPath(text)] : []))
  const finders = parts.flatMap(({ pattern }) => (pattern ? [compileFinder(pattern.source, pattern.flags)] : []))

  function* withoutParts(value: unknown, below: readonly Path[], patterns: TextPatterns, depth = 0): Steps<unknown> {
    if (typeof value === 'string') return yield* patterns.mask(value)
    if (depth > MAX_DEPTH || (below.length === 0 && patterns.isEmpty)) return value
    yield 1
    if (Array.isArray(value)) {
      const kept: unknown[] = []
      for (const [index, item] of value.entries()) {
        const rest = follow(below, (step) => step === ALL_ITEMS || step === index)
        if (!endsHere(rest)) kept.push(yield* withoutParts(item, rest, patterns, depth + 1))
      }
      return kept
    }
    if (!isObject(value)) return value
    const kept: [string, unknown][] = []
    for (const [name, item] of Object.entries(value)) {
      const rest = follow(below, (step) => step === name)
      if (!endsHere(rest)) kept.push([name, yield* withoutParts(item, rest, patterns, depth + 1)])
    }
    return Object.fromEntries(kept)
  }

  return function* without<Body extends Request>(request: Body): Steps<Body> {
    // A recorded request that YAML cannot hold as a map is the text of its JSON.
    const body = typeof request === 'string' ? parseJson(request) : request
    if (!isObject(body)) return request
    const rest = yield* withoutParts(body, paths, new TextPatterns(finders))
    return (typeof request === 'string' ? JSON.stringify(rest) : rest) as Body
  }
}

/** What is left of the paths whose first step fits. */
const follow = (paths: readonly Path[], fits: (step: Step) => boolean): readonly Path[] =>
  paths.filter(([first]) => fits(first!)).map(([, ...rest]) => rest)

const endsHere = (paths: readonly Path[]): boolean => paths.some(({ length }) => length === 0)

/** Finding a match takes some 3 µs for each character, so long texts are searched piece by piece. */
const MAX_PIECE_LENGTH = 2000
const UNITS_PER_CHARACTER = 3
/** How many characters of a request are searched for patterns; the rest is compared as it is. */
const MAX_SEARCHED_LENGTH = 200_000

/** The patterns, for the texts of one request. */
class TextPatterns {
  readonly #finders: readonly Finder[]
  #left = MAX_SEARCHED_LENGTH

  constructor(finders: readonly Finder[]) {
    this.#finders = finders
  }

  get isEmpty(): boolean {
    return this.#finders.length === 0
  }

  *mask(text: string): Steps<string> {
    let masked = text
    for (const find of this.#finders) {
      const searched = masked.slice(0, this.#left)
      let written = ''
      for (let start = 0; start < searched.length; ) {
        const piece = firstPiece(searched, start)
        start += piece.length
        written += replaceMatches(piece, find(piece))
        yield piece.length * UNITS_PER_CHARACTER
      }
      masked = written + masked.slice(searched.length)
    }
    this.#left -= Math.min(this.#left, text.length)
    return masked
  }
}

/** Up to the last line break or blank that fits, so that a match is not cut in two. */
function firstPiece(text: string, start: number): string {
  const piece = text.slice(start, start + MAX_PIECE_LENGTH)
  if (piece.length < MAX_PIECE_LENGTH) return piece
  const end = piece.lastIndexOf('\n') + 1 || piece.lastIndexOf(' ') + 1 || piece.length
  return piece.slice(0, end)
}

function replaceMatches(text: string, matches: readonly (readonly [number, number])[]): string {
  let written = ''
  let from = 0
  for (const [start, end] of matches) {
    written += text.slice(from, start) + IGNORED
    from = end
  }
  return written + text.slice(from)
}
