/** Finds everything wrong with a scenario at once, each problem as "expected X, got Y" at its own path. Loads the schema. */
import type { z } from 'zod'
import { didYouMean } from '../../lib/text/did-you-mean.ts'
import { isObject, type JsonObject } from '../../lib/text/json.ts'
import { escapeControls, shorten } from '../../lib/text/wording.ts'
import { OPTION_NAMES } from '../compile/fault-settings.ts'
import { scenarioSchema } from '../grammar/scenario-schema.ts'
import type { ScenarioSource } from '../scenario-source.ts'
import { type Problem, shown } from './problem.ts'
import { looksLikeCode, suggestField, suggestQuantity } from './suggestions.ts'

/** All problems of a scenario, or a fresh copy of it that is checked. */
export function checkSource(source: unknown): { problems: Problem[]; checked?: ScenarioSource } {
  const { success, error, data } = scenarioSchema.safeParse(source)
  const sessions = checkSessions(isObject(source) && isObject(source.keys) ? source.keys : {})
  const problems = [...(error?.issues ?? []).flatMap((issue) => toProblems(issue, [], source)), ...sessions.problems]
  if (!success || problems.length > 0) return { problems }
  // The type lists the texts that an option may be; readFault has checked them.
  const checked = data as ScenarioSource
  const keys = Object.entries(checked.keys ?? {}).map(([key, settings]) => {
    const scenario = sessions.checked.get(key) as typeof settings.scenario
    return [key, scenario === undefined ? settings : { ...settings, scenario }] as const
  })
  return { problems, checked: sessions.checked.size === 0 ? checked : { ...checked, keys: Object.fromEntries(keys) } }
}

/** Checks the scenarios that keys have in the place of a name. */
function checkSessions(keys: JsonObject): { problems: Problem[]; checked: Map<string, ScenarioSource> } {
  const problems: Problem[] = []
  const checked = new Map<string, ScenarioSource>()
  for (const [key, settings] of Object.entries(keys)) {
    if (!isObject(settings) || !isObject(settings.scenario)) continue
    const found = checkSource(settings.scenario)
    if (found.checked !== undefined) checked.set(key, found.checked)
    problems.push(...found.problems.map((one) => ({ ...one, path: ['keys', key, 'scenario', ...one.path] })))
  }
  return { problems, checked }
}

type Issue = z.core.$ZodIssue

/** Converts an issue of zod, whose message is what the schema expects (see scenario-schema.ts). */
function toProblems(issue: Issue, parent: Problem['path'], source: unknown): Problem[] {
  const path = [...parent, ...(issue.path as (string | number)[])]
  const allowed = issue.message
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], message: unknownField(key, path, allowed), isKey: true }))
    case 'invalid_key': {
      const name = String(path.at(-1))
      const got = name === '' ? 'an empty name' : `'${escapeControls(shorten(name))}'`
      return [{ path, message: `expected ${allowed}, got ${got}.`, isKey: true }]
    }
    case 'invalid_union': {
      // If a form fits on the outside, such as a list, the problems inside it are more precise.
      const inside = issue.errors.find((issues) => issues.length > 0 && issues.every((one) => one.path.length > 0))
      if (inside !== undefined) return inside.flatMap((one) => toProblems(one, path, source))
      break
    }
    case 'custom':
      // Checks have complete messages; a refined value has only what is expected.
      if (issue.params !== undefined) return [{ path, message: allowed, ...(issue.params.isKey && { isKey: true }) }]
      break
    default:
  }
  const value = path.reduce<unknown>((part, step) => (part as JsonObject | undefined)?.[step], source)
  if (value === undefined) return [{ path, message: `expected ${allowed}, got nothing.` }]
  const isWord = issue.code === 'invalid_value' && typeof value === 'string'
  const near = isWord
    ? didYouMean(value, issue.values.map(String))
    : looksLikeCode(value)
      ? ' Only a scenario in code can have functions.'
      : suggestQuantity(value, allowed)
  return [{ path, message: `expected ${allowed}, got ${shown(value)}.${near}` }]
}

const MAX_LISTED = 14

function unknownField(field: string, path: Problem['path'], expected: string): string {
  const known = expected.split(', ')
  const near = suggestField(field, path, known)
  const options: readonly string[] = known.includes('fault') ? OPTION_NAMES : []
  const listed = known.filter((name) => !options.includes(name))
  const all = `Expected one of ${listed.join(', ')}${options.length === 0 ? '' : ', or an option of its fault'}`
  const list = listed.length > MAX_LISTED ? 'scenario.schema.json lists all fields' : all
  return `unknown field ${shown(field)}.${near === '' ? ` ${list}.` : near}`
}
