/**
 * Answers a turn, the same for every dialect, which only writes the reply:
 *
 *   fit the turn into the model -> find the reply -> end and count the message -> write it in the dialect -> a body or a stream
 */

import type { StreamOptions } from '../../../dialects/streams.ts'
import { MemoCache } from '../../../lib/cache/bounded-maps.ts'
import { mayCut } from '../../../lib/text/graphemes.ts'
import type { Encoding } from '../../../lib/tokenizer/split-words.ts'
import type { Piece, Tokenizer } from '../../../lib/tokenizer/tokenizer.ts'
import type { ApiError } from '../../../protocol/errors/error-catalogue.ts'
import type { AnswerMutator } from '../../../protocol/faults/answer-mutator.ts'
import type { EventList } from '../../../protocol/plan/event-list.ts'
import { drawCallId } from '../../../protocol/plan/response-ids.ts'
import type { Part } from '../../../protocol/plan/text-parts.ts'
import type { AssistantMessage, ToolCall } from '../../../protocol/turn/assistant-message.ts'
import { type DrawnLogprobs, drawLogprobs, Logprobs } from '../../../protocol/turn/logprobs.ts'
import { packPieces, unpackPieces } from '../../../protocol/turn/pieces.ts'
import type { Audio, FinishedMessage, Reply } from '../../../protocol/turn/reply.ts'
import type { Turn } from '../../../protocol/turn/turn.ts'
import type { Answer } from '../../call/answer.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { CallRequest } from '../../call/call-request.ts'
import type { CallRules } from '../../call/call-rules.ts'
import { answerJson, answerStream, answerTooLarge, checkAnswerSize, prependNotes, refuse } from '../../call/respond.ts'
import type { Effect } from '../../state/apply-effects.ts'
import { findReply } from './find-reply.ts'
import { countUsage, drawReasoning, finishMessage, speak } from './finish-message.ts'
import { fitTurn } from './prompt.ts'
import { useCache } from './use-prompt-cache.ts'

/** A reply as a dialect writes it. */
export interface WrittenReply {
  /** The values, besides the reply, that decide its bytes. */
  readonly frame: object
  /** The whole answer; undefined for a stream that is not stored. */
  readonly body: Part | undefined
  readonly stream: (options: StreamOptions) => EventList
  /** The changes that storing the answer makes, and the reason why it is not stored. */
  readonly effects?: readonly Effect[]
  readonly notes?: readonly string[]
}

/** Writes replies in one dialect. */
export interface DialectWriter {
  readonly write: (context: CallContext, reply: Reply) => WrittenReply
  /** The error for a turn that is longer than the model takes. */
  readonly checkLength: (promptTokens: number, turn: Turn, rules: CallRules) => ApiError | undefined
}

/** A turn that fits the model, and the tokens of its prompt. */
type FittedTurn = ReturnType<typeof fitTurn>

const REMEDY = 'Ask for fewer choices (n), no logprobs or a shorter reply'

export function generate(context: CallContext, mutator: AnswerMutator, writer: DialectWriter): Answer {
  const { rules } = context
  const fitted = fitTurn(context)
  const { turn, prompt } = fitted
  const lengthError = writer.checkLength(prompt.tokens, turn, rules)
  if (lengthError !== undefined) return refuse(context, 'request', lengthError)
  const found = findReply(context, turn)
  if ('error' in found) return prependNotes(refuse(context, 'request', found.error), found.notes)

  const message = mutator.message(found.message, rules)
  const completed = completeReply(context, fitted, message, mutator)
  if ('error' in completed) return refuse(context, 'request', completed.error)
  const { reply, cacheEntries } = completed

  const written = writer.write(context, reply)
  const stream = turn.isStream ? streamOf(written, reply, mutator, context) : undefined
  const tooLarge = checkAnswerSize(context, stream ?? written.body!, REMEDY)
  if (tooLarge !== undefined) return refuse(context, 'request', tooLarge)
  const { reason, sequence } = found
  const { prompt: promptTokens, completion, spoken, reasoning, cache } = reply.usage
  const plan =
    stream === undefined
      ? answerJson(context, written.body!, reason, reply.tokens + spoken)
      : answerStream(context, stream, reason)
  const answer = {
    plan,
    usage: {
      prompt: promptTokens,
      completion,
      unstreamed: stream === undefined ? 0 : completion - stream.tokens,
      isCut: reply.finishReason === 'length',
      reasoning,
      cache,
    },
    sequence,
    effects: written.effects,
    cacheEntries,
  }
  // A fault that refuses leaves nothing of the message that the notes are about.
  const notes = message.type === 'refusal' ? [] : (found.notes ?? [])
  return prependNotes(answer, [...notes, ...(written.notes ?? [])])
}

/** Ends a message and counts it. Returns the reply and the prefixes that it keeps in the prompt cache. */
function completeReply(
  context: CallContext,
  fitted: FittedTurn,
  given: AssistantMessage,
  mutator: AnswerMutator,
): { readonly reply: Reply; readonly cacheEntries: Answer['cacheEntries'] } | { readonly error: ApiError } {
  const { turn } = fitted
  const reasoning = context.rules.modelRule?.reasoning === true ? drawReasoning(context, turn) : 0
  const finished = finishMessage(given, turn, reasoning, context)
  const { message, tokens } = finished
  const audio = turn.audioFormat && speak(finished, turn.audioFormat, turn.maxTokens, context.draws)
  const { usage, cacheEntries } = countReply(context, fitted, finished, reasoning, audio)

  // A spoken answer has no content, so it has no logprobs.
  const hasLogprobs = turn.topLogprobs !== undefined && audio === undefined
  const drawn = hasLogprobs ? logprobsOf(finished, context, turn.topLogprobs, turn.n) : undefined
  // The size is an estimate then, and above the limit anyway.
  if (drawn?.isComplete === false) return { error: answerTooLarge(context, drawn.byteLength * turn.n, REMEDY) }
  const reply: Reply = {
    message,
    finishReason: audio?.isCut ? 'length' : finished.finishReason,
    tokens,
    callIds:
      message.type === 'calls'
        ? drawCallIds(message.calls, turn.n, context)
        : Array<readonly string[]>(turn.n).fill([]),
    logprobs: drawn && new Logprobs(drawn),
    audio,
    // A fault may falsify the sum.
    usage: { ...usage, total: mutator.total(usage.total) },
  }
  return { reply, cacheEntries }
}

/** The usage of the answer, for which the prompt is looked up in the cache. */
function countReply(
  context: CallContext,
  { turn, prompt }: FittedTurn,
  finished: FinishedMessage,
  reasoning: number,
  audio: Audio | undefined,
) {
  const { rules, scenario, request } = context
  const { modelRule } = rules
  const cacheStyle = modelRule?.cache ?? scenario.cache
  const cacheUse = cacheStyle === 'none' ? undefined : useCache(context, turn, prompt.tokens, cacheStyle)
  const usage = countUsage(prompt, finished, turn, request, {
    reasoning,
    spoken: audio?.tokens ?? 0,
    isOfAudio: audio !== undefined || modelRule?.supports?.audio === 'required',
    cache: cacheUse?.counts,
    written: cacheStyle === 'breakpoints' ? (cacheUse?.counts.cacheWriteTokens ?? 0) : undefined,
  })
  return { usage, cacheEntries: cacheUse?.entries }
}

/** The events of a written reply, with the pieces as the fault of the call changes them. */
function streamOf(written: WrittenReply, reply: Reply, mutator: AnswerMutator, context: CallContext): EventList {
  const { message, finishReason, callIds, usage } = reply
  const { attempt, scenario, request } = context
  const texts = message.type === 'calls' ? message.calls.map(({ input }) => input) : [message.text]
  // Everything that the sizes of the events depend on besides the call.
  const decisive = [scenario.seed, attempt, written.frame, message, finishReason, callIds, usage, mutator.fault]
  return written.stream({
    // On by default as in the service, where validation is strict; elsewhere short streams are worth more.
    obfuscation: (request.turn.includeObfuscation ?? scenario.strict) ? context.draws.random('obfuscation') : undefined,
    pieces: mutator.pieces(texts.map((text) => splitText(text, request))),
    memo: (measure) => request.memo('stream', JSON.stringify(decisive), measure),
  })
}

/** The ids of the calls of each choice. */
function drawCallIds(calls: readonly ToolCall[], n: number, context: CallContext): readonly (readonly string[])[] {
  const random = context.draws.random('calls', context.request.parsed)
  return Array.from({ length: n }, () => calls.map(({ id }) => id ?? drawCallId(random)))
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
  const { scenario, attempt, request } = context
  const { encoding } = request
  return request.memo(
    `logprobs ${JSON.stringify([scenario.seed, attempt, encoding, topLogprobs, maxBytes])}`,
    message.text,
    () => drawLogprobs(request.tokenizer.pieces(message.text), topLogprobs, context.draws.random('logprobs'), maxBytes),
  )
}

/** The longest text whose pieces are cached, in characters. */
const MAX_CACHED_LENGTH = 1000
/** The pieces of short texts, by encoding: deciding a stream of 480 characters takes 0.10 ms instead of 0.15. */
const caches: Readonly<Record<Encoding, MemoCache<readonly Piece[]>>> = {
  o200k_base: new MemoCache(256, MAX_CACHED_LENGTH),
  cl100k_base: new MemoCache(256, MAX_CACHED_LENGTH),
}

/** Splits a text into the pieces that a stream sends: runs of tokens that end between characters. */
function splitText(text: string, request: CallRequest): readonly Piece[] {
  const { tokenizer } = request
  const split = (): Piece[] => joinTokens(text, tokenizer)
  if (text.length <= MAX_CACHED_LENGTH) return caches[tokenizer.encoding].of(text, split)
  return unpackPieces(request.memo(`stream pieces ${tokenizer.encoding}`, text, () => packPieces(split())))
}

/** The shortest runs of tokens that do not end inside what a reader sees as one character. */
function joinTokens(text: string, tokenizer: Tokenizer): Piece[] {
  const pieces: Piece[] = []
  let start = 0
  let tokens = 0
  tokenizer.walk(text, (end, lengths) => {
    tokens += lengths.length
    if (!mayCut(text, end)) return
    pieces.push({ text: text.slice(start, end), tokens })
    start = end
    tokens = 0
  })
  return pieces
}
