/**
 * The types of a fault. To add one, extend the list of its kind (docs/adding-a-fault.md) and run `npm run generate`.
 *
 * There are four kinds. An *answer* fault replaces the endpoint's answer: with an error of the catalogue, or with the
 * page of a proxy. A *semantic* fault keeps the answer well-formed and changes what it means. A *wire* fault transforms
 * any plan: it cuts, delays or drops events. A *stream* fault transforms a plan that is a stream.
 */

import type { Random } from '../../lib/random/random.ts'
import type { JsonObject } from '../../lib/text/json.ts'
import type { Piece } from '../../lib/tokenizer/tokenizer.ts'
import type { ApiError } from '../errors/error-catalogue.ts'
import type { Plan } from '../plan/plan.ts'
import type { NotApplicable } from '../plan/transform.ts'
import type { ModelEndpoint, RoutedEndpoint } from '../request/endpoints.ts'
import type { AssistantMessage } from '../turn/assistant-message.ts'
import type { Turn } from '../turn/turn.ts'

/** The facts of a call that a fault may use. */
export interface FaultedCall {
  readonly endpoint: RoutedEndpoint
  readonly model: string
  /** The parsed body; an empty object if the body is not JSON. */
  readonly body: JsonObject
  readonly maskedKey: string
  readonly organization: string
  readonly requestId: string
  /** True if the client lets its connection stay open after the answer. */
  readonly keepsAlive: boolean
  /** Converts simulated milliseconds to real ones, in which a client waits. */
  readonly realMs: (ms: number) => number
}

/** An option that is a number: a duration (in milliseconds once read), a whole number, or a status. */
interface NumberSpec {
  readonly kind: 'duration' | 'count' | 'size' | 'status'
  /** The value when the option is left out; without a default it is then undefined. */
  readonly default?: number
  readonly summary: string
}

/** An option that is one word of a list. */
interface ChoiceSpec {
  readonly kind: 'choice'
  readonly of: readonly string[]
  readonly default?: string
  readonly summary: string
}

export type OptionSpec = NumberSpec | ChoiceSpec
type OptionSpecs = Readonly<Record<string, OptionSpec>>

/** The type of the value of an option: a number or one of its words; undefined too where it has no default. */
type ValueOf<Spec extends OptionSpec> =
  | (Spec extends ChoiceSpec ? Spec['of'][number] : number)
  | (Spec extends { readonly default: unknown } ? never : undefined)
/** The options of a fault as it gets them, with the defaults filled in. */
export type OptionValues<Specs extends OptionSpecs = OptionSpecs> = {
  readonly [Name in keyof Specs]: ValueOf<Specs[Name]>
}

interface FaultBase<Specs extends OptionSpecs> {
  /** The name in scenarios, headers and code, in kebab-case. */
  readonly name: string
  /** Its effect, in one sentence for the docs. */
  readonly summary: string
  readonly options: Specs
  /** Options that exclude each other: at most one of them may be given. */
  readonly oneOf?: readonly string[]
  /** The only endpoints whose answers it can change; undefined for all. */
  readonly endpoints?: readonly ModelEndpoint[]
}

/** A page from something between the client and the service: no envelope, and no header of the service. */
export interface ProxyPage {
  readonly status: number
  /** HTML. */
  readonly page: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A fault that replaces the answer. */
export interface AnswerFault<Specs extends OptionSpecs = OptionSpecs> extends FaultBase<Specs> {
  readonly kind: 'answer'
  /** The status that names this fault, as in `x-mock-fault: 429`. */
  readonly bareStatus?: number | undefined
  answer(call: FaultedCall, options: OptionValues<Specs>): ApiError | ProxyPage
}

/** A wire or a stream fault. */
interface PlanFault<Specs extends OptionSpecs = OptionSpecs> extends FaultBase<Specs> {
  readonly kind: 'wire' | 'stream'
  /** Set on a fault that needs the raw connection: why a fetch response cannot have it. */
  readonly notOverFetch?: string | undefined
  transform(plan: Plan, options: OptionValues<Specs>, call: FaultedCall): Plan | NotApplicable
}

/** The facts of a request that a semantic fault may use. */
export interface ChatFacts {
  /** The last user message. */
  readonly user: string
  /** The names of the tools that the request declares. */
  readonly tools: readonly string[]
  /** True if the answer is streamed. */
  readonly stream: boolean
  readonly turn: Turn
}

/** One embedding of an answer, with the index of its input. */
export interface EmbeddingItem {
  readonly index: number
  /** The embedded text; undefined for another vector than that of the text. */
  readonly text?: string
  readonly dimensions: number
  /** Computes the vector. */
  readonly vector: () => Float32Array
}

/** A fault of the meaning. Has one of the hooks below; each returns undefined when it finds nothing to change. */
export interface SemanticFault<Specs extends OptionSpecs = OptionSpecs> extends FaultBase<Specs> {
  readonly kind: 'semantic'
  /** The properties that the answer must have, for the message when it does not: `embeddings of at least two inputs`. */
  readonly needs: string
  /** Changes the assistant message. */
  message?(
    message: AssistantMessage,
    facts: ChatFacts,
    random: Random,
    options: OptionValues<Specs>,
  ): AssistantMessage | undefined
  /** Changes the pieces of a stream: of a text, or of the arguments of each call. */
  pieces?(pieces: readonly (readonly Piece[])[], random: Random): readonly (readonly Piece[])[] | undefined
  /** Changes `total_tokens`. */
  total?(total: number, random: Random): number
  /** Changes the embeddings. */
  embeddings?(all: readonly EmbeddingItem[], random: Random): readonly EmbeddingItem[] | undefined
}

/** The endpoints that answer with a message. */
export const GENERATIONS: readonly ModelEndpoint[] = ['chat', 'responses']

export type Fault = AnswerFault | SemanticFault | PlanFault

/** Declares a fault with options: the values it gets are typed by the options it declares. */
export const faultWith = <const Specs extends OptionSpecs>(
  fault: AnswerFault<Specs> | SemanticFault<Specs> | PlanFault<Specs>,
): Fault => fault as Fault

/** Returns a function that declares wire faults, or stream faults, without options. */
export function planFaults(kind: PlanFault['kind']) {
  return (name: string, summary: string, transform: PlanFault['transform'], notOverFetch?: string): Fault => {
    return { kind, name, summary, options: {}, transform, notOverFetch }
  }
}

/** Declares a fault of messages without options. */
export const onMessage = (
  name: string,
  summary: string,
  needs: string,
  message: SemanticFault['message'] & {},
): SemanticFault => ({ kind: 'semantic', name, summary, options: {}, endpoints: GENERATIONS, needs, message })

/** A fault with its options filled in, ready to apply. */
export interface ConfiguredFault {
  readonly fault: Fault
  readonly options: OptionValues
}
