/**
 * Messages for YAML syntax errors, at the place that has to change: the library reports where the text stops making sense,
 * which may be much later.
 *
 *   when: { user: /in (Oslo|Rome)[,.]/ }   ->  Put the pattern in single quotes: '/in (Oslo|Rome)[,.]/'
 *   say: "Hello                            ->  This text begins with a quote and has no closing quote.
 */
import type { CST, YAMLError } from 'yaml'

interface SyntaxProblem {
  readonly offset: number
  readonly message: string
}

/**
 * Explains the errors of a text. Misread patterns and unclosed quotes or brackets cause other errors, so these are reported
 * alone.
 * @param tokens the tokens of the text.
 */
export function explainSyntaxErrors(
  errors: readonly YAMLError[],
  tokens: readonly CST.Token[],
  text: string,
  lineOf: (offset: number) => number,
): readonly SyntaxProblem[] {
  const misread = findMisreadPatterns(tokens, text, errors)
  if (misread.length > 0) return misread
  const unclosed = findUnclosed(tokens)
  if (unclosed.length > 0) return unclosed

  // A text that goes on in the next line up to a colon is reported twice at one place; its indentation is wrong.
  const indented = new Set(errors.filter(({ code }) => code === 'MULTILINE_IMPLICIT_KEY').map(({ pos }) => pos[0]))
  // One problem for each line: further errors in a line are mostly consequences of its first.
  const byLine = new Map<number, SyntaxProblem>()
  for (const error of errors) {
    const [offset] = error.pos
    const isNested = error.code === 'BLOCK_AS_IMPLICIT_KEY' && indented.has(offset)
    const line = lineOf(offset)
    if (!isNested && !byLine.has(line)) byLine.set(line, { offset, message: explain(error) })
  }
  return [...byLine.values()]
}

/** The longest pattern that is looked for, in characters. */
const MAX_PATTERN_LENGTH = 300
const MAX_ESCAPES = 100
const PATTERN = /^\/(?:\\.|\[(?:\\.|[^\]\\\n])+\]|[^\\/\n[])+\/[a-z]*(?=\s*(?:[,}\]]|$))/m
/** A pattern with a `[` that has no end. With an end, a slash inside the brackets would not end the pattern. */
const PATTERN_WITH_BRACKET = /^\/(?:\\.|[^\\/\n])+\/[a-z]*(?=\s*(?:[,}\]]|$))/m
const DOUBLE_QUOTED_PATTERN = /^"(\/.+\/[a-z]*)"$/

/** Patterns that YAML reads differently: with brackets or a comma in a { } or [ ], or with escapes in double quotes. */
function findMisreadPatterns(
  tokens: readonly CST.Token[],
  text: string,
  errors: readonly YAMLError[],
): SyntaxProblem[] {
  const badEscapes = errors.filter(({ code }) => code === 'BAD_DQ_ESCAPE').slice(0, MAX_ESCAPES)
  const problems: SyntaxProblem[] = []
  for (const { offset, source, isInFlow } of scalarsIn(tokens, false)) {
    let pattern: string | undefined
    if (badEscapes.some(({ pos }) => pos[0] > offset && pos[0] < offset + source.length))
      pattern = DOUBLE_QUOTED_PATTERN.exec(source)?.[1]?.replaceAll('\\"', '"')
    if (pattern === undefined && isInFlow && source.startsWith('/')) {
      const searched = text.slice(offset, offset + MAX_PATTERN_LENGTH)
      pattern = (PATTERN.exec(searched) ?? PATTERN_WITH_BRACKET.exec(searched))?.[0]
    }
    // YAML reads a pattern without these signs as it is.
    if (pattern === undefined || pattern === source) continue
    problems.push({ offset, message: `Put the pattern in single quotes: '${pattern.replaceAll("'", "''")}'` })
  }
  return problems
}

interface ScalarToken {
  readonly offset: number
  readonly source: string
  /** True in a { } or [ ]. */
  readonly isInFlow: boolean
}

/** All texts without quotes or in double quotes. */
function scalarsIn(tokens: readonly CST.Token[], isInFlow: boolean): ScalarToken[] {
  return tokens.flatMap((token) => {
    if (token.type === 'scalar' || token.type === 'double-quoted-scalar')
      return [{ offset: token.offset, source: token.source, isInFlow }]
    return scalarsIn(childrenOf(token), isInFlow || token.type === 'flow-collection')
  })
}

/** The value of a document; the keys and values of a map or list. */
export function childrenOf(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat())
}

/** Quotes and brackets without an end, where they begin: the library reports only where the text or the list ends. */
function findUnclosed(tokens: readonly CST.Token[]): SyntaxProblem[] {
  return tokens.flatMap((token) => {
    if (token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar') {
      const isClosed = /^(['"]).*\1$/s.test(token.source)
      return isClosed ? [] : [{ offset: token.offset, message: UNCLOSED.quote }]
    }
    const inside = findUnclosed(childrenOf(token))
    // An unclosed part leaves everything around it unclosed.
    if (inside.length > 0 || token.type !== 'flow-collection') return inside
    const isList = token.start.source === '['
    const isClosed = token.end.some(({ source }) => source === (isList ? ']' : '}'))
    return isClosed ? [] : [{ offset: token.start.offset, message: isList ? UNCLOSED.list : UNCLOSED.map }]
  })
}

const UNCLOSED = {
  quote: 'This text begins with a quote and has no closing quote.',
  list: 'This list begins with [ and has no closing ].',
  map: 'This map begins with { and has no closing }.',
}

/** Messages by the code of the library. */
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

/** Messages for MISSING_CHAR, the code that the library has for all of these, by its own message. */
const MISSING_CHAR_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/followed by map values/, 'This line has no colon. Write a key, a colon and a value.'],
  [/without - indicator/, 'This line does not begin with - like the lines of the list above. Check its indentation.'],
  [/^Missing , /, 'A comma or a colon is missing here.'],
]

function explain({ code, message }: YAMLError): string {
  const known =
    code === 'MISSING_CHAR' ? MISSING_CHAR_MESSAGES.find(([pattern]) => pattern.test(message))?.[1] : MESSAGES[code]
  if (known !== undefined) return known
  const short = message.length > 200 ? `${message.slice(0, 199)}…` : message
  return `invalid YAML: ${short.replace(/\.?$/, '.')}`
}
