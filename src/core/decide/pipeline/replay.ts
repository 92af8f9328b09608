/** Replay: the plan of an answer recorded from a real service, byte for byte and at its own pace. */

import { retryAfterHeaders } from '../../protocol/errors/error-catalogue.ts'
import type { PlanEvent } from '../../protocol/plan/plan.ts'
import type { ReplyRule } from '../../scenario/compile/compile.ts'
import type { RecordedAnswer } from '../../scenario/compile/recorded-answer.ts'
import type { Answer, Usage } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { serviceHeaders } from '../call/respond.ts'
import { fillVectors } from './recorded-vectors.ts'

/** The next recorded answer of a rule. Each key gets one after the other; the last one stays. */
export function replay(context: CallContext, { ruleId, answers = [] }: ReplyRule): Answer {
  const isSequence = answers.length > 1
  const index = isSequence ? Math.min(context.session.countOf(ruleId), answers.length - 1) : 0
  const answer = answers[index]!
  const { status, contentType, retryAfterMs, waitMs, stream, isCut } = answer
  const headers = {
    ...serviceHeaders(context, contentType, status),
    ...(retryAfterMs !== undefined && retryAfterHeaders({ waitMs: context.realMs(retryAfterMs) })),
    ...(stream !== undefined && { 'cache-control': 'no-cache' }),
  }
  const events: PlanEvent[] = []
  if (waitMs > 0) events.push({ type: 'wait', ms: waitMs })
  events.push({ type: 'head', status, headers })
  const body = stream === undefined ? fillVectors(answer) : ''
  if (stream !== undefined) events.push(...stream)
  else if (body !== '') events.push({ type: 'send', data: body })
  events.push({ type: isCut ? 'reset' : 'end' })
  return {
    plan: { events, reason: { by: 'reply', name: ruleId }, isStream: stream !== undefined, notes: [] },
    usage: reportedUsage(answer),
    // Counted when the call is decided (`answer` in decide.ts), so the next call of the key gets the next answer.
    sequence: isSequence ? ruleId : undefined,
  }
}

// In a chat `"prompt_tokens":9`; in a response `"usage":{"input_tokens":9`, because `tool_usage` has `input_tokens` too.
const PROMPT_TOKENS = /"prompt_tokens":\s*(\d{1,12})|"usage":\s*\{\s*"input_tokens":\s*(\d{1,12})/
const COMPLETION_TOKENS = /"(?:completion|output)_tokens":\s*(\d{1,12})/
const REASONING_TOKENS = /"reasoning_tokens":\s*(\d{1,12})/

/** The tokens that the answer reports; undefined for an answer that reports none. */
function reportedUsage({ body, stream = [] }: RecordedAnswer): Usage | undefined {
  const texts = [body, ...stream.flatMap((event) => (event.type === 'send' ? String(event.data) : []))]
  const reporting = texts.findLast((text) => PROMPT_TOKENS.test(text))
  if (reporting === undefined) return undefined
  const [, ofChat, ofResponse] = PROMPT_TOKENS.exec(reporting)!
  // The completion of a response comes after its prompt; that of a chat may come before it.
  const usage = ofResponse === undefined ? reporting : reporting.slice(reporting.search(PROMPT_TOKENS))
  const completion = Number(COMPLETION_TOKENS.exec(usage)?.[1] ?? 0)
  const reasoning = Number(REASONING_TOKENS.exec(usage)?.[1] ?? 0)
  // Recorded events do not say how many tokens each carries, so the limits count all of them, whatever the client reads.
  return { prompt: Number(ofChat ?? ofResponse), completion, unstreamed: completion, reasoning }
}
