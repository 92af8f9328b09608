/** Replay: the plan of an answer recorded from a real service, byte for byte and at its own pace. */

import { formatFloat32, formatVector } from '../../lib/embeddings/float32.ts'
import { retryAfterHeaders } from '../../protocol/errors/error-catalogue.ts'
import type { PlanEvent } from '../../protocol/plan/plan.ts'
import type { ReplyRule } from '../../scenario/compile/compile.ts'
import type { RecordedAnswer, VectorSource } from '../../scenario/compile/recorded-answer.ts'
import { VECTOR_PLACE } from '../../scenario/compile/template.ts'
import type { Answer, Usage } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'
import { serviceHeaders } from '../call/respond.ts'

/**
 * The rule with the recorded answers to a call; undefined without any. They need no check of the request, because the service
 * that gave them has made those.
 */
export function findRecorded({ route, rules }: CallContext): ReplyRule | undefined {
  const rule = route.readsBody ? rules.search.found?.rule : undefined
  return rule?.answers && rule
}

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
  if (stream !== undefined) {
    events.push(...stream)
  } else {
    const data = bodyOf(answer)
    if (data !== '') events.push({ type: 'send', data })
  }
  events.push({ type: isCut ? 'reset' : 'end' })
  return {
    plan: { events, reason: { by: 'reply', name: ruleId }, isStream: stream !== undefined, notes: [] },
    usage: reportedUsage(answer),
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
  return { prompt: Number(ofChat ?? ofResponse), completion, unstreamed: completion, reasoning }
}

/** The body of a recorded answer with its vectors in their places: `"embedding":[{{vector}}]` becomes `"embedding":[0.1,0.2]`. */
export function bodyOf({ body, vectors }: Pick<RecordedAnswer, 'body' | 'vectors'>): string {
  if (vectors === undefined || vectors.length === 0) return body
  const [first, ...rest] = body.split(VECTOR_PLACE)
  return first + rest.map((part, index) => vectorText(vectors[index]!) + part).join('')
}

/** The text of a vector as it was recorded: base64, or numbers with the same text between them. */
function vectorText({ base64, floats = '', between = ',', exponents }: VectorSource): string {
  if (base64 !== undefined) return base64
  // `floats` has the numbers as base64 of float32s, little-endian.
  const view = new DataView(Uint8Array.from(atob(floats), (character) => character.charCodeAt(0)).buffer)
  const vector = Float32Array.from({ length: view.byteLength / 4 }, (_, index) => view.getFloat32(index * 4, true))
  // Fast path: the service formats its numbers as we do. The brackets are part of the body.
  if (between === ',' && exponents !== true) return formatVector(vector).slice(1, -1)
  const write = exponents === true ? withExponent : formatFloat32
  return Array.from(vector, write).join(between)
}

/** The least number that Go and Python write without an exponent. */
const LEAST_WITHOUT_EXPONENT = 1e-4

/** As Go and Python write a small number: `7.522572e-05`. */
function withExponent(value: number): string {
  const text = formatFloat32(value)
  const shown = Number(text)
  if (shown === 0 || Math.abs(shown) >= LEAST_WITHOUT_EXPONENT) return text
  return shown.toExponential().replace(/-(\d)$/, '-0$1')
}
