/** Checks the `{{placeholders}}` in the answer of a rule. */

import { isObject } from '../../lib/text/json.ts'
import { toList } from '../../lib/text/to-list.ts'
import type { Problem } from '../check/problem.ts'
import { findPlaceholderProblems } from '../compile/template.ts'
import { conditions } from '../conditions/catalogue.ts'

type Path = Problem['path']

/** Every placeholder is a value of the call or a named group of the rule's own patterns. */
export function checkPlaceholders({ say, call, refuse, when }: Readonly<Record<string, unknown>>): Problem[] {
  const wanted = isObject(when) ? Object.entries(when) : []
  const patterns = wanted
    .filter(([name]) => Object.hasOwn(conditions, name) && conditions[name]!.takesPatterns === true)
    .flatMap(([, value]) => toList(value))
    .filter((value) => typeof value === 'string')
  return [...textsIn(say, ['say']), ...textsIn(call, ['call']), ...textsIn(refuse, ['refuse'])].flatMap(
    ({ text, path }) => findPlaceholderProblems(text, patterns).map((message) => ({ path, message })),
  )
}

/** The texts in a value, however deep. */
function textsIn(value: unknown, path: Path): { readonly text: string; readonly path: Path }[] {
  if (typeof value === 'string') return [{ text: value, path }]
  if (typeof value !== 'object' || value === null) return []
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, [...path, isList ? Number(key) : key]))
}
