/**
 * The work that a process waits for besides timers: files, compression, cryptography, child processes, other servers. While
 * there is some, virtual time must not leap. After `readFile('a.txt')`, `poll()` returns `work` until the file is read.
 *
 * Node lists most of it (`process.getActiveResourcesInfo`). For the rest, functions of Node are wrapped and their calls counted.
 */
import { createHook } from 'node:async_hooks'
import { generateKeyPair, hkdf, pbkdf2, randomBytes, scrypt } from 'node:crypto'
import fsPromises from 'node:fs/promises'
import { Gunzip } from 'node:zlib'
import { Replacements } from './node-timers.ts'

/** `turn`: something happens in the next turn of the event loop; `work`: something takes real time. */
export type Pending = 'turn' | 'work' | 'nothing'

/** Methods that work in other threads, which Node does not list. */
const THREADED_METHODS: readonly (readonly [prototype: object, names: readonly string[]])[] = [
  // The class that all classes of node:zlib extend. Its functions and DecompressionStream use it too.
  [Object.getPrototypeOf(Object.getPrototypeOf(Gunzip.prototype)), ['_transform']],
  // Not listed from Node 26.12 on.
  [fsPromises, ['readFile']],
  [SubtleCrypto.prototype, Object.getOwnPropertyNames(SubtleCrypto.prototype).filter((name) => name !== 'constructor')],
]
/**
 * Functions of node:crypto that work in other threads. Apps may store them before a hunt (promisify(scrypt)), so the jobs that
 * they start are wrapped.
 */
const CRYPTO_JOBS: readonly ((done: () => void) => void)[] = [
  (done) => scrypt('', '', 1, done),
  (done) => pbkdf2('', '', 1, 1, 'sha256', done),
  (done) => hkdf('sha256', '', '', '', 1, done),
  (done) => randomBytes(1, done),
  (done) => generateKeyPair('rsa', { modulusLength: 2048 }, done),
  (done) => generateKeyPair('ec', { namedCurve: 'P-256' }, done),
]
// Types of resources that Node lists:
const SOCKETS = /^(?:TCPSocketWrap|PipeWrap)$/
/** Reads, writes and closes of files. */
const FILES = /^(?:FSReq|CloseReq)/
/** All that takes real time. */
const REQUESTS = /Req|ConnectWrap|ProcessWrap|FSEvent|^Timeout$/

/** A job of node:crypto in another thread. */
interface Job {
  run(): unknown
  /** Undefined for a job that ends before `run` does, such as that of scryptSync. */
  ondone: ((...results: unknown[]) => void) | undefined
}

/** Pending resources that Node lists, by type. */
type Counts = ReadonlyMap<string, number>

export class PendingWork {
  readonly #workTypes: RegExp
  readonly #replacements = new Replacements()
  /** Calls of wrapped functions that have not ended. */
  #inThreads = 0
  /** Resources that were pending before a run and still are. */
  #before: Counts = new Map()

  /** @param workTypes the types of resources that are work. Default: with timers, which are real where others are faked. */
  constructor(workTypes = REQUESTS) {
    this.#workTypes = workTypes
    for (const [prototype, names] of THREADED_METHODS) for (const name of names) this.#wrapMethod(prototype, name)
    for (const prototype of jobPrototypes()) this.#wrapJob(prototype)
  }

  close(): void {
    this.#replacements.restore()
  }

  /**
   * Begins a run. Resources that are pending now are not work of the run, but for files: one that others read or close ends
   * soon, and would hide one of the run.
   */
  begin(): void {
    this.#before = new Map([...countByType()].filter(([type]) => !FILES.test(type)))
  }

  /** Looks at what is pending now. Resources from before the run that have ended are forgotten. */
  poll(): Pending {
    const now = countByType()
    if (now.has('Immediate')) return 'turn'
    const isWork = this.#inThreads > 0 || this.#hasNew(now, this.#workTypes)
    // If an earlier resource ends, a new one of its type must count as work.
    this.#before = new Map([...this.#before].map(([type, count]) => [type, Math.min(count, now.get(type) ?? 0)]))
    return isWork ? 'work' : 'nothing'
  }

  /** True if a connection is open that another server may answer on. */
  get hasSockets(): boolean {
    return this.#hasNew(countByType(), SOCKETS)
  }

  /** True if more resources of some of these types are pending than before the run. */
  #hasNew(now: Counts, types: RegExp): boolean {
    return [...now].some(([type, count]) => count > (this.#before.get(type) ?? 0) && types.test(type))
  }

  /** Counts work in another thread. Returns the function to call at its end. */
  readonly #beginWork = (): (() => void) => {
    this.#inThreads++
    return () => {
      this.#inThreads--
    }
  }

  /** Counts the runs of a job until it calls `ondone`. */
  #wrapJob(prototype: Job): void {
    const { run } = prototype
    const beginWork = this.#beginWork
    this.#replacements.set(prototype, 'run', function counted(this: Job) {
      const { ondone } = this
      if (ondone === undefined) return run.call(this)
      const endWork = beginWork()
      this.ondone = (...results) => {
        endWork()
        ondone.call(this, ...results)
      }
      return run.call(this)
    })
  }

  /** Counts the calls of a method that have not ended: it calls its last argument back, or returns a promise. */
  #wrapMethod(prototype: object, name: string): void {
    const method: (...args: unknown[]) => unknown = Reflect.get(prototype, name)
    const beginWork = this.#beginWork
    this.#replacements.set(prototype, name, function counted(this: unknown, ...args: unknown[]): unknown {
      const endWork = beginWork()
      const callback = args.at(-1)
      if (typeof callback === 'function') {
        const countedCallback = (...results: unknown[]): unknown => {
          endWork()
          return callback(...results)
        }
        return method.apply(this, [...args.slice(0, -1), countedCallback])
      }
      const result = method.apply(this, args)
      if (result instanceof Promise) result.then(endWork, endWork)
      else endWork()
      return result
    })
  }
}

/** The prototypes of the jobs. Node does not export them, so a job of each is made here, and not run. */
function jobPrototypes(): Job[] {
  const prototypes: Job[] = []
  const init = (_id: number, type: string, _trigger: number, resource: object): void => {
    if (!type.endsWith('REQUEST') || !('run' in resource)) return
    prototypes.push(Object.getPrototypeOf(resource))
    resource.run = () => {}
  }
  const hook = createHook({ init }).enable()
  for (const begin of CRYPTO_JOBS) begin(() => {})
  hook.disable()
  return prototypes
}

function countByType(): Counts {
  const counts = new Map<string, number>()
  for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1)
  return counts
}
