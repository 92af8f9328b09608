/** Answers a turn: the same for every dialect, which only writes the reply. */

import type { Random } from '../../../lib/random/random.ts'
import type { ApiError } from '../../../protocol/errors/error-catalogue.ts'
import type { AnswerMutator } from '../../../protocol/faults/answer-mutator.ts'
import type { EventList } from '../../../protocol/plan/event-list.ts'
import { type Head, withNotes } from '../../../protocol/plan/plan.ts'
import { drawCallId } from '../../../protocol/plan/response-ids.ts'
import type { Part } from '../../../protocol/plan/text-parts.ts'
import { type DrawnLogprobs, drawLogprobs, Logprobs } from '../../../protocol/turn/logprobs.ts'
import type { Pieces } from '../../../protocol/turn/pieces.ts'
import type { FinishedMessage, Reply } from '../../../protocol/turn/reply.ts'
import type { Turn } from '../../../protocol/turn/turn.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { Answer } from '../../call/respond.ts'
import { answerError, answerJson, answerTooLarge, checkAnswerSize, serviceHeaders } from '../../call/respond.ts'
import type { Effect } from '../../state/apply-effects.ts'
import { findReply } from './find-reply.ts'
import { finishMessage } from './finish-message.ts'
import { fitTurn } from './fit-turn.ts'
import { splitMessage } from './split-message.ts'
import { reasoningTokens, speak, usageOf } from './usage.ts'
import { useCache } from './use-prompt-cache.ts'

/** The parts of a stream that do not depend on the dialect. */
export interface StreamOptions {
  /** Undefined for a stream without obfuscation. */
  readonly obfuscation: Random | undefined
  /** The message of every choice, in pieces. */
  readonly pieces: Pieces
  /** Computes the ends of the events of a long stream, or has them already. */
  readonly memo: (measure: () => Uint32Array) => Uint32Array
}

/** A reply as a dialect writes it. */
export interface WrittenReply {
  /** The values, besides the reply, that decide its bytes. */
  readonly frame: object
  readonly body: () => Part
  readonly stream: (options: StreamOptions) => EventList
  /** The changes that storing the answer makes, and the reason why it is not stored. */
  readonly effects?: readonly Effect[]
  readonly notes?: readonly string[]
}

/** Writes replies in one dialect. */
export interface DialectWriter {
  readonly write: (context: CallContext, reply: Reply) => WrittenReply
  /** The error for a turn that is longer than the model takes. */
  readonly checkLength: (promptTokens: number, turn: Turn, context: CallContext) => ApiError | undefined
}

const REMEDY = 'Ask for fewer choices (n), no logprobs or a shorter reply'

export function generate(context: CallContext, mutator: AnswerMutator, writer: DialectWriter): Answer {
  const { turn, prompt } = fitTurn(context)
  const refuse = (error: ApiError, notes?: readonly string[]): Answer => ({
    plan: withNotes(answerError(context, error, { by: 'request', name: error.name }), notes),
  })
  const lengthError = writer.checkLength(prompt.tokens, turn, context)
  if (lengthError !== undefined) return refuse(lengthError)
  const found = findReply(context, turn)
  if ('error' in found) return refuse(found.error, found.notes)

  const message = mutator.message(found.message, context)
  const reasoning = reasoningTokens(context, turn)
  const finished = finishMessage(message, turn, reasoning, context)
  const cacheStyle = context.modelRule?.cache ?? context.scenario.cache
  const cacheUse = cacheStyle === 'none' ? undefined : useCache(context, turn, prompt.tokens, cacheStyle)
  const audio = turn.audioFormat && speak(finished, turn.audioFormat, turn.maxTokens, context)
  const counted = usageOf(prompt, finished, reasoning, turn, context, {
    spoken: audio?.tokens ?? 0,
    isOfAudio: audio !== undefined || context.modelRule?.supports?.audio === 'required',
    cache: cacheUse?.counts,
    written: cacheStyle === 'breakpoints' ? (cacheUse?.counts.cacheWriteTokens ?? 0) : undefined,
  })
  const total = mutator.total(counted.total)
  // A spoken answer has no content, so it has no logprobs.
  const hasLogprobs = turn.topLogprobs !== undefined && audio === undefined
  const drawn = hasLogprobs ? logprobsOf(finished, context, turn.topLogprobs, turn.n) : undefined
  // An estimate of a size that is above the limit anyway.
  if (drawn?.isComplete === false) return refuse(answerTooLarge(context, drawn.byteLength * turn.n, REMEDY))
  const reply: Reply = {
    message: finished.message,
    finishReason: audio?.isCut ? 'length' : finished.finishReason,
    tokens: finished.tokens,
    callIds: callIdsOf(finished, context, turn),
    logprobs: drawn && new Logprobs(drawn),
    audio,
    usage: total === counted.total ? counted : { ...counted, total },
  }
  const written = writer.write(context, reply)
  const { reason, sequence } = found
  const notes = [...(found.notes ?? []), ...(written.notes ?? [])]
  // Fields one by one: copying an object and adding a field took 5 % of a call.
  const { prompt: promptCount, completion, cache, reasoning: reasoned } = counted
  const { effects = [] } = written
  const cacheEntries = cacheUse?.entries
  const isCut = reply.finishReason === 'length'

  if (!turn.isStream) {
    const body = written.body()
    const tooLarge = checkAnswerSize(context, body, REMEDY)
    if (tooLarge !== undefined) return refuse(tooLarge)
    const plan = answerJson(context, body, reason, { tokens: finished.tokens + counted.spoken })
    const spent = { prompt: promptCount, completion, unstreamed: 0, isCut, reasoning: reasoned, cache }
    return { plan: withNotes(plan, notes), usage: spent, sequence, effects, cacheEntries }
  }

  const { finishReason, callIds, usage } = reply
  const { seed, strict } = context.scenario
  const decisive = [seed, context.attempt, written.frame, reply.message, finishReason, callIds, usage, mutator.fault]
  const stream = written.stream({
    // On by default as in the service, where validation is strict; elsewhere short streams are worth more.
    obfuscation: (turn.includeObfuscation ?? strict) ? context.random('obfuscation') : undefined,
    pieces: mutator.pieces(splitMessage(finished.message, context)),
    memo: (measure) => context.memo('stream', JSON.stringify(decisive), measure),
  })
  // Without this, measuring a stream of millions of events would take seconds.
  const { minBytes } = stream
  if (minBytes > context.answerLimit) return refuse(answerTooLarge(context, minBytes, REMEDY))
  const tooLarge = checkAnswerSize(context, stream, REMEDY)
  if (tooLarge !== undefined) return refuse(tooLarge)
  const headers = serviceHeaders(context, 'text/event-stream; charset=utf-8')
  const head: Head = { type: 'head', status: 200, headers: { ...headers, 'cache-control': 'no-cache' } }
  return {
    plan: { events: [head, ...stream.events(), { type: 'end' }], reason, isStream: true, notes },
    usage: {
      prompt: promptCount,
      completion,
      unstreamed: completion - stream.tokens,
      isCut,
      reasoning: reasoned,
      cache,
    },
    sequence,
    effects,
    cacheEntries,
  }
}

const ONE_WITHOUT_CALLS: readonly (readonly string[])[] = [[]]

/** The ids of the calls of each choice. */
function callIdsOf({ message }: FinishedMessage, context: CallContext, { n }: Turn): readonly (readonly string[])[] {
  if (message.type !== 'calls') return n === 1 ? ONE_WITHOUT_CALLS : Array<readonly string[]>(n).fill([])
  const random = context.idRandom('calls')
  return Array.from({ length: n }, () => message.calls.map(({ id }) => id ?? drawCallId(random)))
}

/** The logprobs of each token of the text. Calls have none. */
function logprobsOf(
  { message }: FinishedMessage,
  context: CallContext,
  topLogprobs: number,
  n: number,
): DrawnLogprobs | undefined {
  if (message.type === 'calls') return undefined
  const maxBytes = Math.floor(context.answerLimit / n)
  const { scenario, attempt, encoding } = context
  return context.memo(
    `logprobs ${JSON.stringify([scenario.seed, attempt, encoding, topLogprobs, maxBytes])}`,
    message.text,
    () => drawLogprobs(context.tokenizer.pieces(message.text), topLogprobs, context.random('logprobs'), maxBytes),
  )
}
