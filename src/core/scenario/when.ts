/** The conditions of a rule, compiled to one function from the facts of a call to what the rule caught. */
import { type PatternCompiler, patternParts } from './pattern-text.ts'
import type { ScenarioSource } from './schema.ts'

/** What conditions look at. */
export interface Facts {
  readonly endpoint: 'chat' | 'embeddings' | 'models'
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
}

/** Named groups that a matching rule caught; undefined when it does not match. */
export type Match = (facts: Facts) => Readonly<Record<string, string>> | undefined

type When = NonNullable<NonNullable<ScenarioSource['replies']>[number]['when']>
const NO_GROUPS = Object.freeze({})

/** All conditions of a rule in one function; the cheap ones come first. */
export function compileWhen(when: When | undefined, compilePattern: PatternCompiler): Match {
  if (when === undefined) return () => NO_GROUPS
  const tests: Match[] = []
  const add = (holds: (facts: Facts) => boolean): void => {
    tests.push((facts) => (holds(facts) ? NO_GROUPS : undefined))
  }
  const { endpoint, stream, attempt, state, turn, model, key, tool } = when
  if (endpoint !== undefined) add((facts) => facts.endpoint === endpoint)
  if (stream !== undefined) add((facts) => facts.stream === stream)
  if (attempt !== undefined) add((facts) => isOneOf(attempt, facts.attempt))
  if (state !== undefined) add((facts) => isOneOf(state, facts.state))
  if (turn !== undefined) add((facts) => isOneOf(turn, facts.turn))
  if (model !== undefined) add((facts) => matchesName(model, facts.model))
  if (key !== undefined) add((facts) => matchesName(key, facts.key))
  if (tool !== undefined) add((facts) => facts.tools.some((offered) => matchesName(tool, offered)))
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

type TextTest = (text: string) => Readonly<Record<string, string>> | undefined

function compileTexts(wanted: readonly string[], compilePattern: PatternCompiler): TextTest {
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

/** Linear glob match: the parts between the stars must follow one another; the first and last are anchored. */
export function matchesGlob(glob: string, name: string): boolean {
  const parts = glob.split('*')
  if (parts.length === 1) return glob === name
  const first = parts[0]!
  const last = parts.at(-1)!
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  let place = first.length
  const end = name.length - last.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, place)
    if (found < 0 || found + part.length > end) return false
    place = found + part.length
  }
  return true
}
