/** The faults and their options as types. Made from fault-catalogue.ts by `npm run generate`; do not edit. */
import type { Duration } from '../core/lib/text/duration.ts'

type NoOptions = Record<never, never>

/** The options of each fault, by its name. */
export interface FaultOptionsByName {
  /** 400: the request is not valid. */
  readonly 'invalid-request': NoOptions
  /** 400: the messages are longer than the context of the model. */
  readonly 'context-length': NoOptions
  /** 400: the organization may not have summaries of the reasoning. */
  readonly 'organization-not-verified': NoOptions
  /** 400: the organization stores nothing, so there is no previous response. */
  readonly 'zero-data-retention': NoOptions
  /** 400: encrypted reasoning cannot be read. */
  readonly 'invalid-encrypted-content': NoOptions
  /** 401: the request has no API key. */
  readonly 'missing-key': NoOptions
  /** 401: the API key is not accepted. */
  readonly 'invalid-key': NoOptions
  /** 403: the region is not supported. */
  readonly 'forbidden-region': NoOptions
  /** 404: the model does not exist. */
  readonly 'not-found': NoOptions
  /** 404: an item of the input is not stored. */
  readonly 'item-not-found': NoOptions
  /** 409: another request changed the resource first. */
  readonly conflict: {
    /** The wait in retry-after and retry-after-ms; 0 for a retry at once: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). */
    readonly retryAfter?: Duration | number | undefined
  }
  /** 422: the request is well formed but cannot be processed. */
  readonly unprocessable: NoOptions
  /** 429: too many requests per minute. */
  readonly 'rate-limit': {
    /** The wait in retry-after and retry-after-ms; 0 for a retry at once: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). Default: 1s. */
    readonly retryAfter?: Duration | number | undefined
  }
  /** 429: too many tokens per minute. */
  readonly 'rate-limit-tokens': {
    /** The wait in retry-after and retry-after-ms; 0 for a retry at once: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). Default: 1s. */
    readonly retryAfter?: Duration | number | undefined
  }
  /** 429: the quota is used up; waiting won't help. */
  readonly quota: {
    /** The wait in retry-after and retry-after-ms; 0 for a retry at once: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). */
    readonly retryAfter?: Duration | number | undefined
  }
  /** 500: the server had an error. */
  readonly 'server-error': {
    /** The wait in retry-after and retry-after-ms; 0 for a retry at once: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). */
    readonly retryAfter?: Duration | number | undefined
  }
  /** 502: a proxy in front of the service answers with its own page, not in the error envelope. */
  readonly 'bad-gateway': {
    /** The wait in retry-after and retry-after-ms; 0 for a retry at once: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). */
    readonly retryAfter?: Duration | number | undefined
  }
  /** 503: the model is overloaded. */
  readonly overloaded: {
    /** The wait in retry-after and retry-after-ms; 0 for a retry at once: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). */
    readonly retryAfter?: Duration | number | undefined
  }
  /** 504: a proxy in front of the service timed out and answers with its own page. */
  readonly 'gateway-timeout': {
    /** The wait in retry-after and retry-after-ms; 0 for a retry at once: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). */
    readonly retryAfter?: Duration | number | undefined
  }
  /** Any status from 400 to 599, in the error envelope. */
  readonly status: {
    /** The status of the response: a status from 400 to 599. Default: 500. */
    readonly status?: number | undefined
    /** The value of the header x-should-retry: one of true, false. */
    readonly shouldRetry?: 'true' | 'false' | undefined
    /** The wait in retry-after and retry-after-ms; 0 for a retry at once: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). */
    readonly retryAfter?: Duration | number | undefined
  }
  /** A refusal: no content, the text in `refusal`, with finish_reason stop. */
  readonly refusal: NoOptions
  /** An empty text in place of an answer, with finish_reason stop. */
  readonly 'empty-text': NoOptions
  /** A text in a language other than that of the prompt. */
  readonly 'other-language': NoOptions
  /** An answer that ends in the middle, with a finish_reason that says so. */
  readonly unfinished: {
    /** The finish_reason: out of tokens, or stopped by a filter: one of length, content_filter. Default: length. */
    readonly reason?: 'length' | 'content_filter' | undefined
  }
  /** JSON, or the arguments of a call, that stops in the middle although finish_reason says it is complete. */
  readonly 'truncated-json': NoOptions
  /** JSON of the right shape with one value that is not in its enum. */
  readonly 'wrong-enum': NoOptions
  /** A call to a tool that the request did not declare. */
  readonly 'undeclared-tool': NoOptions
  /** Arguments of a call, or JSON by a schema, without a property that the schema requires. */
  readonly 'missing-required': NoOptions
  /** Arguments of a call, or JSON by a schema, with one property of a wrong type: a number where a string belongs. */
  readonly 'wrong-type': NoOptions
  /** Arguments of a call, or JSON by a schema, with a property that the schema does not have. */
  readonly 'extra-property': NoOptions
  /** The object of the arguments, or of an answer in JSON, inside an array or as a string. */
  readonly 'not-object': {
    /** Which of the two; drawn when left out: one of array, string. */
    readonly as?: 'array' | 'string' | undefined
  }
  /** Arguments, or an answer in JSON, with a comma after the last property. */
  readonly 'trailing-comma': NoOptions
  /** Arguments, or an answer in JSON, with single quotes around names and texts, as Python writes them. */
  readonly 'single-quotes': NoOptions
  /** Arguments, or an answer in JSON, inside a Markdown code block. */
  readonly 'code-fence': NoOptions
  /** One tool call twice in an answer, with different ids; the calls after it move. */
  readonly 'duplicate-tool-call': NoOptions
  /** A tool call with the id of another call, or in a stream an id that changes after the first chunk. */
  readonly 'wrong-tool-call-id': {
    /** Repeated: the id of the last call in the messages, or one id for all calls of the answer; changing: later chunks have another id: one of repeated, changing. Default: repeated. */
    readonly id?: 'repeated' | 'changing' | undefined
  }
  /** Makes the same tool calls again, turn after turn, whatever their result. */
  readonly 'tool-loop': {
    /** Repetitions of the calls for a user message; after that the answer is as usual: a whole number from 1. Default: 30. */
    readonly turns?: number | undefined
  }
  /** A stream that repeats one chunk of the text or of the arguments. */
  readonly 'repeated-chunk': NoOptions
  /** A usage that does not add up: total_tokens is more than the sum of its parts. */
  readonly 'wrong-usage': NoOptions
  /** One embedding has one dimension too few. */
  readonly 'wrong-dimension': NoOptions
  /** Embeddings out of order: each has the index of its input, but none is at that position. */
  readonly 'shuffled-embeddings': NoOptions
  /** Accepts the call and never answers, until the client disconnects. */
  readonly hang: NoOptions
  /** Resets the connection (RST) when the response should start. */
  readonly 'reset-before-headers': NoOptions
  /** Sends the headers, then resets the connection (RST) before the body. */
  readonly 'reset-after-headers': NoOptions
  /** Closes the connection (FIN) without sending a byte. */
  readonly 'empty-reply': NoOptions
  /** Sends bytes that are not HTTP in place of a response, then closes the connection. */
  readonly garbage: NoOptions
  /** Answers as usual and keeps the connection alive, then resets it (RST) when the next call arrives on it. */
  readonly 'stale-connection': NoOptions
  /** Announces the length of the whole body (Content-Length), sends half of it and closes the connection (FIN). */
  readonly 'half-body': NoOptions
  /** Sends the content type text/html with a body that is JSON or an event stream. */
  readonly 'wrong-content-type': NoOptions
  /** Waits, then answers as usual, like a slow service or network. */
  readonly delay: {
    /** The wait before the answer: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). Default: 2s. */
    readonly by?: Duration | number | undefined
  }
  /** Sends the body in small pieces, with a pause before each. */
  readonly 'slow-drip': {
    /** The number of bytes per piece: a whole number from 1. Default: 1. */
    readonly size?: number | undefined
    /** The pause before each piece: a duration such as '500ms' or '20s', at most a day (a bare number means seconds). Default: 100ms. */
    readonly interval?: Duration | number | undefined
  }
  /** Sends the body evenly at a fixed number of bytes per second. */
  readonly bandwidth: {
    /** The number of bytes per second: a whole number from 1. Default: 1000. */
    readonly rate?: number | undefined
  }
  /** Gzips the body (Content-Encoding: gzip) and ends the response half-way, as if it were complete. */
  readonly 'truncated-gzip': NoOptions
  /** Ends a stream early: after a number of events or bytes, inside a part of it or before one. Without bytes or inside, a non-streamed response ends after half of its body. */
  readonly cut: {
    /** The number of complete events first, or of places on responses (default 1; 0 with bytes, inside or before): a whole number from 0. */
    readonly after?: number | undefined
    /** The number of bytes after them: a whole number from 0. */
    readonly bytes?: number | undefined
    /** The part in whose middle it ends: one of data, character, arguments. */
    readonly inside?: 'data' | 'character' | 'arguments' | undefined
    /** The event before which it ends: one of finish, usage, done. */
    readonly before?: 'finish' | 'usage' | 'done' | undefined
    /** The end of the answer: with a reset (RST), a close (FIN), silence on an open connection, or normally: one of reset, fin, stall, clean. Default: reset. */
    readonly end?: 'reset' | 'fin' | 'stall' | 'clean' | undefined
  }
  /** Ends a stream with an event that carries an error envelope. */
  readonly 'stream-error': {
    /** The number of events before it, or of places on responses: a whole number from 0. Default: 1. */
    readonly after?: number | undefined
    /** Error adds the line event: error to the event; on responses it always has one: one of unnamed, error. Default: unnamed. */
    readonly event?: 'unnamed' | 'error' | undefined
  }
  /** Sends one event of a stream with only half of its JSON, then continues. */
  readonly 'malformed-event': {
    /** The number of events before it, or of places on responses: a whole number from 0. Default: 1. */
    readonly after?: number | undefined
  }
  /** Ends a stream normally but without its [DONE], or the last event of a response. */
  readonly 'missing-done': NoOptions
  /** Omits one event of a response, so that its sequence numbers have a gap. */
  readonly 'sequence-gap': {
    /** The number of events before it, or of places on responses: a whole number from 0. Default: 1. */
    readonly after?: number | undefined
  }
  /** Omits the usage event of a stream whose request asked for it. */
  readonly 'missing-usage': NoOptions
  /** Sends one event of a stream twice. */
  readonly 'duplicated-event': {
    /** The number of events before it, or of places on responses: a whole number from 0. Default: 1. */
    readonly after?: number | undefined
  }
  /** Sends a comment (: keep-alive) before each event of a stream, as proxies do. */
  readonly comments: NoOptions
  /** Ends the lines of a stream with CR LF, as some gateways do. */
  readonly crlf: NoOptions
  /** Sends each event of a stream in packets of a few bytes, which may split a character. */
  readonly 'split-events': {
    /** The number of bytes per packet: a whole number from 1. Default: 16. */
    readonly size?: number | undefined
  }
  /** Sends several events of a stream in one packet, as buffering proxies do. */
  readonly 'joined-events': {
    /** The number of events per packet: a whole number from 1. Default: 4. */
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
