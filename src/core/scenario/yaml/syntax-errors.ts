/** Messages for YAML syntax errors, at the place that has to change. */
import type { CST, YAMLError } from 'yaml'

interface SyntaxProblem {
  readonly offset: number
  readonly message: string
}

/** Quotes and brackets without an end, where they begin: the library reports only where the text or the list ends. */
export function findUnclosed(tokens: readonly (CST.Token | null | undefined)[]): SyntaxProblem[] {
  return tokens.flatMap((token) => {
    if (!token) return []
    if (token.type === 'document') return findUnclosed([token.value])
    if (token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar')
      return /^(['"]).*\1$/s.test(token.source) ? [] : [{ offset: token.offset, message: messages.quote }]
    if (!('items' in token)) return []
    const inside = findUnclosed(token.items.flatMap(({ key, value }) => [key, value]))
    // An unclosed part leaves everything around it unclosed.
    if (inside.length > 0 || token.type !== 'flow-collection') return inside
    const isList = token.start.source === '['
    const isClosed = token.end.some(({ source }) => source === (isList ? ']' : '}'))
    return isClosed ? [] : [{ offset: token.start.offset, message: isList ? messages.list : messages.map }]
  })
}

const messages = {
  quote: 'This text begins with a quote and has no closing quote.',
  list: 'This list begins with [ and has no closing ].',
  map: 'This map begins with { and has no closing }.',
}

/** The longest pattern that is looked for, in characters. */
const MAX_PATTERN = 300
const MAX_ESCAPES = 100
// The slash in a character class ends a pattern only if the class has no end.
const PATTERNS = [
  /^\/(?:\\.|\[(?:\\.|[^\]\\\n])+\]|[^\\/\n[])+\/[a-z]*(?=\s*(?:[,}\]]|$))/m,
  /^\/(?:\\.|[^\\/\n])+\/[a-z]*(?=\s*(?:[,}\]]|$))/m,
]
const DOUBLE_QUOTED_PATTERN = /^"(\/.+\/[a-z]*)"$/

/** Patterns that YAML reads differently: with brackets or a comma in a { } or [ ], or with escapes in double quotes. */
export function findMisreadPatterns(
  tokens: readonly CST.Token[],
  text: string,
  errors: readonly YAMLError[],
): SyntaxProblem[] {
  const escapes = errors.flatMap(({ code, pos }) => (code === 'BAD_DQ_ESCAPE' ? pos[0] : [])).slice(0, MAX_ESCAPES)
  return scalarsIn(tokens, false).flatMap(({ offset, source, isInFlow }) => {
    const hasBadEscape = escapes.some((at) => at > offset && at < offset + source.length)
    const quoted = hasBadEscape ? DOUBLE_QUOTED_PATTERN.exec(source)?.[1]?.replaceAll('\\"', '"') : undefined
    const rest = isInFlow && source.startsWith('/') ? text.slice(offset, offset + MAX_PATTERN) : ''
    const found = quoted ?? PATTERNS.map((pattern) => pattern.exec(rest)?.[0]).find((pattern) => pattern !== undefined)
    if (found === undefined || found === source) return []
    return [{ offset, message: `Put the pattern in single quotes: '${found.replaceAll("'", "''")}'` }]
  })
}

interface ScalarToken {
  readonly offset: number
  readonly source: string
  /** True in a { } or [ ]. */
  readonly isInFlow: boolean
}

function scalarsIn(tokens: readonly (CST.Token | null | undefined)[], isInFlow: boolean): ScalarToken[] {
  return tokens.flatMap((token) => {
    if (!token) return []
    if (token.type === 'document') return scalarsIn([token.value], false)
    if (token.type === 'scalar' || token.type === 'double-quoted-scalar')
      return [{ offset: token.offset, source: token.source, isInFlow }]
    if (!('items' in token)) return []
    const isFlow = isInFlow || token.type === 'flow-collection'
    return scalarsIn(
      token.items.flatMap(({ key, value }) => [key, value]),
      isFlow,
    )
  })
}

/** One problem for each line: further errors in a line are mostly consequences of its first. */
export function explainErrors(errors: readonly YAMLError[], lineOf: (offset: number) => number): SyntaxProblem[] {
  // A text that goes on in the next line up to a colon is reported twice at one place; its indentation is wrong.
  const indented = new Set(errors.filter(({ code }) => code === 'MULTILINE_IMPLICIT_KEY').map(({ pos }) => pos[0]))
  const byLine = new Map<number, SyntaxProblem>()
  for (const error of errors) {
    const [offset] = error.pos
    const isNested = error.code === 'BLOCK_AS_IMPLICIT_KEY' && indented.has(offset)
    const line = lineOf(offset)
    if (!isNested && !byLine.has(line)) byLine.set(line, { offset, message: explain(error) })
  }
  return [...byLine.values()]
}

const MESSAGES: Readonly<Record<string, string>> = {
  BAD_DQ_ESCAPE: 'A text in double quotes has an unknown escape. Put the text in single quotes.',
  BAD_INDENT: 'This line is indented differently from the lines above.',
  BAD_SCALAR_START: 'A text without quotes cannot begin with this character. Put the text in quotes.',
  BLOCK_IN_FLOW: 'This map or list needs { } or [ ] around it here, or a comma before it.',
  BLOCK_AS_IMPLICIT_KEY: "This text contains ': '. Put it in quotes.",
  MULTILINE_IMPLICIT_KEY: 'A key and its colon must be on one line. Check for a missing colon or a wrong indentation.',
  TAB_AS_INDENT: 'This line is indented with a tab. Indent with spaces.',
  TAG_RESOLVE_FAILED: 'Scenarios have no tags, such as !name. Remove the tag.',
  UNEXPECTED_TOKEN: 'This does not belong here. Check the quotes, brackets and indentation before it.',
}

/** The library has one code for all of these. */
const MISSING: readonly (readonly [RegExp, string])[] = [
  [/followed by map values/, 'This line has no colon. Write a key, a colon and a value.'],
  [/without - indicator/, 'This line does not begin with - like the lines of the list above. Check its indentation.'],
  [/^Missing , /, 'A comma or a colon is missing here.'],
]

function explain({ code, message }: YAMLError): string {
  const own = MESSAGES[code] ?? MISSING.find(([pattern]) => code === 'MISSING_CHAR' && pattern.test(message))?.[1]
  if (own !== undefined) return own
  const short = message.length > 200 ? `${message.slice(0, 199)}…` : message
  return `invalid YAML: ${short.replace(/\.?$/, '.')}`
}
