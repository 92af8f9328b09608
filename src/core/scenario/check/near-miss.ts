/**
 * The near miss: which reply rule a chat nearly matched, and what differed.
 *
 *   replies[2] nearly matched: expected user /weather/, got 'Hello'
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

/** A chat that no rule matched. */
export interface Unmatched {
  readonly facts: Facts
  /** The names of the tools that an answer may call. */
  readonly callable: readonly string[]
}

/** Maximum number of rules that are compared by their texts; later ones count as not similar. 1,000 take about 50 ms. */
const MAX_RULES = 1000

/** The rule that a chat nearly matched. */
export type NearMiss = Readonly<NonNullable<ReturnType<typeof findNearest>>>

/** Finds the nearest rule; undefined if no rule is for the endpoint. In a cassette, only recorded answers count. */
export function findNearest({ isCassette, replies }: Pick<Scenario, 'isCassette' | 'replies'>, unmatched: Unmatched) {
  const sentPairs: SentPairs = new Map()
  let comparedRules = 0
  let nearest: Candidate | undefined
  for (const rule of replies) {
    if (isCassette && rule.answers === undefined) continue
    const misses = rule.findMisses(unmatched.facts)
    if (misses.some(({ condition }) => condition === 'endpoint')) continue
    const failedConditions = new Set(misses.map(({ condition }) => condition))
    const heldCount = rule.conditionCount - failedConditions.size
    const differenceCount = misses.length + findObstacles(rule, unmatched, misses).length
    // Above 0 if this rule is nearer than the nearest so far, 0 if their texts decide.
    let lead = 1
    if (nearest !== undefined) lead = heldCount - nearest.heldCount || nearest.differenceCount - differenceCount
    if (lead < 0) continue
    comparedRules++
    const similarity = comparedRules > MAX_RULES ? 0 : measureSimilarity(misses, sentPairs)
    if (nearest === undefined || lead > 0 || similarity > nearest.similarity)
      nearest = { rule, misses, heldCount, differenceCount, similarity }
  }
  if (nearest === undefined) return undefined
  const { ruleId } = nearest.rule
  const differences = findDifferences(nearest.rule, unmatched, nearest.misses)
  // An explanation alone stands for calls that are not possible: the conditions hold.
  const hasMatched = differences.length === 1 && differences[0]!.explanation !== undefined
  const verb = hasMatched ? 'matched, but' : 'nearly matched:'
  return {
    /** The rule's id: `replies[2]`. */
    rule: ruleId,
    differences: differences as readonly Difference[],
    /** `replies[2] nearly matched: expected user /weather/, got 'Hello'` */
    text: `${ruleId} ${verb} ${differencesText(differences)}`,
  }
}

/** A rule that may be the nearest one. */
interface Candidate {
  readonly rule: ReplyRule
  readonly misses: readonly Miss[]
  /** The number of conditions that hold. */
  readonly heldCount: number
  /** The number of conditions that fail, and of calls that the rule can't make. */
  readonly differenceCount: number
  /** From 0 to 1. */
  readonly similarity: number
}

/** Finds why a rule did not match a call: the conditions that failed, and calls of tools that were not possible. */
export function findDifferences(
  rule: ReplyRule,
  unmatched: Unmatched,
  misses: readonly Miss[] = rule.findMisses(unmatched.facts),
): Difference[] {
  return [...misses.map(toDifference), ...findObstacles(rule, unmatched, misses)]
}

/** Finds why a rule can't call its tools although its conditions hold (see `findReplyRule`). */
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
  // If a condition on the same tool has failed, it is among the misses already.
  const isThisTool = (glob: unknown): boolean => matchesGlob(String(glob), missing.name)
  if (misses.some(({ condition, wanted }) => condition === 'tool' && toList(wanted).some(isThisTool))) return []
  return [{ field: 'tool', found: describeAll(callable), needed: `${quoted(missing.name)}, which the rule calls` }]
}

/** Maximum number of differences in a request that are compared. */
const MAX_COMPARED = 5

/** The letter pairs of each text of the call, which are the same for all rules. Filled while rules are compared. */
type SentPairs = Map<string, ReadonlySet<string>>

/** Measures how similar a call's texts are to those that a rule wants: the best share of common letter pairs, from 0 to 1. */
function measureSimilarity(misses: readonly Miss[], sentPairs: SentPairs): number {
  let best = 0
  for (const { sent, wanted } of misses.slice(0, MAX_COMPARED)) {
    // Of several texts, only the first one is compared.
    const [text] = [sent].flat()
    if (typeof text !== 'string') continue
    const present = sentPairs.get(text) ?? letterPairs(text)
    sentPairs.set(text, present)
    for (const wantedText of toList(wanted)) {
      // Classes such as \d and names of groups are not text that a call could contain.
      const needed = [...letterPairs(String(wantedText).replace(/\\[a-z]|\(\?<\w+>/gi, ' '))]
      const shared = needed.filter((pair) => present.has(pair)).length
      if (shared > 0) best = Math.max(best, shared / needed.length)
    }
  }
  return best
}

// Only the beginning of a long prompt is compared.
const MAX_LETTERS = 10_000

/** The pairs of letters in a text's words: `Hi you` -> `hi`, `yo`, `ou`. */
function letterPairs(text: string): ReadonlySet<string> {
  const pairs = new Set<string>()
  const compared = text.slice(0, MAX_LETTERS).toLowerCase()
  for (const [word] of compared.matchAll(/[\p{L}\p{N}]+/gu)) {
    for (let start = 0; start + 2 <= word.length; start++) pairs.add(word.slice(start, start + 2))
  }
  return pairs
}
