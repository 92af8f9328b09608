/**
 * Finds everything wrong with a scenario at once, each problem as "expected X, got Y" at its own path. Loads the schema.
 *
 *   checkSource({ description: 'x', seed: true })
 *   { problems: [{ path: ['seed'], message: 'expected a whole number or a text, got true.' }] }
 */
import type { z } from 'zod'
import { didYouMean } from '../../lib/text/did-you-mean.ts'
import { isObject, type JsonObject } from '../../lib/text/json.ts'
import { escapeControls, shorten } from '../../lib/text/wording.ts'
import { isOptionName } from '../compile/fault-settings.ts'
import { scenarioSchema } from '../grammar/scenario-schema.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import { type Problem, shown } from './problem.ts'
import { suggestField, suggestQuantity } from './suggestions.ts'

/** All problems of a scenario; or none, and a checked copy of it. */
export function checkSource(source: unknown): { problems: Problem[]; checked?: ScenarioSource } {
  const { error, data } = scenarioSchema.safeParse(source)
  const problems = (error?.issues ?? []).flatMap((issue) => toProblems(issue, [], source))
  const keys = isObject(source) && isObject(source.keys) ? source.keys : {}
  for (const [key, settings] of Object.entries(keys)) {
    // In code, a key may have the scenario of its session.
    if (!isObject(settings) || !isObject(settings.scenario)) continue
    for (const problem of checkSource(settings.scenario).problems)
      problems.push({ ...problem, path: ['keys', key, 'scenario', ...problem.path] })
  }
  // The type lists the texts that an option may be; readFault has checked them.
  return problems.length > 0 ? { problems } : { problems, checked: data as ScenarioSource }
}

type Issue = z.core.$ZodIssue

/**
 * Converts an issue of zod, whose message is what the schema expects (see grammar/fields.ts).
 * @param parent the path of the value that the issue's own path starts from.
 */
function toProblems(issue: Issue, parent: Problem['path'], source: unknown): Problem[] {
  const path = [...parent, ...(issue.path as (string | number)[])]
  const expected = issue.message
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], message: refuseField(key, path, expected), isKey: true }))
    case 'invalid_key': {
      const name = String(path.at(-1))
      const got = name === '' ? 'an empty name' : `'${escapeControls(shorten(name))}'`
      return [{ path, message: `expected ${expected}, got ${got}.`, isKey: true }]
    }
    case 'invalid_union': {
      // If a form fits on the outside, such as a list, the problems inside it are more precise.
      const inside = issue.errors.find((issues) => issues.length > 0 && issues.every((each) => each.path.length > 0))
      if (inside !== undefined) return inside.flatMap((each) => toProblems(each, path, source))
      break
    }
    case 'custom':
      // The checks of `checkedBy` set params, and their message is complete. Without them, the message is what is expected.
      if (issue.params !== undefined) return [{ path, message: expected, ...(issue.params.isKey && { isKey: true }) }]
      break
    default:
  }
  const value = path.reduce<unknown>((part, step) => (part as JsonObject | undefined)?.[step], source)
  if (value === undefined) return [{ path, message: `expected ${expected}, got nothing.` }]
  const isWrongName = issue.code === 'invalid_value' && typeof value === 'string'
  const suggestion = isWrongName ? didYouMean(value, issue.values.map(String)) : suggestQuantity(value, expected)
  return [{ path, message: `expected ${expected}, got ${shown(value)}.${suggestion}` }]
}

const MAX_LISTED = 14

/** @param path that of the map with the field. @param expected its known fields: `when, say, call`. */
function refuseField(field: string, path: Problem['path'], expected: string): string {
  const known = expected.split(', ')
  const suggestion = suggestField(field, path, known)
  if (suggestion !== '') return `unknown field ${shown(field)}.${suggestion}`
  // The options of all faults would be a long list.
  const takesFault = known.includes('fault')
  const listed = takesFault ? known.filter((name) => !isOptionName(name)) : known
  if (listed.length > MAX_LISTED) return `unknown field ${shown(field)}. scenario.schema.json lists all fields.`
  const options = takesFault ? ', or an option of its fault' : ''
  return `unknown field ${shown(field)}. Expected one of ${listed.join(', ')}${options}.`
}
