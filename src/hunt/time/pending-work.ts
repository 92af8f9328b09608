/** The work that a process waits for besides timers: files, compression, cryptography, child processes, other servers. */
import { Gunzip } from 'node:zlib'

/** `turn`: something happens in the next turn of the event loop; `work`: something takes real time. */
export type Pending = 'turn' | 'work' | 'nothing'

/** Node does not list what it compresses or encrypts in other threads, so these functions are wrapped. */
const THREADED: readonly (readonly [prototype: object, names: readonly string[]])[] = [
  // The class that all classes of node:zlib extend. Its functions and DecompressionStream use it too.
  [Object.getPrototypeOf(Object.getPrototypeOf(Gunzip.prototype)), ['_transform']],
  [SubtleCrypto.prototype, Object.getOwnPropertyNames(SubtleCrypto.prototype).filter((name) => name !== 'constructor')],
]
const SOCKETS = /^(?:TCPSocketWrap|PipeWrap)$/
const REQUESTS = /Req|ConnectWrap|ProcessWrap|FSEvent|^Timeout$/

export class PendingWork {
  readonly #restores: (() => void)[]
  #inThreads = 0
  /** Requests that were pending before a run. */
  #before = 0
  #socketsBefore = 0

  constructor() {
    this.#restores = THREADED.flatMap(([prototype, names]) => names.map((name) => this.#wrap(prototype, name)))
  }

  close(): void {
    for (const restore of this.#restores) restore()
  }

  /** Counts from now on: requests that are pending now are no work of the run. */
  begin(): void {
    const names = process.getActiveResourcesInfo()
    this.#before = count(names, REQUESTS)
    this.#socketsBefore = count(names, SOCKETS)
  }

  find(): Pending {
    const names = process.getActiveResourcesInfo()
    if (names.includes('Immediate')) return 'turn'
    return this.#inThreads > 0 || count(names, REQUESTS) > this.#before ? 'work' : 'nothing'
  }

  /** True if a connection is open that another server may answer on. */
  get hasSockets(): boolean {
    return count(process.getActiveResourcesInfo(), SOCKETS) > this.#socketsBefore
  }

  /** Counts the calls of a method that have not ended: it calls its last argument back, or returns a promise. */
  #wrap(prototype: object, name: string): () => void {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name)!
    const method: (...args: unknown[]) => unknown = descriptor.value
    const begin = (): (() => void) => {
      this.#inThreads++
      let hasEnded = false
      return () => {
        if (!hasEnded) this.#inThreads--
        hasEnded = true
      }
    }
    function counted(this: unknown, ...args: unknown[]): unknown {
      const end = begin()
      const callback = args.at(-1)
      if (typeof callback === 'function') {
        const ended = (...results: unknown[]): unknown => {
          end()
          return callback(...results)
        }
        return method.apply(this, [...args.slice(0, -1), ended])
      }
      const result = method.apply(this, args)
      if (result instanceof Promise) result.then(end, end)
      else end()
      return result
    }
    Object.defineProperty(prototype, name, { ...descriptor, value: counted })
    return () => Object.defineProperty(prototype, name, descriptor)
  }
}

const count = (names: readonly string[], kind: RegExp): number => names.filter((name) => kind.test(name)).length
