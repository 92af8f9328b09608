/**
 * The near miss: which reply rule a chat nearly matched, and what differed.
 *
 * The nearest rule has the most conditions that hold; then the fewest differences, which are conditions that fail and calls
 * that it can't make; then the text most similar to the call's; then the first position.
 */

import { toList } from '../../lib/text/json.ts'
import type { ReplyRule, Scenario } from '../compile/compile.ts'
import { matchesGlob } from '../compile/glob.ts'
import { toDifference } from '../conditions/condition.ts'
import type { Facts } from '../conditions/facts.ts'
import type { Miss } from '../conditions/when.ts'
import { type Difference, describeAll, differencesText, quoted } from './describe-values.ts'

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

interface Candidate {
  readonly rule: ReplyRule
  readonly misses: readonly Miss[]
  readonly differenceCount: number
  readonly heldCount: number
  readonly similarity: number
}

/** Finds the nearest rule; undefined if no rule is for the endpoint. In a cassette, only recorded answers count. */
export function findNearest(
  { isCassette, replies }: Pick<Scenario, 'isCassette' | 'replies'>,
  unmatched: Unmatched,
): NearMiss | undefined {
  /** The letter pairs of the call's texts, which are the same for all rules. */
  const sentPairs: SentPairs = new Map()
  let compared = 0
  let nearest: Candidate | undefined
  for (const rule of replies) {
    if (isCassette && rule.answers === undefined) continue
    const misses = rule.findMisses(unmatched.facts)
    if (misses.some(({ condition }) => condition === 'endpoint')) continue
    const differenceCount = misses.length + findObstacles(rule, unmatched, misses).length
    const heldCount = rule.conditionCount - new Set(misses.map(({ condition }) => condition)).size
    const order = nearest === undefined ? 1 : heldCount - nearest.heldCount || nearest.differenceCount - differenceCount
    if (order < 0) continue
    const similarity = ++compared > MAX_RULES ? 0 : measureSimilarity(misses, sentPairs)
    const candidate = { rule, misses, differenceCount, heldCount, similarity }
    if (nearest === undefined || order > 0 || candidate.similarity > nearest.similarity) nearest = candidate
  }
  if (nearest === undefined) return undefined
  const { ruleId } = nearest.rule
  const differences = findDifferences(nearest.rule, unmatched, nearest.misses)
  const hasMatched = differences.length === 1 && differences[0]!.explanation !== undefined
  const verb = hasMatched ? 'matched, but' : 'nearly matched:'
  return { rule: ruleId, differences, text: `${ruleId} ${verb} ${differencesText(differences)}` }
}

/** Finds why a rule did not match a call: the conditions that failed, and calls of tools that were not possible. */
export function findDifferences(
  rule: ReplyRule,
  unmatched: Unmatched,
  misses: readonly Miss[] = rule.findMisses(unmatched.facts),
): Difference[] {
  return [...misses.map(toDifference), ...findObstacles(rule, unmatched, misses)]
}

/** Finds why a rule can't call its tools although its conditions hold (see `CallContext.matchedRule`). */
function findObstacles(
  { call, code, isForResults }: ReplyRule,
  { facts, callable }: Unmatched,
  misses: readonly Miss[],
): Difference[] {
  if (call === undefined) return []
  if (facts.toolResult !== undefined && !isForResults) {
    const explanation = 'a rule without `toolResult` makes no calls after a tool result'
    return [{ field: 'toolResult', found: 'none', needed: 'as a condition of the rule', explanation }]
  }
  if (code?.field === 'call' && callable.length === 0)
    return [{ field: 'tool', found: 'none', needed: 'for the rule to call' }]
  const missing = call.find(({ name }) => !callable.includes(name))
  if (missing === undefined) return []
  // A condition on the same tool has failed already.
  const isFor = (glob: unknown): boolean => matchesGlob(String(glob), missing.name)
  if (misses.some(({ condition, wanted }) => condition === 'tool' && toList(wanted).some(isFor))) return []
  return [{ field: 'tool', found: describeAll(callable), needed: `${quoted(missing.name)}, which the rule calls` }]
}

/** Maximum number of differences in a request that are compared. */
const MAX_COMPARED = 5
/** Maximum number of rules that are compared by their texts; later ones count as not similar. 1,000 take about 50 ms. */
const MAX_RULES = 1000

type SentPairs = Map<string, ReadonlySet<string>>

/** Measures how similar a call's texts are to those that a rule wants: the best share of common letter pairs, from 0 to 1. */
function measureSimilarity(misses: readonly Miss[], sentPairs: SentPairs): number {
  let best = 0
  for (const { sent, wanted } of misses.slice(0, MAX_COMPARED)) {
    const text = [sent].flat()[0]
    if (typeof text !== 'string') continue
    const present = sentPairs.get(text) ?? letterPairs(text)
    sentPairs.set(text, present)
    for (const one of toList(wanted)) {
      // Classes such as \d and names of groups are not text that a call could contain.
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
function letterPairs(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [word] of text
    .slice(0, MAX_LETTERS)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]+/gu)) {
    for (let start = 0; start + 2 <= word.length; start++) found.add(word.slice(start, start + 2))
  }
  return found
}
