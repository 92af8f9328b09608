/**
 * The near miss: which reply rule a chat nearly matched, and what differed.
 *
 * The nearest rule has the fewest failed conditions; then the most conditions that hold; then the text most similar to the
 * call's; then the first position.
 */

import { toList } from '../../text/to-list.ts'
import type { ReplyRule } from '../compile/compile.ts'
import type { Miss } from '../compile/when.ts'
import { conditions } from '../conditions/catalogue.ts'
import type { Facts } from '../conditions/facts.ts'
import { describeAll, quoted } from './describe.ts'
import { type Difference, differencesText } from './differences.ts'

export interface NearMiss {
  /** The rule's id: `replies[2]`. */
  readonly rule: string
  readonly differences: readonly Difference[]
  /** `replies[2] nearly matched: expected user /weather/, got 'Hello'` */
  readonly text: string
}

/** A chat that no rule matched. */
export interface Unmatched {
  readonly facts: Facts
  /** The names of the tools that an answer may call. */
  readonly callable: readonly string[]
}

/** Finds the nearest rule; undefined if no rule is for chats. */
export function nearestRule(rules: readonly ReplyRule[], unmatched: Unmatched): NearMiss | undefined {
  const misses = rules.map((rule) => {
    const missed = rule.misses(unmatched.facts)
    return {
      rule,
      differences: findDifferences(rule, unmatched, missed),
      held: rule.conditions - missed.length,
      similarity: measureSimilarity(missed, unmatched.facts),
    }
  })
  const nearest = misses
    .filter(({ differences }) => differences.every(({ field }) => field !== 'endpoint'))
    .sort((a, b) => a.differences.length - b.differences.length || b.held - a.held || b.similarity - a.similarity)[0]
  if (nearest === undefined) return undefined
  const { rule, differences } = nearest
  return { rule: rule.ruleId, differences, text: `${rule.ruleId} nearly matched: ${differencesText(differences)}` }
}

/** Why a rule did not match a call: the conditions that failed, and calls of tools that were not possible. */
export function findDifferences(
  rule: ReplyRule,
  unmatched: Unmatched,
  missed: readonly Miss[] = rule.misses(unmatched.facts),
): Difference[] {
  return [...missed.map(({ field, found, needed }) => ({ field, found, needed })), ...findObstacles(rule, unmatched)]
}

/** Why a rule can't call its tools although its conditions hold (see `CallContext.matchedRule`). */
function findObstacles({ call, isForResults }: ReplyRule, { facts, callable }: Unmatched): Difference[] {
  if (call === undefined) return []
  if (facts.toolResult !== undefined && !isForResults) {
    const needed = "as a condition of the rule, because the chat ends with a tool's result"
    return [{ field: 'toolResult', found: 'none', needed }]
  }
  const missing = call.find(({ name }) => !callable.includes(name))
  if (missing === undefined) return []
  return [{ field: 'tool', found: describeAll(callable), needed: `${quoted(missing.name)}, which the rule calls` }]
}

/** How similar the call's texts are to the wanted ones: the best share of common letter pairs, from 0 to 1. */
function measureSimilarity(misses: readonly Miss[], facts: Facts): number {
  let best = 0
  for (const { field, wanted } of misses) {
    const text = [conditions[field]!.read(facts)].flat()[0]
    if (typeof text !== 'string') continue
    const present = letterPairs(text)
    for (const one of toList(wanted)) {
      const needed = [...letterPairs(String(one).replace(/\\[a-z]|\(\?<\w+>/gi, ' '))]
      const shared = needed.filter((pair) => present.has(pair)).length
      if (shared > 0) best = Math.max(best, shared / needed.length)
    }
  }
  return best
}

// Only the beginning of a long prompt is compared.
const MAX_LETTERS = 10_000

/** The pairs of letters in a text's words. */
function letterPairs(text: string): Set<string> {
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
