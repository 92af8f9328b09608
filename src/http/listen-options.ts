/** How a server is set up: both planes read it. */
export interface ListenOptions {
  /** 0 for any free port. Default: 4010. */
  readonly port?: number
  /** Default: 127.0.0.1. On another address the control plane asks for `token`. */
  readonly host?: string
  /** What the control plane asks for beyond loopback, as `Authorization: Bearer <token>`. Without one it is closed there. */
  readonly token?: string
  /** A module whose default export (or `handlers`) is a list of msw handlers; they answer the paths the mock does not know. */
  readonly handlers?: string
  /**
   * How many processes take the calls, from 1 to 32; see README on when it pays. Default: 1, the process of the mock
   * itself. With more the mock stays here and decides every call, and they do the HTTP.
   */
  readonly workers?: number
}

const MAX_WORKERS = 32
/** What is allowed as a number of workers, for messages. */
export const WORKER_COUNTS = `a whole number from 1 to ${MAX_WORKERS}`

export const isWorkerCount = (count: number): boolean => Number.isInteger(count) && count >= 1 && count <= MAX_WORKERS
