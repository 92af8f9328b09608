/** The conditions of a rule, compiled to one function from the facts of a call to what the rule caught. */
import type { RoutedEndpoint } from '../../request/endpoints.ts'
import type { JsonObject } from '../../text/json.ts'
import type { ScenarioSource } from '../grammar/schema.ts'
import { matchesGlob } from './glob.ts'
import { type PatternCompiler, patternParts } from './pattern-text.ts'
import { compileRequest } from './request.ts'

/** What conditions look at. */
export interface Facts {
  readonly endpoint: RoutedEndpoint
  readonly key: string
  readonly model: string
  readonly attempt: number
  /** The state that the scenario is in; undefined when it has none. */
  readonly state: string | undefined
  /** Whether the call asks for a stream. */
  readonly stream: boolean
  /** The number of user messages so far; 0 for embeddings. */
  readonly turn: number
  readonly user: string
  readonly system: string
  readonly toolResult: string | undefined
  readonly tools: readonly string[]
  /** The parsed body, and as it came. */
  readonly body: JsonObject
  readonly bodyText: string | undefined
}

/** Named groups that a matching rule caught; undefined when it does not match. */
export type Match = (facts: Facts) => Readonly<Record<string, string>> | undefined

export type When = NonNullable<NonNullable<ScenarioSource['replies']>[number]['when']>
const NO_GROUPS = Object.freeze({})

/** All conditions of a rule in one function; the cheap ones come first. */
export function compileWhen(when: When | undefined, compilePattern: PatternCompiler): Match {
  if (when === undefined) return () => NO_GROUPS
  const tests: Match[] = []
  const add = (holds: (facts: Facts) => boolean): void => {
    tests.push((facts) => (holds(facts) ? NO_GROUPS : undefined))
  }
  const { endpoint, stream, attempt, state, turn, model, key, tool, request } = when
  if (endpoint !== undefined) add((facts) => facts.endpoint === endpoint)
  if (stream !== undefined) add((facts) => facts.stream === stream)
  if (attempt !== undefined) add((facts) => isOneOf(attempt, facts.attempt))
  if (state !== undefined) add((facts) => isOneOf(state, facts.state))
  if (turn !== undefined) add((facts) => isOneOf(turn, facts.turn))
  if (model !== undefined) add((facts) => matchesName(model, facts.model))
  if (key !== undefined) add((facts) => matchesName(key, facts.key))
  if (tool !== undefined) add((facts) => facts.tools.some((offered) => matchesName(tool, offered)))
  if (request !== undefined) add(compileRequest(request))
  for (const field of ['user', 'system', 'toolResult'] as const) {
    const wanted = when[field]
    if (wanted === undefined) continue
    const test = compileTexts([wanted].flat(), compilePattern)
    tests.push((facts) => {
      const value = facts[field]
      return value === undefined ? undefined : test(value)
    })
  }
  return (facts) => {
    let groups: Record<string, string> | undefined
    for (const test of tests) {
      const caught = test(facts)
      if (caught === undefined) return undefined
      if (caught !== NO_GROUPS) groups = { ...groups, ...caught }
    }
    return groups ?? NO_GROUPS
  }
}

/** A condition that does not hold, with what it needs as it is written. */
export interface Miss {
  readonly field: string
  readonly wanted: unknown
}

/**
 * The conditions of a rule that fail, each judged by itself. They are compiled when first asked for: only a call that
 * no rule matches asks.
 */
export function compileMisses(
  when: When | undefined,
  compilePattern: PatternCompiler,
): (facts: Facts) => readonly Miss[] {
  let conditions: (Miss & { readonly match: Match })[] | undefined
  return (facts) => {
    conditions ??= Object.entries(when ?? {})
      .filter(([, wanted]) => wanted !== undefined)
      .map(([field, wanted]) => ({ field, wanted, match: compileWhen({ [field]: wanted }, compilePattern) }))
    return conditions.filter(({ match }) => match(facts) === undefined)
  }
}

type TextTest = (text: string) => Readonly<Record<string, string>> | undefined

/** Whether one of the texts or patterns occurs in a text. */
export function compileTexts(wanted: readonly string[], compilePattern: PatternCompiler): TextTest {
  const tests = wanted.map((one): TextTest => {
    const parts = patternParts(one)
    if (parts !== undefined) return compilePattern(parts.source, parts.flags)
    const lower = one.toLowerCase()
    return (text) => (text.toLowerCase().includes(lower) ? NO_GROUPS : undefined)
  })
  return (text) => {
    for (const test of tests) {
      const caught = test(text)
      if (caught !== undefined) return caught
    }
    return undefined
  }
}

const isOneOf = <Value>(wanted: Value | readonly Value[], value: Value | undefined): boolean =>
  Array.isArray(wanted) ? wanted.includes(value) : wanted === value

/** Whether a name is one of `wanted`, in which `*` stands for any characters. */
function matchesName(wanted: string | readonly string[], name: string): boolean {
  return typeof wanted === 'string' ? matchesGlob(wanted, name) : wanted.some((one) => matchesGlob(one, name))
}
