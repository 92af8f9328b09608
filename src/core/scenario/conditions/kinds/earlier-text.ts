/** Conditions on the texts of earlier turns: one of them contains a text, or matches a pattern. */

import { toList } from '../../../lib/text/to-list.ts'
import { describeAll } from '../../check/describe.ts'
import type { Facts } from '../facts.ts'
import { compileTexts, textCondition } from './text.ts'

/** How many texts a message shows. */
const MAX_SHOWN = 3

/** @param read the texts, the latest first; the first that matches gives the named groups. */
export const earlierTextCondition = (
  about: string,
  read: (facts: Facts) => readonly string[],
): ReturnType<typeof textCondition> => ({
  ...textCondition(about, () => undefined, true),
  compile(wanted, compilePattern) {
    const match = compileTexts(toList(wanted), compilePattern)
    return (facts) => {
      for (const text of read(facts)) {
        const groups = match(text)
        if (groups !== undefined) return groups
      }
      return undefined
    }
  },
  read,
  describeFound: (facts) => describeAll(read(facts).slice(0, MAX_SHOWN)),
})
