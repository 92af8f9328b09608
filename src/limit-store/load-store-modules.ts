/**
 * Loads what a store needs: the package @redis/client, which is optional, and modules of Node. In a separate file, so that
 * the public types of a store do not need those of Node.
 */
import { MockError } from '../core/protocol/errors/mock-error.ts'

/** The used part of the client. Its own types would need the package wherever those of the mock are checked. */
export interface RedisClient {
  connect(): Promise<unknown>
  sendCommand<Reply>(command: readonly string[]): Promise<Reply>
  on(event: 'error', listener: (error: Error) => void): unknown
  ref(): void
  unref(): void
  close(): Promise<void>
  destroy(): void
}

interface ClientModule {
  createClient(options: {
    readonly url: string
    readonly RESP: 2
    readonly disableOfflineQueue: boolean
    readonly commandOptions: { readonly timeout: number }
    readonly socket: { readonly reconnectStrategy: false; readonly connectTimeout: number }
  }): RedisClient
  /** An answer of the server that is an error. */
  readonly ErrorReply: new (
    ...values: never[]
  ) => Error
}

/** The place from which Node looks for the package. */
const here = import.meta.url

// The timers as they were when the package was loaded: test runners replace them by fake ones.
const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis
const timers = { setTimeout, clearTimeout, setInterval, clearInterval }

/** The modules of a store, which are loaded later. */
export type StoreModules = ReturnType<typeof loadStoreModules>

/** @throws MockError outside Node, and without the package. */
export function loadStoreModules() {
  const builtIn = globalThis.process?.getBuiltinModule
  if (builtIn === undefined) {
    throw new MockError(
      'unsupported-scenario',
      'limits.shared needs Node: a page cannot connect to a store. Remove it, or run the mock as a server.',
    )
  }
  // Without `node:`, because a bundle for browsers also contains this.
  const { hash, randomBytes } = builtIn('crypto')
  try {
    const client: ClientModule = builtIn('module').createRequire(here)('@redis/client')
    return { createClient: client.createClient, ErrorReply: client.ErrorReply, hash, randomBytes, timers }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    throw new MockError(
      'missing-package',
      'limits.shared needs the package @redis/client, which is not installed. Run: npm install @redis/client@6',
      { cause: error },
    )
  }
}
