/** The request of a call: its body and everything that is read from it, each part when it is first needed, and once. */

import { turnReader } from '../../dialects/read-turn.ts'
import { toChat } from '../../dialects/responses/to-chat.ts'
import { Memos } from '../../lib/cache/memos.ts'
import type { JsonObject } from '../../lib/text/json.ts'
import type { Encoding } from '../../lib/tokenizer/split-words.ts'
import type { Tokenizer } from '../../lib/tokenizer/tokenizer.ts'
import { chargeOf } from '../../protocol/request/charge.ts'
import { type ParsedBody, type TwoHashes, unsentChat } from '../../protocol/request/parse-body.ts'
import type { EndpointRoute } from '../../protocol/request/request-path.ts'
import type { Turn } from '../../protocol/turn/turn.ts'
import { readMessages } from '../../protocol/turn/turn-texts.ts'
import type { StateReader } from '../state/mock-state.ts'
import type { SessionId } from '../state/session-id.ts'
import type { Call } from './call.ts'
import { findConversation } from './stored-conversation.ts'

/** Length of a body up to which no result is worth keeping for the call. */
const MAX_SHORT_LENGTH = 20_000

/** Reads what the stages need of a turn. Calls with the same body share the result. */
const readParts = (turn: Turn) => ({ turn, messages: readMessages(turn.messages), charge: chargeOf(turn.messages) })
type TurnParts = Readonly<ReturnType<typeof readParts>>

export class CallRequest {
  /** The body with its hashes, and what is derived from it once for all calls with the same text. */
  readonly parsed: ParsedBody
  /** Empty without a body, and for a body that cannot be read (see `parsed.error`). */
  readonly body: JsonObject
  /** The model that the call asks for; '' without one. */
  readonly model: string
  /** The encoding of the model asked for. */
  readonly encoding: Encoding
  /** A number for method, path and body: the same for the same request. */
  readonly fingerprint: number

  readonly #route: EndpointRoute
  readonly #mockState: StateReader
  readonly #sessionId: SessionId
  readonly #tokenizerOf: (encoding: Encoding) => Tokenizer
  /** Undefined for a short body, whose results are computed each time. */
  readonly #memos: Memos | undefined
  // Each is undefined until it is first needed. The first is in an object, because it may be found to be undefined.
  #conversation: { readonly found: ReturnType<typeof findConversation> } | undefined
  #parts: TurnParts | undefined

  /** @param memos results of long computations on the body, which a worker thread may have made. */
  constructor(
    call: Call,
    route: EndpointRoute,
    mockState: StateReader,
    sessionId: SessionId,
    tokenizerOf: (encoding: Encoding) => Tokenizer,
    memos = (call.body?.length ?? 0) > MAX_SHORT_LENGTH ? new Memos() : undefined,
  ) {
    const parsed = mockState.bodies.of(call, route, memos)
    this.parsed = parsed
    this.body = parsed.body
    this.model = parsed.model
    this.encoding = parsed.encoding
    // 53 bits: the most that a number holds exactly.
    this.fingerprint = (parsed.high & 0x1fffff) * 0x100000000 + parsed.low
    this.#route = route
    this.#mockState = mockState
    this.#sessionId = sessionId
    this.#tokenizerOf = tokenizerOf
    this.#memos = memos
  }

  get tokenizer(): Tokenizer {
    return this.#tokenizerOf(this.encoding)
  }

  /**
   * The result of a computation that may take long. It must be a function of the call, its attempt, `name` and `input`, and
   * plain data: a server computes it on another thread.
   */
  memo<Result>(name: string, input: string, compute: () => Result): Result {
    return this.#memos === undefined ? compute() : this.#memos.of(name, input, compute)
  }

  /** The request as a turn, with the stored messages that it goes on from; an embeddings call has an empty one, whatever is in its body. */
  get turn(): Turn {
    return this.turnParts.turn
  }

  /** The turn, its messages as conditions compare them, and its charge. */
  get turnParts(): TurnParts {
    if (this.#parts === undefined) {
      const own = this.parsed.keep('turn', undefined, () => readParts(turnReader(this.#route.endpoint)(this.body)))
      const conversation = this.#route.readsItems ? this.conversation : undefined
      if (conversation === undefined) this.#parts = own
      else {
        // The messages of the conversation come after the instructions of this call. Those of earlier calls are not among them.
        const [instructions] = typeof this.body.instructions === 'string' ? own.turn.messages : []
        const { messages } = conversation
        this.#parts = readParts({ ...own.turn, messages: instructions ? [instructions, ...messages] : messages })
      }
    }
    return this.#parts
  }

  /** The stored items that the call goes on from, and its own; undefined for a call that is all in its body. */
  get conversation(): ReturnType<typeof findConversation> {
    if (this.#route.readsItems !== true) return undefined
    this.#conversation ??= { found: findConversation(this.body, this.#mockState.answers, this.#sessionId) }
    return this.#conversation.found
  }

  /** Hashes of the turn as a chat, the same in all dialects. */
  get turnHashes(): TwoHashes {
    if (this.#route.readsItems !== true) return this.parsed
    return this.memo('hashes of the turn', '', () => {
      const { low, high } = this.#asChat()
      return { low, high }
    })
  }

  /** The same without what makes the answer a stream. */
  get contentHashes(): TwoHashes {
    return this.memo('content hashes', '', () => this.#asChat().contentHashes())
  }

  /** The body as that of a chat. */
  #asChat(): ParsedBody {
    return this.#route.readsItems ? unsentChat(toChat(this.body, this.turn.messages)) : this.parsed
  }
}
