/**
 * What states must fulfil beyond their shape: names that exist, a way out that is whole, and no state that nothing
 * leads to. Like the checks of rules, these take any value and leave the shape to the schema.
 */
import { didYouMean } from '../../text/did-you-mean.ts'
import type { Finding } from './rule-checks.ts'

/** What a state may be called. Not a number: JavaScript would sort it before the others, and the first is the start. */
export const STATE_NAME = /^[A-Za-z][\w-]{0,99}$/

type Value = Readonly<Record<string, unknown>>

/** Checks the states of a scenario, and every mention of one in its rules. */
export function checkStates(scenario: Value): Finding[] {
  const states = isMap(scenario.states) ? scenario.states : undefined
  const names = Object.keys(states ?? {})
  const findings = [...rulesIn(scenario, 'replies'), ...rulesIn(scenario, 'faults')].flatMap(({ path, rule }) =>
    checkMention(path, rule, names),
  )
  if (states === undefined) return findings
  if (names.length === 0) findings.push({ path: ['states'], message: 'found no state, needed is at least one.' })
  for (const [name, state] of Object.entries(states)) {
    findings.push(...checkName(name))
    if (isMap(state)) findings.push(...checkExit(name, state, names), ...checkRules(name, state))
  }
  return [...findings, ...checkReach(states, names)]
}

interface Placed {
  readonly path: readonly (string | number)[]
  readonly rule: Value
}

function rulesIn(owner: Value, list: 'replies' | 'faults'): Placed[] {
  const rules = owner[list]
  if (!Array.isArray(rules)) return []
  return rules.map((rule, index) => ({ path: [list, index], rule })).filter(({ rule }) => isMap(rule))
}

function checkMention(path: Finding['path'], { when }: Value, names: readonly string[]): Finding[] {
  if (!isMap(when)) return []
  const { state } = when
  return [state].flat().flatMap((wanted, index): Finding[] => {
    if (typeof wanted !== 'string' || names.includes(wanted)) return []
    const place = [...path, 'when', 'state', ...(Array.isArray(state) ? [index] : [])]
    return [{ path: place, message: unknownState(wanted, names) }]
  })
}

function unknownState(wanted: string, names: readonly string[]): string {
  if (names.length === 0) return `found the state '${wanted}', but the scenario has no states.`
  return `found the unknown state '${wanted}', allowed are ${names.join(', ')}.${didYouMean(wanted, names)}`
}

function checkName(name: string): Finding[] {
  if (STATE_NAME.test(name) || name === '') return []
  const message = `found the state '${name.slice(0, 100)}', allowed is a letter and then letters, digits, - and _.`
  return [{ path: ['states', name], message, isKey: true }]
}

function checkExit(name: string, { lasts, next }: Value, names: readonly string[]): Finding[] {
  const path = ['states', name]
  if (next !== undefined && lasts === undefined) {
    const message = "found 'next' without 'lasts', needed is what ends this state: lasts: 20 calls, or lasts: 30s."
    return [{ path: [...path, 'next'], message, isKey: true }]
  }
  if (lasts !== undefined && next === undefined) {
    const message = "found 'lasts' without 'next', needed is the state that comes then."
    return [{ path: [...path, 'lasts'], message, isKey: true }]
  }
  if (typeof next !== 'string' || names.includes(next)) return []
  return [{ path: [...path, 'next'], message: unknownState(next, names) }]
}

/** In a state, its own `lasts` is the measure of time, and the state is known. */
function checkRules(name: string, state: Value): Finding[] {
  return rulesIn(state, 'faults').flatMap(({ path, rule }) => {
    const place = ['states', name, ...path]
    const times = ['between', 'from', 'until'].filter((field) => rule[field] !== undefined)
    const findings = times.map((field): Finding => {
      const message = `found '${field}' in a state, where times since the start mean little: let 'lasts' end the state.`
      return { path: [...place, field], message, isKey: true }
    })
    if (!isMap(rule.when) || rule.when.state === undefined) return findings
    const message = `found 'state' in the state '${name}', whose faults strike in it only.`
    return [...findings, { path: [...place, 'when', 'state'], message, isKey: true }]
  })
}

/**
 * Where states lead on by themselves, none may be left out; where none does, they are entered by hand. A `next` that
 * is no state is a problem by itself, and what it was to reach is not known.
 */
function checkReach(states: Value, names: readonly string[]): Finding[] {
  const nextOf = (name: string | undefined): unknown => {
    const state = name === undefined ? undefined : states[name]
    return isMap(state) ? state.next : undefined
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
      message: `found a state that is never reached: '${names[0]}', the first, does not lead to it by any 'next'.`,
      isKey: true,
    }))
}

const isMap = (value: unknown): value is Value => typeof value === 'object' && value !== null && !Array.isArray(value)
