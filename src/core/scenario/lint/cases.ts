/**
 * A rule taken apart into the cases it stands for: `attempt: [1, 2]` with two endpoints is four.
 *
 * A rule does nothing exactly if it does nothing in each of its cases; and each case, which has one value for each
 * condition, is easily held against the rules before it. A call that a rule is for falls into one of its cases at least.
 */
import type { Fault } from '../../faults/fault.ts'
import { ENDPOINTS, type Endpoint, isModelEndpoint, type ModelEndpoint } from '../../request/endpoints.ts'
import { type Entry, namesLetThrough } from './entries.ts'
import { coversGlob } from './globs.ts'
import { endpointsFor, type Rule, suits } from './rules.ts'
import { coversText, matchesAllTexts } from './texts.ts'
import { listOf } from './warning.ts'

/** What is known of the calls of a scenario. */
export interface World {
  /** The keys that can be used, each with its own fault; undefined where any is accepted. */
  readonly keys: readonly Entry<{ readonly strikes: Fault | undefined }>[] | undefined
  /** The models that an endpoint accepts; undefined where it accepts any name. */
  readonly models: ((endpoint: ModelEndpoint) => readonly Entry<unknown>[]) | undefined
  readonly states: readonly string[]
}

/** One value for each condition; undefined stands for any. */
export interface Case {
  readonly endpoint: Endpoint
  readonly attempt: number | undefined
  readonly turn: number | undefined
  readonly state: string | undefined
  /** Globs that the name fulfils, all of them. */
  readonly model: readonly string[]
  readonly key: readonly string[]
  /** Globs of which each is fulfilled by a tool that is offered. */
  readonly tools: readonly string[]
  readonly user: string | undefined
  readonly system: string | undefined
  readonly toolResult: string | undefined
}

const MAX_CASES = 300

/** The cases of a rule; none when it can't do anything, undefined when they are too many to look at. */
export function casesOf(rule: Rule, world: World): readonly Case[] | undefined {
  const { when, calls } = rule
  const any = [undefined]
  const shared = {
    attempt: listOf(when.attempt) ?? any,
    turn: listOf(when.turn) ?? any,
    state: rule.states ?? (world.states.length === 0 ? any : world.states),
    tools: listOf(when.tool)?.map((tool) => [tool, ...calls]) ?? [calls],
    user: listOf(when.user) ?? any,
    system: listOf(when.system) ?? any,
    toolResult: listOf(when.toolResult) ?? any,
  }
  const cases: Case[] = []
  for (const endpoint of endpointsFor(rule)) {
    const names = { key: keysFor(rule, endpoint, world), model: modelsFor(rule, endpoint, world) }
    const all = combined<Omit<Case, 'endpoint'>>({ ...shared, ...names }, MAX_CASES - cases.length)
    if (all === undefined) return undefined
    cases.push(...all.map((one) => ({ endpoint, ...one })))
  }
  return cases
}

/** Every way to take one of each; undefined when there are too many. */
function combined<One extends object>(
  choices: { readonly [Name in keyof One]: readonly One[Name][] },
  most: number,
): One[] | undefined {
  const lists = Object.entries(choices) as [keyof One, readonly One[keyof One][]][]
  if (lists.reduce((product, [, list]) => product * list.length, 1) > most) return undefined
  return lists.reduce<One[]>(
    (all, [name, list]) => all.flatMap((one) => list.map((value) => ({ ...one, [name]: value }))),
    [{} as One],
  )
}

/** A key's own fault comes before those of rules. */
export function keysFor({ when, fault }: Rule, endpoint: Endpoint, { keys }: World): (readonly string[])[] {
  const isFree = (ofKey: Fault | undefined): boolean =>
    fault === undefined || ofKey === undefined || !suits(ofKey, endpoint)
  return namesLetThrough(listOf(when.key), keys, ({ strikes }) => isFree(strikes))
}

/** What speaks, or bends what is said, needs a model that is there and serves the endpoint; a failure does not. */
export function modelsFor({ when, fault }: Rule, endpoint: Endpoint, { models }: World): (readonly string[])[] {
  const wanted = listOf(when.model)
  const needsModel = fault === undefined || fault.kind === 'semantic'
  if (isModelEndpoint(endpoint)) return namesLetThrough(wanted, needsModel ? models?.(endpoint) : undefined)
  // The list of models is asked for without one.
  return namesLetThrough(wanted, undefined).filter(([glob]) => coversGlob(glob!, ''))
}

/** Whether a rule that comes first is taken for every call of a case, at every time that `spans` has. */
export function takes(earlier: Rule, one: Case, later: Rule): boolean {
  const { when, fault, isReply } = earlier
  return (
    !earlier.isFitful &&
    isInForce(earlier, later) &&
    (when.endpoint ?? one.endpoint) === one.endpoint &&
    (fault === undefined ? ENDPOINTS[one.endpoint].hasMessages : isReply || suits(fault, one.endpoint)) &&
    includes(listOf(when.attempt), one.attempt) &&
    includes(listOf(when.turn), one.turn) &&
    includes(earlier.states, one.state) &&
    namesCovered(listOf(when.model), isModelEndpoint(one.endpoint) ? one.model : ['']) &&
    namesCovered(listOf(when.key), one.key) &&
    namesCovered(listOf(when.tool), one.tools) &&
    textCovered(listOf(when.user), one.user) &&
    textCovered(listOf(when.system), one.system) &&
    // Without a tool's result not even a pattern for everything matches.
    (when.toolResult === undefined ||
      (one.toolResult !== undefined && textCovered(listOf(when.toolResult), one.toolResult))) &&
    mayCall(earlier, later)
  )
}

function isInForce({ spans }: Rule, later: Rule): boolean {
  if (spans === undefined) return true
  const wanted = later.spans ?? [{ fromMs: 0, untilMs: Number.POSITIVE_INFINITY }]
  return wanted.every(({ fromMs, untilMs }) => spans.some((span) => span.fromMs <= fromMs && untilMs <= span.untilMs))
}

const includes = <Value>(list: readonly Value[] | undefined, value: Value | undefined): boolean =>
  list === undefined || (value !== undefined && list.includes(value))

const namesCovered = (wide: readonly string[] | undefined, known: readonly string[]): boolean =>
  wide === undefined || wide.some((glob) => known.some((name) => coversGlob(glob, name)))

const textCovered = (wide: readonly string[] | undefined, narrow: string | undefined): boolean =>
  wide === undefined || wide.some((one) => (narrow === undefined ? matchesAllTexts(one) : coversText(one, narrow)))

/** A rule that calls is taken only where all it calls is on offer, and after a result only if it speaks of results. */
function mayCall(earlier: Rule, { calls, when }: Rule): boolean {
  if (earlier.calls.length === 0) return true
  const isAfterSame = earlier.when.toolResult !== undefined || (calls.length > 0 && when.toolResult === undefined)
  return isAfterSame && earlier.calls.every((name) => calls.includes(name))
}
