/** The options of a server over HTTP, as a type and as a list. */

import { type OptionChecks, TEXT, wholeNumber } from '../core/errors/check-options.ts'

/** How a server is set up. */
export interface ListenOptions {
  /** The port, from 0 to 65535; 0 takes any free port. Default: 4010. */
  readonly port?: number | undefined
  /** The address to listen on. Beyond loopback the control plane asks for `token`. Default: 127.0.0.1. */
  readonly host?: string | undefined
  /** The token of the control plane beyond loopback (`Authorization: Bearer <token>`); without one it is closed there. */
  readonly token?: string | undefined
  /** A module that exports msw handlers (`default` or `handlers`) for the paths that the mock does not know. */
  readonly handlers?: string | undefined
  /**
   * The number of processes that do the HTTP, from 1 to 32; the mock stays in this one and decides every call.
   * Default: 1, which is this process.
   */
  readonly workers?: number | undefined
}

const WORKERS = wholeNumber(1, 32)
/** The allowed numbers of workers, for messages. */
export const WORKER_COUNTS = WORKERS.expected

export const isWorkerCount = WORKERS.isValid

/** Every option of listen, to refuse others and wrong values. */
export const LISTEN_OPTIONS: OptionChecks<ListenOptions> = {
  port: wholeNumber(0, 65_535),
  host: TEXT,
  token: TEXT,
  handlers: TEXT,
  workers: WORKERS,
}
