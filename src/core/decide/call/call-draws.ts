/** The random draws of a call: from the scenario's seed, the key, the request and the attempt, never from a clock. */

import { hash32 } from '../../lib/random/hash.ts'
import { Random } from '../../lib/random/random.ts'
import { drawResponseIds, type ResponseIds } from '../../protocol/plan/response-ids.ts'
import type { TwoHashes } from '../../protocol/request/parse-body.ts'
import type { CallRequest } from './call-request.ts'

export class CallDraws {
  readonly #request: CallRequest
  readonly #seed: string
  #ids: ResponseIds | undefined

  /** @param seed a text for everything besides the request that the draws depend on. */
  constructor(request: CallRequest, seed: string) {
    this.#request = request
    this.#seed = seed
  }

  /** A random stream for one purpose: the same for the same turn in every dialect. */
  random(purpose: string): Random {
    return this.#stream(this.#request.turnHashes, purpose)
  }

  /** A random stream for the words of an answer: the same whether or not they are streamed. */
  contentRandom(purpose: string): Random {
    return this.#stream(this.#request.contentHashes, purpose)
  }

  /** A random stream for ids: it depends on the whole request, so a chat and the same responses call have different ids. */
  idRandom(purpose: string): Random {
    return this.#stream(this.#request.hashes, purpose)
  }

  /** The ids and the date of the answer. */
  get ids(): ResponseIds {
    const { low, high } = this.#request.hashes
    this.#ids ??= drawResponseIds(hash32(this.#seed, low), hash32(this.#seed, high))
    return this.#ids
  }

  /** Seeded with 64 bits. */
  #stream({ low, high }: TwoHashes, purpose: string): Random {
    const seeds = [low, high].map((hash) => hash32(this.#seed, hash).toString(36))
    return new Random(seeds.join('') + purpose)
  }
}
