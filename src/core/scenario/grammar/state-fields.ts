/**
 * The fields of states, and the checks that named states exist, exits are complete and every state is reachable.
 *
 * Like the checks of rules, these take any value and leave the shape to the schema.
 */

import { didYouMean } from '../../lib/text/did-you-mean.ts'
import { DURATION_PATTERN, parseDuration } from '../../lib/text/duration.ts'
import { isObject, type JsonObject, toList } from '../../lib/text/json.ts'
import type { Problem } from '../check/problem.ts'
import { CALL_COUNT_PATTERN } from '../compile/call-count.ts'
import { faultRules } from './fault-fields.ts'
import { byName, isWithinDay, only, plain, text } from './fields.ts'
import { pace } from './pace-fields.ts'

const LASTS = 'a number of calls or a duration, such as 20 calls or 30s (from 1ms to a day)'
const LASTING = new RegExp(`${CALL_COUNT_PATTERN.source}|${DURATION_PATTERN.source}`)
const lasts = text(LASTING, LASTS, (value) => parseDuration(value) === undefined || isWithinDay(value, 1))
const state = only(
  {
    faults: faultRules.describe("faults in this state; they come before the scenario's faults"),
    pace: pace.describe("the latency of answers in this state; replaces the scenario's pace"),
    lasts: lasts.describe(`the end of the state: ${LASTS}. Default: never`),
    next: plain('the name of a state').describe('the next state'),
  },
  'the settings of a state, or {} for none',
)

/** Names of states. Not numbers: JavaScript would sort them first, and the first state is the initial one. */
export const STATE_NAME = /^[A-Za-z][\w-]{0,99}$/

export const states = byName(
  state,
  'states by name, such as { healthy: {}, down: { faults: [{ fault: overloaded }] } }',
).describe('the states of the service, for all keys together; the first one is the initial state')

/** Checks the states of a scenario, and every mention of one in its rules. */
export function checkStates(scenario: JsonObject): Problem[] {
  const states = isObject(scenario.states) ? scenario.states : undefined
  const names = Object.keys(states ?? {})
  const problems = ['replies', 'faults'].flatMap((list) =>
    [scenario[list]].flat().flatMap((rule, index) => checkMention(rule, [list, index, 'when', 'state'], names)),
  )
  if (states === undefined) return problems
  if (names.length === 0) problems.push({ path: ['states'], message: 'expected at least one state, got none.' })
  for (const [name, state] of Object.entries(states)) {
    if (!STATE_NAME.test(name) && name !== '') {
      const message = `expected a name of letters, digits, - and _ that begins with a letter, got '${name.slice(0, 100)}'.`
      problems.push({ path: ['states', name], message, isKey: true })
    }
    if (isObject(state)) problems.push(...checkExit(name, state, names), ...checkStateFaults(name, state))
  }
  return [...problems, ...checkReach(states, names)]
}

/** Checks the states that the condition of a rule names. */
function checkMention(rule: unknown, path: Problem['path'], names: readonly string[]): Problem[] {
  const wanted = isObject(rule) && isObject(rule.when) ? rule.when.state : undefined
  return toList(wanted).flatMap((name, index): Problem[] => {
    if (typeof name !== 'string' || names.includes(name)) return []
    return [{ path: Array.isArray(wanted) ? [...path, index] : path, message: unknownState(name, names) }]
  })
}

function unknownState(wanted: string, names: readonly string[]): string {
  if (names.length === 0) return `expected no state, because the scenario has none, got '${wanted}'.`
  return `expected a state of the scenario (${names.join(', ')}), got '${wanted}'.${didYouMean(wanted, names)}`
}

/** Checks that `lasts` and `next` are given together, and that the next state exists. */
function checkExit(name: string, { lasts, next }: JsonObject, names: readonly string[]): Problem[] {
  if (next !== undefined && lasts === undefined) {
    const message = "expected 'lasts' beside 'next', such as 20 calls or 30s, got none."
    return [{ path: ['states', name, 'next'], message, isKey: true }]
  }
  if (lasts !== undefined && next === undefined) {
    const message = "expected 'next' beside 'lasts', the state that follows, got none."
    return [{ path: ['states', name, 'lasts'], message, isKey: true }]
  }
  if (typeof next !== 'string' || names.includes(next)) return []
  return [{ path: ['states', name, 'next'], message: unknownState(next, names) }]
}

/** Checks that the faults of a state have no times since the start, and no condition `state`. */
function checkStateFaults(name: string, { faults }: JsonObject): Problem[] {
  return [faults].flat().flatMap((rule, index) => {
    if (!isObject(rule)) return []
    const path = ['states', name, 'faults', index]
    const times = ['between', 'from', 'until'].filter((field) => rule[field] !== undefined)
    const problems = times.map((field): Problem => {
      const message = `expected no '${field}' in a state, because it counts from the start of the mock. End the state with 'lasts' instead.`
      return { path: [...path, field], message, isKey: true }
    })
    if (isObject(rule.when) && rule.when.state !== undefined) {
      const message = `expected no condition 'state' in a state. The faults of '${name}' happen only in that state.`
      problems.push({ path: [...path, 'when', 'state'], message, isKey: true })
    }
    return problems
  })
}

/**
 * Checks that every state is reachable if any has `next`; without `next`, states are set by hand. If a `next` names an
 * unknown state, which is reported elsewhere, nothing is checked here.
 */
function checkReach(states: JsonObject, names: readonly string[]): Problem[] {
  const nextOf = Object.fromEntries(Object.entries(states).map(([name, one]) => [name, isObject(one) && one.next]))
  const nexts = Object.values(nextOf).filter((next) => next !== undefined && next !== false)
  if (nexts.length === 0 || nexts.some((next) => !names.includes(next as string))) return []
  const reached = new Set<unknown>()
  for (let name: unknown = names[0]; typeof name === 'string' && !reached.has(name); name = nextOf[name])
    reached.add(name)
  return names
    .filter((name) => !reached.has(name))
    .map((name) => ({
      path: ['states', name],
      message: `expected a state that '${names[0]}', the first state, leads to, got one that no 'next' reaches.`,
      isKey: true,
    }))
}
