/**
 * What a fault is. To add one: write a file beside this one and add it to the catalogue; a new option also to
 * OPTION_NAMES in scenario/fault-options.ts, which types scenarios (a test says so).
 *
 * There are four kinds. An *answer* fault takes the place of the endpoint's answer: an error of the catalogue, or the
 * page of a proxy. A *semantic* fault leaves the answer well-formed and bends what it means. A *wire* fault bends a plan
 * that was made, whatever it answers: it cuts, delays or drops events. A *stream* fault bends a plan that is a stream.
 */
import type { ApiError } from '../errors/catalogue.ts'
import type { AssistantMessage } from '../plan/assistant-message.ts'
import type { Plan } from '../plan/plan.ts'
import type { NotApplicable } from '../plan/transform.ts'
import type { Random } from '../random/random.ts'
import type { ModelEndpoint, RoutedEndpoint } from '../request/endpoints.ts'
import type { Piece } from '../tokenizer/tokenizer.ts'

/** What a fault may know of the call it strikes. */
export interface CallFacts {
  readonly endpoint: RoutedEndpoint
  readonly model: string
  readonly maskedKey: string
  readonly organization: string
  readonly requestId: string
  /** Real milliseconds of simulated ones: what a client is told to wait. */
  readonly realMs: (ms: number) => number
}

/** An option that is a number, by how it is written: `20s` or `500ms` (milliseconds, when read), a whole number, a status. */
interface NumberSpec {
  readonly kind: 'duration' | 'count' | 'size' | 'status'
  /** What it is when left out; none means: as if there were no such option. */
  readonly default?: number
  readonly summary: string
}

/** An option that is one of some words. */
interface ChoiceSpec {
  readonly kind: 'choice'
  readonly of: readonly string[]
  readonly default?: string
  readonly summary: string
}

export type OptionSpec = NumberSpec | ChoiceSpec
type OptionSpecs = Readonly<Record<string, OptionSpec>>

type ValueOf<Spec extends OptionSpec> =
  | (Spec extends ChoiceSpec ? Spec['of'][number] : number)
  | (Spec extends { readonly default: unknown } ? never : undefined)
/** The options of a fault as it gets them, with the defaults filled in. */
export type FaultOptions<Specs extends OptionSpecs = OptionSpecs> = {
  readonly [Name in keyof Specs]: ValueOf<Specs[Name]>
}

interface FaultBase<Specs extends OptionSpecs> {
  /** The name in scenarios, headers and code: kebab-case. */
  readonly name: string
  /** What it does, as a sentence. */
  readonly summary: string
  readonly options: Specs
  /** Options that say the same thing in other ways: at most one of them may be given. */
  readonly oneOf?: readonly string[]
}

/** What something between the client and the service answers: no envelope, and no header of the service. */
export interface ProxyPage {
  readonly status: number
  readonly contentType: string
  readonly page: string
}

export interface AnswerFault<Specs extends OptionSpecs = OptionSpecs> extends FaultBase<Specs> {
  readonly kind: 'answer'
  answer(call: CallFacts, options: FaultOptions<Specs>): ApiError | ProxyPage
}

interface PlanFault<Specs extends OptionSpecs> extends FaultBase<Specs> {
  transform(plan: Plan, options: FaultOptions<Specs>, call: CallFacts): Plan | NotApplicable
}

export interface WireFault<Specs extends OptionSpecs = OptionSpecs> extends PlanFault<Specs> {
  readonly kind: 'wire'
  /** Set where it needs the bare connection: why a response to fetch can't have it. */
  readonly notOverFetch?: string
}

export interface StreamFault<Specs extends OptionSpecs = OptionSpecs> extends PlanFault<Specs> {
  readonly kind: 'stream'
}

/** What a semantic fault may know of the conversation. */
export interface ChatFacts {
  /** The last user message. */
  readonly user: string
  /** The names of the tools that the request declares. */
  readonly tools: readonly string[]
}

/** One embedding of an answer, with the place of its input. */
export interface EmbeddingItem {
  readonly index: number
  readonly vector: Float32Array
}

/** It has one of the hooks; each gives undefined where it finds nothing to bend. */
export interface SemanticFault extends FaultBase<OptionSpecs> {
  readonly kind: 'semantic'
  /** The only endpoint whose answers it can bend; undefined for all. */
  readonly endpoint?: ModelEndpoint
  /** What must be there to bend, for the message when it is not: `an answer of several embeddings`. */
  readonly needs: string
  /** Bends what a chat says. */
  speech?(speech: AssistantMessage, about: ChatFacts, random: Random): AssistantMessage | undefined
  /** Bends the pieces in which a stream says it: of a text, or of the input of each call. */
  pieces?(pieces: readonly (readonly Piece[])[], random: Random): readonly (readonly Piece[])[] | undefined
  /** Bends `total_tokens`. */
  total?(total: number, random: Random): number
  /** Bends the embeddings. */
  embeddings?(all: readonly EmbeddingItem[], random: Random): readonly EmbeddingItem[] | undefined
}

export type Fault = AnswerFault | SemanticFault | WireFault | StreamFault

type FaultWith<Specs extends OptionSpecs> = AnswerFault<Specs> | WireFault<Specs> | StreamFault<Specs>

/** A fault with options: what it gets is typed by what it declares. */
export const faultWith = <const Specs extends OptionSpecs>(fault: FaultWith<Specs>): Fault => fault as Fault

/** A fault with its options filled in, ready to strike. */
export interface ConfiguredFault {
  readonly fault: Fault
  readonly options: FaultOptions
}
