/**
 * The fields of states, and the checks that named states exist, exits are complete and every state is reachable.
 *
 *   states: { healthy: { lasts: 20 calls, next: down }, down: { lasts: 10s, next: healthy, faults: [{ fault: overloaded }] } }
 *
 * Like the checks of rules, these take any value and leave the shape to the schema.
 */

import { didYouMean } from '../../lib/text/did-you-mean.ts'
import { DURATION_PATTERN, parseDuration } from '../../lib/text/duration.ts'
import { isObject, type JsonObject, toList } from '../../lib/text/json.ts'
import { shorten } from '../../lib/text/wording.ts'
import type { Problem } from '../check/problem.ts'
import { CALL_COUNT_PATTERN } from '../compile/states.ts'
import { faultRules } from './fault-fields.ts'
import { type AddProblem, byName, isWithinDay, mapOf, nonEmpty, text } from './fields.ts'
import { pace } from './pace-fields.ts'

const LASTS = 'a number of calls or a duration, such as 20 calls or 30s (from 1ms to a day)'
const LASTS_PATTERN = new RegExp(`${CALL_COUNT_PATTERN.source}|${DURATION_PATTERN.source}`)
const lasts = text(LASTS_PATTERN, LASTS, (value) => parseDuration(value) === undefined || isWithinDay(value, 1))
const stateSettings = mapOf(
  {
    faults: faultRules.describe("faults in this state; they come before the scenario's faults"),
    pace: pace.describe("the latency of answers in this state; replaces the scenario's pace"),
    lasts: lasts.describe(`the end of the state: ${LASTS}. Default: never`),
    next: nonEmpty('the name of a state').describe('the next state'),
  },
  'the settings of a state, or {} for none',
)

/** Names of states. Not numbers: JavaScript would sort them first, and the first state is the initial one. */
export const STATE_NAME = /^[A-Za-z][\w-]{0,99}$/

export const states = byName(
  stateSettings,
  'states by name, such as { healthy: {}, down: { faults: [{ fault: overloaded }] } }',
).describe('the states of the service, for all keys together; the first one is the initial state')

/** Checks the states of a scenario, and every mention of one in its rules. */
export function checkStates(scenario: JsonObject, add: AddProblem): void {
  const given = isObject(scenario.states) ? scenario.states : {}
  const names = Object.keys(given)
  for (const list of ['replies', 'faults']) {
    for (const [index, rule] of toList(scenario[list]).entries()) {
      const wanted = isObject(rule) && isObject(rule.when) ? rule.when.state : undefined
      const path = [list, index, 'when', 'state']
      for (const [place, name] of toList(wanted).entries())
        checkMention(name, names, Array.isArray(wanted) ? [...path, place] : path, add)
    }
  }
  if (isObject(scenario.states) && names.length === 0) add(['states'], 'expected at least one state, got none.')
  for (const [name, state] of Object.entries(given)) {
    // The schema refuses an empty name.
    if (!STATE_NAME.test(name) && name !== '') {
      const message = `expected a name of letters, digits, - and _ that begins with a letter, got '${name.slice(0, 100)}'.`
      add(['states', name], message, 'key')
    }
    if (!isObject(state)) continue
    const { lasts, next } = state
    if (next !== undefined && lasts === undefined)
      add(['states', name, 'next'], "expected 'lasts' beside 'next', such as 20 calls or 30s, got none.", 'key')
    else if (lasts !== undefined && next === undefined)
      add(['states', name, 'lasts'], "expected 'next' beside 'lasts', the state that follows, got none.", 'key')
    else checkMention(next, names, ['states', name, 'next'], add)
    checkStateFaults(name, toList(state.faults), add)
  }
  checkReach(given, names, add)
}

/** Checks that a state which a condition or `next` names exists. */
function checkMention(mentioned: unknown, names: readonly string[], path: Problem['path'], add: AddProblem): void {
  if (typeof mentioned !== 'string' || names.includes(mentioned)) return
  const known = `a state of the scenario (${names.join(', ')})`
  const expected = names.length === 0 ? 'no state, because the scenario has none' : known
  add(path, `expected ${expected}, got '${shorten(mentioned)}'.${didYouMean(mentioned, names)}`)
}

/** Checks that the faults of a state have no times since the start, and no condition `state`. */
function checkStateFaults(name: string, faults: readonly unknown[], add: AddProblem): void {
  for (const [index, rule] of faults.entries()) {
    if (!isObject(rule)) continue
    const path = ['states', name, 'faults', index]
    for (const field of ['between', 'from', 'until']) {
      if (rule[field] === undefined) continue
      const message = `expected no '${field}' in a state, because it counts from the start of the mock. End the state with 'lasts' instead.`
      add([...path, field], message, 'key')
    }
    const message = `expected no condition 'state' in a state. The faults of '${name}' happen only in that state.`
    if (isObject(rule.when) && rule.when.state !== undefined) add([...path, 'when', 'state'], message, 'key')
  }
}

/**
 * Checks that every state is reachable if any has `next`; without `next`, states are set by hand. If a `next` names an
 * unknown state, which is reported elsewhere, nothing is checked here.
 */
function checkReach(states: JsonObject, names: readonly string[], add: AddProblem): void {
  const nextOf = (name: string): unknown => (isObject(states[name]) ? states[name].next : undefined)
  const nexts = names.map(nextOf).filter((next) => next !== undefined)
  if (nexts.length === 0 || nexts.some((next) => !names.includes(next as string))) return
  const reached = new Set<unknown>()
  let name: unknown = names[0]
  while (name !== undefined && !reached.has(name)) {
    reached.add(name)
    name = nextOf(name as string)
  }
  const message = `expected a state that '${names[0]}', the first state, leads to, got one that no 'next' reaches.`
  for (const state of names) if (!reached.has(state)) add(['states', state], message, 'key')
}
