/** The options of a server over HTTP, as a type and as checks, and which of their hosts and paths are special. */

import { isObject } from '../core/lib/text/json.ts'
import { type OptionChecks, oneOf, TEXT, wholeNumber } from '../core/protocol/errors/check-options.ts'
import { SESSION_NAME } from '../core/protocol/request/request-path.ts'

export const METRICS_NAMES = ['mock', 'vllm'] as const

/** Options for `listen`. */
export interface ListenOptions {
  /** The port, from 0 to 65535; 0 takes any free port. Default: 4010. */
  readonly port?: number | undefined
  /** The address to listen on. Beyond loopback the control plane always requires a token. Default: 127.0.0.1. */
  readonly host?: string | undefined
  /**
   * The token that the control plane requires (`Authorization: Bearer <token>`). Default: none; beyond loopback the control
   * plane then refuses everyone.
   */
  readonly token?: string | undefined
  /**
   * Tokens of the control plane by the name of a session: each reads and changes this session only, which has a scenario of
   * its own, at first a copy of that of the mock. With one, nobody has access without a token. Default: none.
   */
  readonly sessionTokens?: Readonly<Record<string, string>> | undefined
  /** A module that exports msw handlers (`default` or `handlers`) for the paths that the mock does not know. */
  readonly handlers?: string | undefined
  /** Base path of the endpoints, such as `/llm/api`, in addition to every path that ends in `/v1`. Default: none. */
  readonly basePath?: string | undefined
  /**
   * The most bytes of answers that wait for their clients to read, over all connections. Beyond it, the connections that
   * have read nothing for longest are reset. Default: an eighth of the heap, at most 256,000,000.
   */
  readonly unreadLimit?: number | undefined
  /** The file of the scenario. The page shows its text and saves to it. Default: none; then the server writes no file. */
  readonly scenarioFile?: string | undefined
  /** The names of the metrics: `vllm` for those of vLLM where it has the same metric. Default: `mock`. */
  readonly metricsNames?: (typeof METRICS_NAMES)[number] | undefined
}

/** True if a text is a path without a query, and not the control plane's. */
export const isBasePath = (value: unknown): boolean =>
  typeof value === 'string' && /^\/[^?#\s]*$/.test(value) && !/^\/_mock(?:\/|$)/.test(value)

/** Every option of listen, to refuse others and wrong values. */
export const LISTEN_OPTIONS: OptionChecks<ListenOptions> = {
  port: wholeNumber(0, 65_535),
  host: TEXT,
  token: TEXT,
  sessionTokens: {
    expected: "tokens by the names of sessions, such as { 'team-a': 'a-token' }",
    // A token is sent in a header.
    isValid: (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([name, token]) => SESSION_NAME.test(name) && typeof token === 'string' && /^[\x21-\x7e]+$/.test(token),
      ),
  },
  handlers: TEXT,
  basePath: {
    expected: "a path, such as '/llm/api'",
    isValid: isBasePath,
  },
  unreadLimit: wholeNumber(0),
  scenarioFile: TEXT,
  metricsNames: oneOf(...METRICS_NAMES),
}

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const LOOPBACK = new RegExp(`^(?:localhost|127(?:\\.${OCTET}){3}|\\[::1\\])$`, 'i')

/** True if a host name or address is loopback. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
}
