/**
 * Users' patterns, such as `/in (?<city>\w+)/i`, matched in linear time.
 *
 * A backtracking RegExp can hang the process on `(a+)+$`; RE2 can't, whatever the pattern and the text, at the price
 * of having no look-around and no back-references. That is the bound on what a scenario can do to its server.
 */
import { RE2JS } from 're2js'
import { shorten } from '../../lib/text/wording.ts'
import type { PatternCompiler } from './pattern-text.ts'

/** Maximum number of characters of a text that are searched: 10 MB would hold the event loop for seconds. */
const MAX_MATCHED_LENGTH = 100_000

/** Compiles with RE2, also JavaScript notations such as `\u00e9` and `[^]`. */
export const compilePattern: PatternCompiler = (source, flags) => {
  const pattern = compile(source, flags)
  const names = Object.keys(pattern.namedGroups())
  return (whole) => {
    const text = whole.slice(0, MAX_MATCHED_LENGTH)
    // `test` does not locate the groups, so it is ten times as fast as `find`.
    if (!pattern.test(text)) return undefined
    const groups: Record<string, string> = {}
    if (names.length === 0) return groups
    const matcher = pattern.matcher(text)
    matcher.find()
    for (const name of names) groups[name] = matcher.group(name) ?? ''
    return groups
  }
}

/** Finds the start and end of every match that is not empty. */
export function compileFinder(source: string, flags: string): (text: string) => [start: number, end: number][] {
  const pattern = compile(source, flags)
  return (text) => {
    const matches: [number, number][] = []
    const matcher = pattern.matcher(text)
    while (matcher.find()) if (matcher.end() > matcher.start()) matches.push([matcher.start(), matcher.end()])
    return matches
  }
}

const FLAGS = 'imsu'
// Each character may take as many steps as the pattern has: counted repeats can make linear slow.
const MAX_STEPS = 500
const LINEAR = 'Matching is linear-time RE2, which has no look-around and no back-references.'

function compile(source: string, flags: string): RE2JS {
  const unknown = [...flags].find((flag) => !FLAGS.includes(flag))
  if (unknown !== undefined) {
    throw new Error(
      `expected the flags i, m, s or u, got '${unknown}'. ` +
        'Remove the flag. Text that is not a pattern must not begin and end with a slash.',
    )
  }
  // `u` needs no bit: RE2 always reads whole characters.
  let bits = 0
  if (flags.includes('i')) bits |= RE2JS.CASE_INSENSITIVE
  if (flags.includes('m')) bits |= RE2JS.MULTILINE
  if (flags.includes('s')) bits |= RE2JS.DOTALL
  // RE2JS would silently translate \k to the letter k. Escapes are read one by one, because `\\k` is a backslash and a k.
  if ([...source.matchAll(/\\(.)/gs)].some(([, escaped]) => escaped === 'k'))
    throw new Error(`the back-reference \\k is not supported. ${LINEAR} Write it without.`)
  let pattern: RE2JS
  try {
    pattern = RE2JS.compile(RE2JS.translateRegExp(source), bits)
  } catch (error) {
    throw new Error(explain(error instanceof Error ? error.message : String(error)))
  }
  const steps = pattern.programSize()
  if (steps > MAX_STEPS) {
    throw new Error(`expected at most ${MAX_STEPS} steps when compiled, got ${steps}. Use smaller counts in its {...}.`)
  }
  return pattern
}

/** The engine's reason without its prefix, and what to do about it. */
function explain(message: string): string {
  const reason = message.replace(/^error parsing regexp: /, '')
  const lookAround = /`(\(\?<?[=!])/.exec(reason)?.[1]
  if (lookAround !== undefined)
    return `the look-around ${lookAround} is not supported. ${LINEAR} Write it without, or as several rules.`
  const digit = /invalid escape sequence: `\\([1-9])/.exec(reason)?.[1]
  if (digit !== undefined) return `the back-reference \\${digit} is not supported. ${LINEAR} Write it without.`
  return `${shorten(reason)}. Correct the pattern, or put a backslash before a special character.`
}
