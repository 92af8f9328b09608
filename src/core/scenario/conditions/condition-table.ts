/**
 * The conditions of `when`, as one table. The grammar, the matcher, near misses, the journal filter and the docs read it.
 *
 * Each condition is of a kind, a function below: a text, a name or a plain value. Only `request`, which compares a whole
 * body, has a file of its own.
 */

import { toList } from '../../lib/text/json.ts'
import { maskKey } from '../../lib/text/mask-keys.ts'
import { describeAll, describeValue } from '../check/describe-values.ts'
import { matchesGlob } from '../compile/glob.ts'
import { type PatternCompiler, patternParts } from '../compile/pattern-text.ts'
import { type Condition, type ConditionForm, type Groups, NO_GROUPS, type OneOrMany, ofForm } from './condition.ts'
import type { Facts } from './facts.ts'
import { requestCondition } from './request-condition.ts'

/** The conditions by name, cheapest first. */
const table = {
  endpoint: valueCondition('endpoint', 'the endpoint', (facts) => facts.endpoint),
  stream: valueCondition('flag', 'the stream parameter of the request', (facts) => facts.stream),
  attempt: valueCondition(
    'numbers',
    'the number of times that this key has sent the same request, this call included',
    (facts) => facts.attempt,
  ),
  state: valueCondition('state', 'the state that the scenario is in', (facts) => facts.state),
  turn: valueCondition('numbers', 'the number of user messages so far', (facts) => facts.userMessageCount),
  model: nameCondition('the model of the request', (facts) => [facts.model]),
  key: {
    ...nameCondition('the API key', (facts) => [facts.key]),
    // Messages mask keys.
    describeFound: ({ key }: Facts) => (key === '' ? 'none' : describeValue(maskKey(key))),
    describeWanted: (wanted: OneOrMany<string>) =>
      describeAll(toList(wanted).map((key) => (key.includes('*') ? key : maskKey(key)))),
  },
  tool: nameCondition('a tool that the request offers', (facts) => facts.tools),
  request: requestCondition,
  // Before the conditions on the last texts, whose groups win where both have the same name.
  earlierUser: textCondition('a user message before the last one', (facts) => facts.earlier().users),
  earlierToolResult: textCondition("a tool's result before those at the end", (facts) => facts.earlier().toolResults),
  user: textCondition('the last user message', (facts) => facts.user),
  system: textCondition('the system or developer text', (facts) => facts.system),
  toolResult: textCondition("the last message, if it is a tool's result", (facts) => facts.toolResult),
}

export type ConditionName = keyof typeof table

/** The table, for code that treats all conditions alike. */
export const conditions: Readonly<Record<string, Condition>> = table
export const conditionNames = Object.keys(table) as readonly ConditionName[]

/** True for a condition whose values may be patterns. */
export const takesPatterns = (name: string): boolean =>
  Object.hasOwn(conditions, name) && conditions[name]!.form === 'texts'

/** Maximum number of the call's texts in a message. */
const MAX_SHOWN = 3

/** A text, or one of several, that contains one of the wanted texts, in any case, or matches a pattern. */
function textCondition(
  about: string,
  read: (facts: Facts) => OneOrMany<string> | undefined,
): Condition<OneOrMany<string>> {
  return {
    ...ofForm('texts', about),
    compile(wanted, compilePattern) {
      const match = compileTexts(toList(wanted), compilePattern)
      return (facts) => {
        const sent = read(facts)
        if (typeof sent === 'string') return match(sent)
        // The first text that matches gives the named groups.
        for (const text of sent ?? []) {
          const groups = match(text)
          if (groups !== undefined) return groups
        }
        return undefined
      }
    },
    read,
    describeFound: (facts) => describeAll(toList(read(facts)).slice(0, MAX_SHOWN)),
  }
}

/** Compiles texts and patterns to a test of a text, which passes if one of them occurs. */
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

/** Names in which `*` stands for any characters. The condition holds if one of the call's names matches. */
function nameCondition(about: string, read: (facts: Facts) => readonly string[]): Condition<OneOrMany<string>> {
  return {
    ...ofForm('names', about),
    compile(wanted) {
      const globs = toList(wanted)
      return (facts) =>
        read(facts).some((name) => globs.some((glob) => matchesGlob(glob, name))) ? NO_GROUPS : undefined
    },
    read,
    describeFound: (facts) => describeAll(read(facts).filter((name) => name !== '')),
  }
}

/** A plain value that equals one of the wanted values. */
function valueCondition(form: ConditionForm, about: string, read: (facts: Facts) => unknown): Condition {
  return {
    ...ofForm(form, about),
    compile(wanted) {
      const values = toList(wanted)
      return (facts) => (values.includes(read(facts)) ? NO_GROUPS : undefined)
    },
    read,
    describeFound: (facts) => describeValue(read(facts)),
  }
}
