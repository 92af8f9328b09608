/**
 * The near miss: which reply rule a chat nearly matched, and what differed.
 *
 * The nearest is the rule with the fewest conditions that fail; of these the one with the most that hold; of these the
 * one whose text has the most in common with the call's; then the first.
 */
import type { ReplyRule } from '../compile/compile.ts'
import type { Facts, Miss } from '../compile/when.ts'
import { type Difference, differencesText, foundIn, neededBy } from './differences.ts'

export interface NearMiss {
  /** Where the rule stands: `replies[2]`. */
  readonly rule: string
  readonly differences: readonly Difference[]
  /** `replies[2] nearly matched: user is 'Hello', and needed is /weather/` */
  readonly text: string
}

/** What rules are held against. */
export interface Unmatched {
  readonly facts: Facts
  /** The names of the tools that the call may be answered with. */
  readonly callable: readonly string[]
}

/** The rule that came nearest; undefined when there is none for chats. */
export function nearestRule(rules: readonly ReplyRule[], unmatched: Unmatched): NearMiss | undefined {
  const misses = rules.map((rule): Candidate => {
    const missed = rule.misses(unmatched.facts)
    const differences = [...missed.map((miss) => differenceOf(miss, unmatched.facts)), ...obstacles(rule, unmatched)]
    return { rule, differences, held: rule.conditions - missed.length, likeness: likenessOf(missed, unmatched.facts) }
  })
  const nearest = misses
    .filter(({ differences }) => differences.every(({ field }) => field !== 'endpoint'))
    .sort((a, b) => a.differences.length - b.differences.length || b.held - a.held || b.likeness - a.likeness)[0]
  if (nearest === undefined) return undefined
  const { rule, differences } = nearest
  return { rule: rule.ruleId, differences, text: `${rule.ruleId} nearly matched: ${differencesText(differences)}` }
}

interface Candidate {
  readonly rule: ReplyRule
  readonly differences: readonly Difference[]
  /** How many conditions hold. */
  readonly held: number
  /** From 0 to 1. */
  readonly likeness: number
}

const differenceOf = ({ field, wanted }: Miss, facts: Facts): Difference => ({
  field,
  found: foundIn(facts, field),
  needed: neededBy(field, wanted),
})

/** What keeps a rule from its calls though its conditions hold; see Turn. */
function obstacles({ call, isForResults }: ReplyRule, { facts, callable }: Unmatched): Difference[] {
  if (call === undefined) return []
  if (facts.toolResult !== undefined && !isForResults) {
    const found = "a tool's result, after which only a rule for results calls"
    return [{ field: 'the last message', found, needed: 'toolResult among the conditions' }]
  }
  const missing = call.find(({ name }) => !callable.includes(name))
  if (missing === undefined) return []
  const found = callable.length === 0 ? 'none' : callable.join(', ')
  return [{ field: 'the tool to call', found, needed: `'${missing.name}', which the rule calls` }]
}

/** How much of what the failed texts need occurs in the call's: the best share of pairs of letters. */
function likenessOf(misses: readonly Miss[], facts: Facts): number {
  let best = 0
  for (const { field, wanted } of misses) {
    const text = (facts as unknown as Readonly<Record<string, unknown>>)[field]
    if (typeof text !== 'string') continue
    const there = pairs(text)
    for (const one of [wanted].flat()) {
      const needed = [...pairs(String(one).replace(/\\[a-z]|\(\?<\w+>/gi, ' '))]
      const shared = needed.filter((pair) => there.has(pair)).length
      if (shared > 0) best = Math.max(best, shared / needed.length)
    }
  }
  return best
}

// Of a long prompt the beginning must do.
const MAX_LETTERS = 10_000

/** The pairs of letters in a text's words. */
function pairs(text: string): Set<string> {
  const words =
    text
      .slice(0, MAX_LETTERS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const found = new Set<string>()
  for (const word of words) {
    for (let start = 0; start + 2 <= word.length; start++) found.add(word.slice(start, start + 2))
  }
  return found
}
