/**
 * Compiles the patterns of JSON Schemas with RE2, after rewriting what RE2 would read differently from JavaScript:
 *
 *     \p{Letter}\s[\s]   ->   \p{L}[<white space>][<white space>]
 */
import { RE2JS } from 're2js'
import { SHORT_NAMES } from './character-set.ts'

// The white space of ECMAScript; RE2's is ASCII only.
const SPACE = '\\t\\n\\v\\f\\r\\p{Z}\\x{feff}'
/** A Unicode property, an escape, the start of a class, its end, or plain text. */
const TOKENS = /\\[pP]\{(?:\w+=)?(\w+)\}|\\([\s\S])|\[\^?|\]|[^\\[\]]+/g

export function compileRe2(source: string): RE2JS {
  let isInClass = false
  const translated = RE2JS.translateRegExp(source).replaceAll(TOKENS, (token, property, escaped) => {
    if (property !== undefined) return `${token.slice(0, 2)}{${SHORT_NAMES[property] ?? property}}`
    if (escaped === 's') return isInClass ? SPACE : `[${SPACE}]`
    if (escaped === 'S' && !isInClass) return `[^${SPACE}]`
    if (token.startsWith('[')) isInClass = true
    else if (token === ']') isInClass = false
    return token
  })
  return RE2JS.compile(translated)
}
