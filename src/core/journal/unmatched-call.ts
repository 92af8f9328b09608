/**
 * The near miss of a call in the journal. It is found when somebody reads it, from the stored body: the facts of every
 * unmatched call would take more memory than the rest of the journal.
 */

import type { CallContext } from '../decide/call/call-context.ts'
import type { JsonObject } from '../lib/text/json.ts'
import { findNearest, type NearMiss, type Unmatched } from '../scenario/check/near-miss.ts'
import type { Scenario } from '../scenario/compile/compile.ts'
import { buildFacts, type FactSources } from '../scenario/conditions/facts.ts'

/** Finds the near miss of a call, given its body as it is stored. */
export type NearMissFinder = (bodyText: string) => NearMiss | undefined

/** @param isExact whether the body is stored as the call sent it, and the call is all in it. */
export function nearMissFinderOf(context: CallContext, isExact: boolean): NearMissFinder {
  const { scenario, endpoint, key, model, attempt, state, conversation } = context
  // The stored responses may be gone later, and kept with every call they would take too much memory.
  if (conversation !== undefined) return known(context.nearMiss)
  if (!isExact) return fromFacts(scenario, context.unmatched)
  return fromBody(scenario, { endpoint, key, model, attempt, state: state?.name })
}

// Not inside: the journal keeps these functions, and a closure keeps what all closures beside it use, here the call.
const known =
  (found: NearMiss | undefined): NearMissFinder =>
  () =>
    found

const fromFacts =
  (scenario: Scenario, unmatched: Unmatched): NearMissFinder =>
  () =>
    findNearest(scenario, unmatched)

const fromBody =
  (scenario: Scenario, facts: Omit<FactSources, 'body' | 'comparedBody' | 'bodyText'>): NearMissFinder =>
  (bodyText) => {
    const body: JsonObject = JSON.parse(bodyText)
    const { ignore } = scenario
    const comparedBody = ignore === undefined ? body : ignore(body)
    const read = buildFacts({ ...facts, body, comparedBody, bodyText })
    return findNearest(scenario, { facts: read, callable: read.turn.tools.allowed.map(({ name }) => name) })
  }
