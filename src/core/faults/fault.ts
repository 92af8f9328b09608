/**
 * What a fault is. To add one: write a file beside this one and add it to the catalogue; a new option also to
 * OPTION_NAMES in scenario/fault-options.ts, which types scenarios (a test says so).
 *
 * There are three kinds. An *answer* fault takes the place of the endpoint's answer: an error of the catalogue, or
 * the page of a proxy. A *wire* fault bends a plan that was made, whatever it answers: it cuts, delays or drops
 * events. A *stream* fault bends a plan that is a stream; an answer that is none is refused by name.
 */
import type { ApiError } from '../errors.ts'
import type { Plan } from '../plan.ts'

/** What a fault may know of the call it strikes. */
export interface CallFacts {
  readonly endpoint: 'chat' | 'embeddings' | 'models'
  readonly model: string
  readonly maskedKey: string
  readonly organization: string
  readonly requestId: string
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

/** Why a fault can't strike an answer, and what to do: a sentence or two. */
export interface Impossible {
  readonly impossible: string
}

interface BendingFault<Specs extends OptionSpecs> extends FaultBase<Specs> {
  bend(plan: Plan, options: FaultOptions<Specs>, call: CallFacts): Plan | Impossible
}

export interface WireFault<Specs extends OptionSpecs = OptionSpecs> extends BendingFault<Specs> {
  readonly kind: 'wire'
  /** Set where it needs the bare connection: why a response to fetch can't have it. */
  readonly notOverFetch?: string
}

export interface StreamFault<Specs extends OptionSpecs = OptionSpecs> extends BendingFault<Specs> {
  readonly kind: 'stream'
}

export type Fault = AnswerFault | WireFault | StreamFault

type FaultWith<Specs extends OptionSpecs> = AnswerFault<Specs> | WireFault<Specs> | StreamFault<Specs>

/** A fault with options: what it gets is typed by what it declares. */
export const faultWith = <const Specs extends OptionSpecs>(fault: FaultWith<Specs>): Fault => fault as Fault

/** A fault with its options filled in, ready to strike. */
export interface Strike {
  readonly fault: Fault
  readonly options: FaultOptions
}
