/**
 * The fault stage. `selectFault` finds the fault of a call before it is answered, in the first of these sources that has one:
 *
 *   the header `x-mock-fault`, injected faults, the key, the faults of the state, those of the scenario, the reply rule
 *
 * Then the fault does one of these, by its kind: `answerFailure` answers in place of the endpoint, `mutatorOf` changes the
 * answer while the endpoint builds it, or `changeAnswer` changes the finished plan.
 */

import { maskKeysIn, maskRefusedKey } from '../../lib/text/mask-keys.ts'
import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import { AnswerMutator, NO_MUTATION } from '../../protocol/faults/answer-mutator.ts'
import type { ConfiguredFault, FaultedCall } from '../../protocol/faults/fault.ts'
import { parseFault, writeOptions } from '../../protocol/faults/read-fault.ts'
import { type Plan, planOf, type Reason, statusOf, withNotes } from '../../protocol/plan/plan.ts'
import type { NotApplicable } from '../../protocol/plan/transform.ts'
import { pathOf } from '../../protocol/request/endpoints.ts'
import { differencesText } from '../../scenario/check/describe-values.ts'
import type { Schedule } from '../../scenario/compile/fault-settings.ts'
import { toDifference } from '../../scenario/conditions/condition.ts'
import type { Answer } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { answerError, refuseForMock, withLimitHeaders } from '../call/respond.ts'
import type { Effect } from '../state/apply-effects.ts'

/** The fault that applies to a call. */
export interface SelectedFault {
  readonly configured: ConfiguredFault
  readonly source: 'header' | 'injection' | 'key' | 'fault-rule' | 'reply-rule'
  /** The source for messages: `header`, `injected`, `key`, or the id of the rule, such as `faults[0]` or `replies[2]`. */
  readonly from: string
}

const OVER_HTTP = 'Call the mock over HTTP instead: npx api-mock, or listen(mock) of llm-api-mock/node.'

/**
 * Selects the fault of a call. An error if the header names no fault, or the fault can't happen in this transport.
 * @param effects gets what this changes in the state: counted calls, used injections.
 */
export function selectFault(
  context: CallContext,
  effects: Effect[],
): { readonly selected?: SelectedFault; readonly error?: ApiError } {
  const header = context.call.headers['x-mock-fault']
  let named: SelectedFault | undefined
  if (header !== undefined) {
    const reading = parseFault(header)
    if ('problem' in reading)
      return { error: apiError('unknown-fault', { explanation: `x-mock-fault: ${reading.problem}` }) }
    named = { configured: reading.configured, source: 'header', from: 'header' }
  }
  const selected = selectConfigured(context, effects, named)
  if (selected === undefined) return {}
  const { fault } = selected.configured
  // Only the header can name a fault for another endpoint. A semantic one is tried, and `changeAnswer` says what it needs.
  if (fault.kind !== 'semantic' && !suits(selected, context))
    return { error: notApplicable(selected, `only ${fault.endpoints?.map(pathOf).join(' and ')} has it.`) }
  const isPossible = fault.kind !== 'wire' || fault.notOverFetch === undefined || context.call.transport === 'http'
  return isPossible ? { selected } : { error: notApplicable(selected, `${fault.notOverFetch}. ${OVER_HTTP}`) }
}

/**
 * Selects the first fault that is due, of those that are injected or in the scenario. Those before it count the call.
 * @param named the fault of the header, which comes first.
 */
function selectConfigured(
  context: CallContext,
  effects: Effect[],
  named: SelectedFault | undefined,
): SelectedFault | undefined {
  const { mockState, state, scenario, rules } = context
  const { keyRule, passOver } = rules
  let selected = named
  // `countCall` returns the reason why the fault is not due. It runs only for a fault that could apply, because it counts.
  const consider = (id: string, candidate: SelectedFault, countCall: () => string | undefined): void => {
    if (selected !== undefined) return passOver?.('fault', id, `${selected.from} comes first`)
    const obstacle = suits(candidate, context) ? countCall() : 'it does not apply to this endpoint'
    if (obstacle === undefined) selected = candidate
    else passOver?.('fault', id, obstacle)
  }
  for (const injection of mockState.injections) {
    const { configured, name, session = context.session.name, match, delay } = injection
    consider(`injected ${name}`, { configured, source: 'injection', from: 'injected' }, () => {
      if (session !== context.session.name || match(rules.facts) === undefined) return 'injected for other calls'
      effects.push({ type: 'spend', injection })
      return delay === 0 ? undefined : `after: ${delay} more calls come before it`
    })
  }
  if (keyRule?.fault !== undefined) {
    const { fault: configured, schedule } = keyRule
    consider('the fault of the key', { configured, source: 'key', from: 'key' }, () =>
      applySchedule(schedule, 'key', context, effects),
    )
  }
  for (const faults of [state?.faults ?? [], scenario.faults]) {
    for (const { ruleId, match, findMisses, fault: configured, schedule } of faults) {
      // Most calls have no recorder, and a scenario may have many rules.
      if (selected !== undefined && passOver === undefined) return selected
      consider(ruleId, { configured, source: 'fault-rule', from: ruleId }, () => {
        if (match(rules.facts) !== undefined) return applySchedule(schedule, ruleId, context, effects)
        // Nobody reads the reason without a recorder.
        return passOver === undefined ? '' : differencesText(findMisses(rules.facts).map(toDifference))
      })
    }
  }
  if (selected !== undefined) return selected
  const rule = rules.search.found?.rule
  if (rule?.fault === undefined) return undefined
  const candidate: SelectedFault = { configured: rule.fault, source: 'reply-rule', from: rule.ruleId }
  return suits(candidate, context) ? candidate : undefined
}

/** True if a fault can apply to this endpoint at all. An injected one waits for a call that it can apply to. */
function suits({ configured: { fault } }: SelectedFault, { route }: CallContext): boolean {
  return fault.endpoints?.some((name) => name === route.endpoint) ?? true
}

/** Counts the call for a schedule, in `effects`. Returns the reason why the fault leaves it alone; undefined when it is due. */
function applySchedule(
  schedule: Schedule | undefined,
  ruleId: string,
  context: CallContext,
  effects: Effect[],
): string | undefined {
  if (schedule === undefined) return undefined
  const { chance, spans, bursts, skip, every, times } = schedule
  if (chance !== undefined && context.draws.random(ruleId).fraction() >= chance)
    return 'chance: the draw left this call out'
  const { session, mockState, call } = context
  const elapsedMs = mockState.elapsedMs(call.now)
  if (spans?.some(({ fromMs, untilMs }) => elapsedMs >= fromMs && elapsedMs < untilMs) === false)
    return 'between, from, until: not at this time'
  if (bursts?.(elapsedMs) === false) return 'bursts: not in a burst at this time'
  /** Counts the call, and returns the number of calls counted before it. */
  const count = (counter: string): number => {
    effects.push({ type: 'count', sessionId: session.id, counter })
    return session.countOf(counter)
  }
  if (skip !== undefined) {
    const counter = `${ruleId}.skip`
    if (session.countOf(counter) < skip) return `skip: call ${count(counter) + 1} of this key, applies after ${skip}`
  }
  if (every !== undefined) {
    const number = count(`${ruleId}.every`) + 1
    if (number % every !== 0) return `every: call ${number} of this key, applies to each ${every}.`
  }
  if (times === undefined || count(ruleId) < times) return undefined
  return `times: already applied to ${times} of this key's calls`
}

/** The answer of a fault that replaces the answer; undefined for other faults. */
export function answerFailure(context: CallContext, selected: SelectedFault): Plan | undefined {
  const { fault, options } = selected.configured
  if (fault.kind !== 'answer') return undefined
  const failure = fault.answer(factsFor(context), options)
  const { reason, ...said } = describeFault(selected)
  let plan: Plan
  if ('page' in failure) {
    // The answer of a proxy has none of the service's headers, but a page of another origin may read it.
    const { status, page, headers = {} } = failure
    const exposed = Object.keys(headers).join(', ')
    const readable = {
      'content-type': 'text/html',
      'access-control-allow-origin': '*',
      ...(exposed !== '' && { 'access-control-expose-headers': exposed }),
      ...headers,
    }
    plan = planOf(status, readable, page, reason)
  } else plan = answerError(context, failure, reason)
  plan = { ...plan, ...said }
  return selected.source === 'reply-rule' ? withNotes(plan, context.rules.search.notes) : plan
}

/** The changes that a fault makes to the answer while the endpoint builds it. */
export function mutatorOf(selected: SelectedFault, context: CallContext): AnswerMutator {
  const { fault, options } = selected.configured
  if (fault.kind !== 'semantic') return NO_MUTATION
  // Seeded answers depend on the name of this random stream.
  const random = context.draws.random('twist', context.request.contentHashes)
  return new AnswerMutator({ fault, options, random })
}

/**
 * The answer as a fault transforms it. Where the fault can't happen to this answer:
 *
 *   it comes from the header           an error replaces the answer, which then uses no tokens and no cache
 *   it comes from anywhere else        the answer stays as it is, and a note says why: a rule is for many calls
 *   the call was refused anyway        the same
 */
export function changeAnswer(
  draft: Answer,
  selected: SelectedFault,
  mutator: AnswerMutator,
  context: CallContext,
): Answer {
  const { plan, reserved } = draft
  const { source } = selected
  const transformed = transform(plan, selected, mutator, context)
  if (!('notApplicable' in transformed)) return { ...draft, plan: { ...transformed, ...describeFault(selected) } }
  // The remedy is in the rule, if a rule has the fault; otherwise in the request.
  const isRule = source === 'fault-rule' || source === 'reply-rule'
  const remedy = isRule ? ' Add when: { stream: true } to the rule.' : ' Send "stream": true.'
  const error = notApplicable(selected, `${transformed.notApplicable}${transformed.needsStream ? remedy : ''}`)
  if (source !== 'header' || statusOf(plan) >= 400) return { ...draft, plan: withNotes(plan, [error.body.message]) }
  const refused = refuseForMock(context, error).plan
  return {
    ...draft,
    plan: reserved === undefined ? refused : withLimitHeaders(refused, context, reserved),
    usage: undefined,
    cacheEntries: undefined,
    effects: [],
  }
}

const NO_STREAM: NotApplicable = {
  notApplicable: 'it changes a stream, and this answer is not a stream.',
  needsStream: true,
}

/** The plan with the changes of the fault, or the reason why the fault cannot make any. */
function transform(
  plan: Plan,
  { configured: { fault, options } }: SelectedFault,
  mutator: AnswerMutator,
  context: CallContext,
): Plan | NotApplicable {
  switch (fault.kind) {
    case 'answer':
      // `answerFailure` has answered the call, so it does not come here.
      return plan
    case 'semantic':
      // The mutator has changed the answer while it was built.
      return mutator.hasChanged ? plan : { notApplicable: `it needs ${fault.needs}.` }
    case 'stream':
      return plan.isStream ? fault.transform(plan, options, factsFor(context)) : NO_STREAM
    case 'wire':
      return fault.transform(plan, options, factsFor(context))
    default:
      return fault satisfies never
  }
}

const notApplicable = ({ configured, from }: SelectedFault, explanation: string): ApiError =>
  apiError('impossible-fault', { fault: `'${configured.fault.name}' (${from})`, explanation })

/** The reason of a plan that a fault has changed, `server-error (faults[0])`, and the options of the fault for the journal. */
function describeFault({ configured, from }: SelectedFault) {
  const reason: Reason = { by: 'fault', name: `${configured.fault.name} (${from})` }
  const faultOptions = writeOptions(configured)
  return { reason, ...(faultOptions !== undefined && { faultOptions }) }
}

/** The facts of a call that a fault may use. */
function factsFor(context: CallContext): FaultedCall {
  const { route, key, scenario, request, draws } = context
  const { endpoint } = route
  return {
    endpoint,
    model: endpoint === 'models' ? maskKeysIn(route.parameter ?? '', key) : request.model,
    body: request.body,
    maskedKey: maskRefusedKey(key),
    organization: scenario.organization,
    requestId: draws.ids.requestId,
    keepsAlive: context.call.keepsAlive ?? true,
    realMs: (ms) => context.realMs(ms),
  }
}
