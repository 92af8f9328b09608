/** The faults and their options as types. Made from catalogue.ts by `npm run generate`; do not edit. */
import type { Duration } from '../text/duration.ts'

type NoOptions = Record<never, never>

/** The options of each fault, by its name. */
export interface FaultOptionsByName {
  /** 400: the request is not valid. */
  readonly 'invalid-request': NoOptions
  /** 400: the messages are longer than the context of the model. */
  readonly 'context-length': NoOptions
  /** 401: the request has no API key. */
  readonly 'missing-key': NoOptions
  /** 401: the API key is not accepted. */
  readonly 'invalid-key': NoOptions
  /** 403: the region is not supported. */
  readonly 'forbidden-region': NoOptions
  /** 404: the model does not exist. */
  readonly 'not-found': NoOptions
  /** 409: another request changed the resource first. */
  readonly conflict: NoOptions
  /** 422: the request is well formed but cannot be processed. */
  readonly unprocessable: NoOptions
  /** 429: too many requests per minute. */
  readonly 'rate-limit': {
    /** The wait that retry-after and retry-after-ms give: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). Default: 1s. */
    readonly retryAfter?: Duration | number | undefined
  }
  /** 429: too many tokens per minute. */
  readonly 'rate-limit-tokens': {
    /** The wait that retry-after and retry-after-ms give: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). Default: 1s. */
    readonly retryAfter?: Duration | number | undefined
  }
  /** 429: the quota is used up; waiting won't help. */
  readonly quota: NoOptions
  /** 500: the server had an error. */
  readonly 'server-error': NoOptions
  /** 502: a proxy in front of the service answers with its own page, not in the error envelope. */
  readonly 'bad-gateway': {
    /** The format of the page: one of html, json. Default: html. */
    readonly body?: 'html' | 'json' | undefined
  }
  /** 503: the model is overloaded. */
  readonly overloaded: NoOptions
  /** 504: a proxy in front of the service timed out and answers with its own page. */
  readonly 'gateway-timeout': {
    /** The format of the page: one of html, json. Default: html. */
    readonly body?: 'html' | 'json' | undefined
  }
  /** Any status from 400 to 599, in the error envelope. */
  readonly status: {
    /** The status of the answer: a status from 400 to 599. Default: 500. */
    readonly status?: number | undefined
    /** The value of the header x-should-retry: one of true, false. */
    readonly shouldRetry?: 'true' | 'false' | undefined
  }
  /** A refusal: no content, the words of it in `refusal`, finish_reason stop. */
  readonly refusal: NoOptions
  /** An empty text where an answer should be, finish_reason stop. */
  readonly 'empty-text': NoOptions
  /** A text in another language than the one it was asked in. */
  readonly 'other-language': NoOptions
  /** JSON, or the arguments of a call, that breaks off in the middle though finish_reason says it is whole. */
  readonly 'truncated-json': NoOptions
  /** JSON of the right shape, in which one value is none of those its enum lists. */
  readonly 'wrong-enum': NoOptions
  /** A call of a tool that the request did not declare. */
  readonly 'undeclared-tool': NoOptions
  /** A stream in which one chunk of the text or of the arguments comes twice. */
  readonly 'repeated-chunk': NoOptions
  /** A usage that does not add up: total_tokens is more than its parts. */
  readonly 'wrong-usage': NoOptions
  /** An embedding that has one number too few. */
  readonly 'wrong-dimension': NoOptions
  /** Embeddings out of order: each has the right index, but not the right place. */
  readonly 'shuffled-embeddings': NoOptions
  /** Takes the call and never answers, until the client leaves. */
  readonly hang: NoOptions
  /** Resets the connection (RST) when the answer should begin. */
  readonly 'reset-before-headers': NoOptions
  /** Sends the headers, then resets the connection (RST) before any of the body. */
  readonly 'reset-after-headers': NoOptions
  /** Closes the connection (FIN) without a byte of an answer. */
  readonly 'empty-reply': NoOptions
  /** Sends bytes that are no HTTP in place of an answer, then closes the connection. */
  readonly garbage: NoOptions
  /** Says the length of the whole body (Content-Length), sends half of it and closes the connection (FIN). */
  readonly 'half-body': NoOptions
  /** Says text/html of a body that is JSON, or a stream of events. */
  readonly 'wrong-content-type': NoOptions
  /** Sends the body in small pieces, with a pause before each. */
  readonly 'slow-drip': {
    /** How many bytes a piece has: a whole number from 1. Default: 1. */
    readonly size?: number | undefined
    /** The pause before each piece: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). Default: 100ms. */
    readonly interval?: Duration | number | undefined
  }
  /** Sends the body evenly, at so many bytes a second. */
  readonly bandwidth: {
    /** How many bytes a second: a whole number from 1. Default: 1000. */
    readonly rate?: number | undefined
  }
  /** Gzips the body (Content-Encoding: gzip) and ends the answer half-way, as if that were all. */
  readonly 'truncated-gzip': NoOptions
  /** Ends a stream early: after some events, at a byte, inside of something or before it. An answer that is no stream arrives half, unless bytes or inside say where. */
  readonly cut: {
    /** How many events arrive whole first (default 1; 0 with bytes, inside or before): a whole number from 0. */
    readonly after?: number | undefined
    /** How many bytes arrive then: a whole number from 0. */
    readonly bytes?: number | undefined
    /** It breaks in the middle of the next of these: one of data, character, arguments. */
    readonly inside?: 'data' | 'character' | 'arguments' | undefined
    /** It breaks before the next of these events: one of finish, usage, done. */
    readonly before?: 'finish' | 'usage' | 'done' | undefined
    /** How it ends: broken (RST), closed (FIN), open and silent, or properly, as if that were all: one of reset, fin, stall, clean. Default: reset. */
    readonly end?: 'reset' | 'fin' | 'stall' | 'clean' | undefined
  }
  /** Ends a stream with an event that holds an error in the envelope. */
  readonly 'stream-error': {
    /** How many events come before it: a whole number from 0. Default: 1. */
    readonly after?: number | undefined
    /** Whether the event has its data only, or the line event: error too: one of unnamed, error. Default: unnamed. */
    readonly event?: 'unnamed' | 'error' | undefined
  }
  /** Sends one event of a stream with only half of its JSON, and goes on. */
  readonly 'malformed-event': {
    /** How many events come before it: a whole number from 0. Default: 1. */
    readonly after?: number | undefined
  }
  /** Ends a stream properly, but without its [DONE]. */
  readonly 'missing-done': NoOptions
  /** Leaves out the event with the usage, in a stream that was asked for it. */
  readonly 'missing-usage': NoOptions
  /** Sends one event of a stream twice. */
  readonly 'duplicated-event': {
    /** How many events come before it: a whole number from 0. Default: 1. */
    readonly after?: number | undefined
  }
  /** Puts a comment (: keep-alive) before each event of a stream, as proxies do. */
  readonly comments: NoOptions
  /** Ends the lines of a stream in CR LF, as some gateways do. */
  readonly crlf: NoOptions
  /** Sends each event of a stream in packets of a few bytes, which may part a character. */
  readonly 'split-events': {
    /** How many bytes a packet has: a whole number from 1. Default: 16. */
    readonly size?: number | undefined
  }
  /** Holds the events of a stream back and sends several in one packet, as proxies with a buffer do. */
  readonly 'joined-events': {
    /** How many events a packet has: a whole number from 1. Default: 4. */
    readonly size?: number | undefined
  }
}

/** The name of a fault. */
export type FaultName = keyof FaultOptionsByName

/** The faults that a bare status means, such as 429. */
type StatusFault =
  | 'status'
  | 'invalid-request'
  | 'invalid-key'
  | 'forbidden-region'
  | 'not-found'
  | 'conflict'
  | 'unprocessable'
  | 'rate-limit'
  | 'server-error'
  | 'bad-gateway'
  | 'overloaded'
  | 'gateway-timeout'

/**
 * The options of a fault.
 * @example const options: FaultOptionsOf<'rate-limit'> = { retryAfter: '2s' }
 */
export type FaultOptionsOf<Name extends FaultName | number> = Name extends FaultName
  ? FaultOptionsByName[Name]
  : FaultOptionsByName[StatusFault]

/** The name of an option of some fault. */
export type FaultOptionName = { [Name in FaultName]: keyof FaultOptionsByName[Name] }[FaultName]
