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

/** Every option of listen, to refuse others. */
export const LISTEN_OPTIONS = { port: true, host: true, token: true, handlers: true, workers: true } as const

const MAX_WORKERS = 32
/** The allowed numbers of workers, for messages. */
export const WORKER_COUNTS = `a whole number from 1 to ${MAX_WORKERS}`

export const isWorkerCount = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= MAX_WORKERS
