/** Conditions on names, with `*` for any characters. */
import { toList } from '../../../lib/text/to-list.ts'
import { describeAll } from '../../check/describe.ts'
import { matchesGlob } from '../../compile/glob.ts'
import type * as Fields from '../../grammar/fields.ts'
import type { Condition } from '../condition.ts'
import type { Facts } from '../facts.ts'
import { NO_GROUPS, type OneOrMany } from '../match.ts'
import { coversGlob } from './glob-coverage.ts'

const NAMES = 'a name, with * for any characters, or a list of them'

const schema = ({ names }: typeof Fields) => names(NAMES)
type NameCondition = Condition<OneOrMany<string>, ReturnType<typeof schema>>

/** @param read the names that a call has; the condition holds if one of them matches. */
export const nameCondition = (about: string, read: (facts: Facts) => readonly string[]): NameCondition => ({
  about,
  expected: NAMES,
  schema,
  compile: (wanted) => {
    const globs = toList(wanted)
    return (facts) =>
      read(facts).some((name) => globs.some((glob) => matchesGlob(glob, name))) ? NO_GROUPS : undefined
  },
  read,
  describeFound: (facts) => describeAll(read(facts).filter((name) => name !== '')),
  describeWanted: (wanted) => describeAll(toList(wanted)),
  accepts: (value) => typeof value === 'string' && value !== '',
  parse: (text) => text,
  // What is known of a call is a list of names and globs, all of which it fulfils.
  split: (wanted) => toList(wanted).map((glob) => [glob]),
  covers: (wanted, known) =>
    toList(wanted).some((glob) => ((known ?? []) as readonly string[]).some((name) => coversGlob(glob, name))),
  needTraits: (wanted) => {
    const names = toList(wanted)
    return names.some((name) => name.includes('*')) ? undefined : names.map((name) => [name])
  },
  listTraits: (known) => (known ?? []) as readonly string[],
})
