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
}
