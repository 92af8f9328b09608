/** The random draws of a call: from the scenario's seed, the key, the request and the attempt, never from a clock. */

import { hash32 } from '../../lib/random/hash.ts'
import { Random } from '../../lib/random/random.ts'
import { drawResponseIds, type ResponseIds } from '../../protocol/plan/response-ids.ts'
import type { TwoHashes } from '../../protocol/request/parse-body.ts'
import type { CallRequest } from './call-request.ts'

export class CallDraws {
  readonly #request: CallRequest
  readonly #seed: string
  /** The hashes of the request with the seed (64 bits). */
  #hashes: TwoHashes | undefined
  #ids: ResponseIds | undefined

  /** @param seed a text for everything besides the request that the draws depend on. */
  constructor(request: CallRequest, seed: string) {
    this.#request = request
    this.#seed = seed
  }

  /** A random stream for one purpose: the same for the same turn in every dialect. */
  random(purpose: string): Random {
    const { hashes, turnHashes } = this.#request
    return turnHashes === hashes ? this.idRandom(purpose) : randomOf(this.#withSeed(turnHashes), purpose)
  }

  /** A random stream for the words of an answer: the same whether or not they are streamed. */
  contentRandom(purpose: string): Random {
    return randomOf(this.#withSeed(this.#request.contentHashes), purpose)
  }

  /** A random stream for ids: it depends on the whole request, so a chat and the same responses call have different ids. */
  idRandom(purpose: string): Random {
    this.#hashes ??= this.#withSeed(this.#request.hashes)
    return randomOf(this.#hashes, purpose)
  }

  /** The ids and the date of the answer. */
  get ids(): ResponseIds {
    if (this.#ids === undefined) {
      this.#hashes ??= this.#withSeed(this.#request.hashes)
      this.#ids = drawResponseIds(this.#hashes.low, this.#hashes.high)
    }
    return this.#ids
  }

  #withSeed({ low, high }: TwoHashes): TwoHashes {
    return { low: hash32(this.#seed, low), high: hash32(this.#seed, high) }
  }
}

const randomOf = ({ low, high }: TwoHashes, purpose: string): Random =>
  new Random(`${low.toString(36)}${high.toString(36)}${purpose}`)
