/**
 * A connection to Redis or Valkey that runs scripts. Every script is answered, or fails, within a bounded time.
 *
 *     idle ──(connect)──> connected ──(error or no answer)──> away ──(retry after 0.1 to 1 s)──> connected
 *
 * While the server is away, scripts fail at once. The client could reconnect and keep commands meanwhile, but both are off: a
 * call must not wait, and a server that was stopped with SIGSTOP accepts connections and answers nothing.
 */
import { maskPassword } from '../core/lib/text/mask-keys.ts'
import type { ReportStore } from './limit-store.ts'
import type { RedisClient, StoreModules } from './load-store-modules.ts'

/** The time within which the server has to answer, after which it counts as away. */
const MAX_ANSWER_MS = 2_000
/** The time for the answers of the scripts that were sent before `close`. */
const MAX_CLOSING_MS = 500
const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 1_000

/** An open connection. */
interface Connected {
  readonly client: RedisClient
  /** The hash of each script, by which the server runs it. */
  readonly hashes: ReadonlyMap<string, string>
  /** Milliseconds that the server's clock is ahead of `performance.now()` here. */
  readonly aheadMs: number
}

/** The beginning of an error that a script returns when nobody waits for it any more. */
export const LATE = 'LATE'
/** An error after which the connection is no use: the script ran too late, or another server has become the primary. */
const FATAL_ANSWER = new RegExp(`^(?:${LATE}|READONLY)\\b`)

/** The error of a script that was sent, and whose answer was lost or came too late: it may have run. */
export class LostAnswer extends Error {}

/** Servers that cannot count, by a line of their INFO, and the advice for each. */
const UNSUPPORTED = [
  {
    line: /^redis_mode:cluster/m,
    advice: 'it is a node of a Redis Cluster, which is not supported. Use a single server: one counts for many mocks',
  },
  {
    line: /^redis_mode:sentinel/m,
    advice: 'it is a Sentinel, which is not supported. Use the address of the primary, or of a proxy that follows it',
  },
  {
    line: /^role:slave/m,
    advice: 'it is a replica, which cannot write. Use the address of the primary, or of a proxy that follows it',
  },
]

export class RedisConnection {
  /** The address, without its password. */
  readonly name: string
  readonly #url: string
  readonly #scripts: readonly string[]
  readonly #report: ReportStore
  readonly #onConnect: () => void
  readonly #modules: StoreModules
  /** The open connection: set by `#connect`, removed by an error and by `close`. */
  #connected: Connected | undefined
  /** The connection that is being opened. */
  #connecting: Promise<Connected> | undefined
  /** The reason why the server cannot be asked; undefined while it can, and before the first try. */
  #problem: string | undefined
  /** The timer of the next try while the server is away, and the wait before the one after it. */
  #retry: ReturnType<typeof setTimeout> | undefined
  #retryMs = FIRST_RETRY_MS

  /**
   * @param report gets a line when the server goes away, and one when it is back.
   * @param onConnect is called before any script runs over a new connection.
   */
  constructor(
    url: string,
    scripts: readonly string[],
    { report, onConnect }: { readonly report: ReportStore; readonly onConnect: () => void },
    modules: StoreModules,
  ) {
    this.name = maskPassword(url)
    this.#url = url
    this.#scripts = scripts
    this.#report = report
    this.#onConnect = onConnect
    this.#modules = modules
  }

  /**
   * Runs a script. Scripts run in the order of the calls. The first argument of each is the time of the server at which
   * nobody waits for it any more: a server that was stopped runs what it was sent before, when it goes on.
   * @throws Error that says why there is no answer.
   */
  async run(script: string, key: string, args: readonly string[]): Promise<unknown> {
    if (this.#problem !== undefined) throw new Error(this.#problem)
    const { client, hashes, aheadMs } = this.#connected ?? (await this.connect())
    const deadline = String(Math.floor(performance.now() + aheadMs + MAX_ANSWER_MS))
    const command = ['1', key, deadline, ...args]
    const sent = client.sendCommand(['EVALSHA', hashes.get(script)!, ...command]).catch((error: Error) => {
      if (!error.message.startsWith('NOSCRIPT')) throw error
      // Someone has emptied the server's cache of scripts.
      return client.sendCommand(['EVAL', script, ...command])
    })
    try {
      return await this.withinTime(sent)
    } catch (error) {
      // An error that is an answer of the server usually leaves the connection good.
      const isAnswer = error instanceof this.#modules.ErrorReply
      if (!isAnswer || FATAL_ANSWER.test(error.message)) this.#lose(client, error)
      const message = this.#problem ?? `${this.name} refuses commands (${messageOf(error)})`
      throw isAnswer ? new Error(message) : new LostAnswer(message)
    }
  }

  /** Connects unless it is connected. */
  connect(): Promise<Connected> {
    if (this.#connected !== undefined) return Promise.resolve(this.#connected)
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  async #connect(): Promise<Connected> {
    this.#modules.timers.clearTimeout(this.#retry)
    const client = this.#modules.createClient({
      url: this.#url,
      RESP: 2,
      disableOfflineQueue: true,
      // Scripts have a time limit of their own, and the signal that the client would make for each takes 10 µs.
      commandOptions: { timeout: 0 },
      socket: { reconnectStrategy: false, connectTimeout: MAX_ANSWER_MS },
    })
    // A test process must be able to end.
    client.unref()
    client.on('error', (error) => this.#lose(client, error))
    try {
      await this.withinTime(client.connect())
      // The user of the address may not be allowed to ask for it.
      const info = await this.withinTime(client.sendCommand(['INFO']).catch(() => ''))
      for (const { line, advice } of UNSUPPORTED) if (line.test(String(info))) throw new Error(advice)
      const load = (script: string) => client.sendCommand(['SCRIPT', 'LOAD', script])
      const hashes = await this.withinTime(Promise.all(this.#scripts.map(load)))
      const time = await this.withinTime(client.sendCommand(['TIME']))
      if (!hashes.every(isHash) || !isTime(time)) throw new Error('it is not a Redis server')
      const connected = {
        client,
        hashes: new Map(this.#scripts.map((script, index) => [script, hashes[index]!])),
        aheadMs: Number(time[0]) * 1000 + Number(time[1]) / 1000 - performance.now(),
      }
      this.#connected = connected
      const wasAway = this.#problem !== undefined
      this.#problem = undefined
      this.#retryMs = FIRST_RETRY_MS
      this.#onConnect()
      if (wasAway) this.#report(`${this.name} is back.`, true)
      return connected
    } catch (error) {
      client.destroy()
      throw this.#goAway(error)
    }
  }

  /** Gives up a connection after an error. Errors of earlier connections do not count. */
  #lose(client: RedisClient, error: unknown): void {
    if (client !== this.#connected?.client) return
    this.#connected = undefined
    client.destroy()
    this.#goAway(error)
  }

  /** Marks the server as away, and tries to connect again later. Returns the error of scripts until then. */
  #goAway(error: unknown): Error {
    const wasAway = this.#problem !== undefined
    this.#problem = `${this.name} does not answer (${messageOf(error)})`
    if (!wasAway) this.#report(`${this.#problem}. The mock tries again until it does.`, false)
    this.#retry = this.#modules.timers.setTimeout(() => void this.connect().catch(() => {}), this.#retryMs)
    this.#retry.unref?.()
    this.#retryMs = Math.min(MAX_RETRY_MS, this.#retryMs * 2)
    return new Error(this.#problem)
  }

  /** Disconnects after the answers of all scripts, or half a second later. The next script connects again. */
  async close(): Promise<void> {
    await this.#connecting?.catch(() => {})
    this.#modules.timers.clearTimeout(this.#retry)
    this.#problem = undefined
    const client = this.#connected?.client
    if (client === undefined) return
    this.#connected = undefined
    client.ref()
    await this.withinTime(client.close(), MAX_CLOSING_MS).catch(() => client.destroy())
  }

  /** Rejects when a promise takes too long. The store uses it too, for the timers that no test has faked. */
  withinTime<Value>(promise: Promise<Value>, ms = MAX_ANSWER_MS): Promise<Value> {
    const { setTimeout, clearTimeout } = this.#modules.timers
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
      promise.finally(() => clearTimeout(timer)).then(resolve, reject)
    })
  }
}

/** A hash of a script, as SCRIPT LOAD answers. */
const isHash = (answer: unknown): answer is string => typeof answer === 'string' && /^[\da-f]{40}$/.test(answer)
/** Seconds and microseconds, as TIME answers. */
const isTime = (answer: unknown): answer is readonly string[] =>
  Array.isArray(answer) && answer.length === 2 && answer.every((part) => /^\d+$/.test(String(part)))

/** Node's error for a name with several addresses has no message. */
const messageOf = (error: unknown): string =>
  (error as Error).message || (error as NodeJS.ErrnoException).code || 'no reason given'
