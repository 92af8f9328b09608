/**
 * Checks of states beyond their shape: states that are named exist, exits are complete, and every state is reachable.
 * Like the checks of rules, these take any value and leave the shape to the schema.
 */

import { didYouMean } from '../../lib/text/did-you-mean.ts'
import { isObject } from '../../lib/text/json.ts'
import { toList } from '../../lib/text/to-list.ts'
import type { Problem } from '../check/problem.ts'

/** Names of states. Not numbers: JavaScript would sort them first, and the first state is the initial one. */
export const STATE_NAME = /^[A-Za-z][\w-]{0,99}$/

type Value = Readonly<Record<string, unknown>>

/** Checks the states of a scenario, and every mention of one in its rules. */
export function checkStates(scenario: Value): Problem[] {
  const states = isObject(scenario.states) ? scenario.states : undefined
  const names = Object.keys(states ?? {})
  const findings = [...rulesIn(scenario, 'replies'), ...rulesIn(scenario, 'faults')].flatMap(({ path, rule }) =>
    checkMention(path, rule, names),
  )
  if (states === undefined) return findings
  if (names.length === 0) findings.push({ path: ['states'], message: 'expected at least one state, got none.' })
  for (const [name, state] of Object.entries(states)) {
    findings.push(...checkName(name))
    if (isObject(state)) findings.push(...checkExit(name, state, names), ...checkRules(name, state))
  }
  return [...findings, ...checkReach(states, names)]
}

interface LocatedRule {
  readonly path: readonly (string | number)[]
  readonly rule: Value
}

function rulesIn(owner: Value, list: 'replies' | 'faults'): LocatedRule[] {
  const rules = owner[list]
  if (!Array.isArray(rules)) return []
  return rules.map((rule, index) => ({ path: [list, index], rule })).filter(({ rule }) => isObject(rule))
}

function checkMention(path: Problem['path'], { when }: Value, names: readonly string[]): Problem[] {
  if (!isObject(when)) return []
  const { state } = when
  return toList(state).flatMap((wanted, index): Problem[] => {
    if (typeof wanted !== 'string' || names.includes(wanted)) return []
    const at = [...path, 'when', 'state', ...(Array.isArray(state) ? [index] : [])]
    return [{ path: at, message: unknownState(wanted, names) }]
  })
}

function unknownState(wanted: string, names: readonly string[]): string {
  if (names.length === 0) return `expected no state, because the scenario has none, got '${wanted}'.`
  return `expected a state of the scenario (${names.join(', ')}), got '${wanted}'.${didYouMean(wanted, names)}`
}

function checkName(name: string): Problem[] {
  if (STATE_NAME.test(name) || name === '') return []
  const message = `expected a name of letters, digits, - and _ that begins with a letter, got '${name.slice(0, 100)}'.`
  return [{ path: ['states', name], message, isKey: true }]
}

function checkExit(name: string, { lasts, next }: Value, names: readonly string[]): Problem[] {
  const path = ['states', name]
  if (next !== undefined && lasts === undefined) {
    const message = "expected 'lasts' beside 'next', such as 20 calls or 30s, got none."
    return [{ path: [...path, 'next'], message, isKey: true }]
  }
  if (lasts !== undefined && next === undefined) {
    const message = "expected 'next' beside 'lasts', the state that follows, got none."
    return [{ path: [...path, 'lasts'], message, isKey: true }]
  }
  if (typeof next !== 'string' || names.includes(next)) return []
  return [{ path: [...path, 'next'], message: unknownState(next, names) }]
}

/** The faults of a state cannot use times since the start, or the condition `state`. */
function checkRules(name: string, state: Value): Problem[] {
  return rulesIn(state, 'faults').flatMap(({ path, rule }) => {
    const rulePath = ['states', name, ...path]
    const times = ['between', 'from', 'until'].filter((field) => rule[field] !== undefined)
    const findings = times.map((field): Problem => {
      const message = `expected no '${field}' in a state, because it counts from the start of the mock. End the state with 'lasts' instead.`
      return { path: [...rulePath, field], message, isKey: true }
    })
    if (!isObject(rule.when) || rule.when.state === undefined) return findings
    const message = `expected no condition 'state' in a state. The faults of '${name}' happen only in that state.`
    return [...findings, { path: [...rulePath, 'when', 'state'], message, isKey: true }]
  })
}

/**
 * If any state has `next`, every state must be reachable; without `next`, states are set by hand. If a `next` names an
 * unknown state, which is reported elsewhere, nothing is checked here.
 */
function checkReach(states: Value, names: readonly string[]): Problem[] {
  const nextOf = (name: string | undefined): unknown => {
    const state = name === undefined ? undefined : states[name]
    return isObject(state) ? state.next : undefined
  }
  const nexts = names.map(nextOf).filter((next) => next !== undefined)
  if (nexts.length === 0 || nexts.some((next) => !names.includes(next as string))) return []
  const reached = new Set<string>()
  for (let name = names[0]; name !== undefined && !reached.has(name); name = nextOf(name) as string | undefined) {
    reached.add(name)
  }
  return names
    .filter((name) => !reached.has(name))
    .map((name) => ({
      path: ['states', name],
      message: `expected a state that '${names[0]}', the first state, leads to, got one that no 'next' reaches.`,
      isKey: true,
    }))
}
