/** Conditions on a text: it contains a text, in any case, or matches a pattern. */

import { toList } from '../../../lib/text/to-list.ts'
import { describeAll, describeValue } from '../../check/describe.ts'
import { type PatternCompiler, patternParts } from '../../compile/pattern-text.ts'
import type * as Fields from '../../grammar/fields.ts'
import type { Condition } from '../condition.ts'
import type { Facts } from '../facts.ts'
import { type Groups, NO_GROUPS, type OneOrMany } from '../match.ts'
import { coversText, findTraitsToCover, listTextTraits, matchesAllTexts } from './text-coverage.ts'

const TEXTS = 'text that must occur (in any case), a pattern /like this/i, or a list of them'

const schema = ({ texts }: typeof Fields) => texts(TEXTS)
type TextCondition = Condition<OneOrMany<string>, ReturnType<typeof schema>>

/** @param canBeMissing whether a chat may have no such text, not even an empty one. */
export const textCondition = (
  about: string,
  read: (facts: Facts) => string | undefined,
  canBeMissing = false,
): TextCondition => ({
  about,
  expected: TEXTS,
  takesPatterns: true,
  schema,
  compile(wanted, compilePattern) {
    const match = compileTexts(toList(wanted), compilePattern)
    return (facts) => {
      const text = read(facts)
      return text === undefined ? undefined : match(text)
    }
  },
  read,
  describeFound: (facts) => describeValue(read(facts)),
  describeWanted: (wanted) => describeAll(toList(wanted)),
  accepts: (value) => typeof value === 'string' && value !== '',
  parse: (text) => text,
  split: toList,
  covers: (wanted, known) =>
    toList(wanted).some((one) =>
      known === undefined ? !canBeMissing && matchesAllTexts(one) : coversText(one, known as string),
    ),
  needTraits: (wanted) => {
    const lists = toList(wanted).map(findTraitsToCover)
    return lists.some((list) => list === undefined) ? undefined : (lists as (readonly string[])[])
  },
  listTraits: (known) => (known === undefined ? [] : listTextTraits(known as string)),
})

/** Whether one of the texts or patterns occurs in a text. */
export function compileTexts(
  wanted: readonly string[],
  compilePattern: PatternCompiler,
): (text: string) => Groups | undefined {
  const tests = wanted.map((one) => {
    const parts = patternParts(one)
    if (parts !== undefined) return compilePattern(parts.source, parts.flags)
    const lower = one.toLowerCase()
    return (text: string) => (text.toLowerCase().includes(lower) ? NO_GROUPS : undefined)
  })
  return (text) => {
    for (const test of tests) {
      const groups = test(text)
      if (groups !== undefined) return groups
    }
    return undefined
  }
}
