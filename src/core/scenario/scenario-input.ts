/** A scenario in code, as types. Made from scenario.schema.json by `npm run generate`; do not edit. */
import type { FaultName } from '../faults/fault-types.ts'
import type { Duration } from '../text/duration.ts'

/** So many in a window: `60 per minute`. */
export type Rate = `${number} per ${'second' | 'minute' | 'hour' | 'day'}`

/** A world for llm-api-mock: keys, models, replies, limits, faults, states. */
export interface ScenarioInput {
  /** For editors. */
  readonly $schema?: string | undefined
  /** What this scenario shows, in one sentence. */
  readonly description?: string | undefined
  /** The seed of everything drawn, a whole number or a text; default 1. */
  readonly seed?: number | string | undefined
  /** Strict refuses unknown parameters as the real service does; lenient (default) accepts and notes them. */
  readonly validation?: 'strict' | 'lenient' | undefined
  /** Accepted keys, * stands for any characters; absent: any key is accepted, a missing one is not. */
  readonly keys?: Readonly<Record<string, KeySettings>> | undefined
  /** Known models; absent: any model name is accepted. */
  readonly models?: Readonly<Record<string, ModelSettings>> | undefined
  /** The first that matches speaks; none: see unmatched. */
  readonly replies?: readonly ReplyRule[] | undefined
  /** A chat that no reply rule matches: echo (default) says its last user message back; refuse is a 404 that names the nearest rule. */
  readonly unmatched?: 'echo' | 'refuse' | undefined
  /** What a key may use; over it the answer is 429. */
  readonly limits?: LimitsInput | undefined
  /** How long answers take. */
  readonly pace?: PaceInput | undefined
  /** Faults that strike by themselves; the first that matches. */
  readonly faults?: readonly FaultRule[] | undefined
  /** States that follow each other by calls or time, for all keys; the first is the start. */
  readonly states?: Readonly<Record<string, StateSettings>> | undefined
}

export interface KeySettings {
  /** Limits of this key, in the place of the scenario's of the same kind. */
  readonly limits?: LimitsInput | undefined
  /** Every call with this key meets it: a fault or a status from 400 to 599. */
  readonly fault?: FaultName | number | `${number}` | undefined
  /** A whole number from 0 (cut: the number of complete events first (default 1; 0 with bytes, inside or before); stream-error: the number of events before it; malformed-event: the number of events before it; duplicated-event: the number of events before it). */
  readonly after?: number | string | undefined
  /** One of finish, usage, done (cut: the event before which it ends). */
  readonly before?: 'finish' | 'usage' | 'done' | undefined
  /** One of html, json (bad-gateway: the format of the page; gateway-timeout: the format of the page). */
  readonly body?: 'html' | 'json' | undefined
  /** A whole number from 0 (cut: the number of bytes after them). */
  readonly bytes?: number | string | undefined
  /** One of reset, fin, stall, clean (cut: how it ends: with a reset (RST), a close (FIN), silence on an open connection, or normally). */
  readonly end?: 'reset' | 'fin' | 'stall' | 'clean' | undefined
  /** One of unnamed, error (stream-error: error adds the line event: error to the event). */
  readonly event?: 'unnamed' | 'error' | undefined
  /** One of data, character, arguments (cut: the part in whose middle it ends). */
  readonly inside?: 'data' | 'character' | 'arguments' | undefined
  /** A duration such as '500ms' or '20s', at most a day (a bare number means seconds) (slow-drip: the pause before each piece). */
  readonly interval?: number | string | undefined
  /** A whole number from 1 (bandwidth: the number of bytes per second). */
  readonly rate?: number | string | undefined
  /** A duration such as '500ms' or '20s', at most a day (a bare number means seconds) (rate-limit: the wait that retry-after and retry-after-ms give; rate-limit-tokens: the wait that retry-after and retry-after-ms give). */
  readonly retryAfter?: number | string | undefined
  /** One of true, false (status: the value of the header x-should-retry). */
  readonly shouldRetry?: 'true' | 'false' | undefined
  /** A whole number from 1 (slow-drip: the number of bytes per piece; split-events: the number of bytes per packet; joined-events: the number of events per packet). */
  readonly size?: number | string | undefined
}

/** Limits of this key, in the place of the scenario's of the same kind. */
export interface LimitsInput {
  /** Requests of a key: a rate such as 60 per minute (second, minute, hour or day), or a list of rates for different windows. */
  readonly requests?: Rate | readonly Rate[] | undefined
  /** Tokens of a key, those of the answer too: a rate such as 60 per minute (second, minute, hour or day), or a list of rates for different windows. */
  readonly tokens?: Rate | readonly Rate[] | undefined
  /** Calls of a key under way at once: a whole number from 1. */
  readonly concurrent?: number | undefined
}

export interface ModelSettings {
  /** The only endpoint it serves; absent: all. */
  readonly endpoint?: 'chat' | 'embeddings' | undefined
  /** The dated name that answers carry. */
  readonly snapshot?: string | undefined
  /** Longer messages are a 400. */
  readonly contextTokens?: number | undefined
  /** A larger max_tokens is a 400. */
  readonly maxOutputTokens?: number | undefined
  /** Refuses max_tokens, as reasoning models do. */
  readonly reasoning?: boolean | undefined
  /** Size of its vectors; default 1536. */
  readonly dimensions?: number | undefined
  /** Refuses the parameter dimensions. */
  readonly fixedDimensions?: boolean | undefined
  /** Limits of this model for each key, in the place of the scenario's of the same kind. */
  readonly limits?: LimitsInput | undefined
  /** How long its answers take; what it leaves out is as in the scenario. */
  readonly pace?: PaceInput | undefined
}

/** How long its answers take; what it leaves out is as in the scenario. */
export interface PaceInput {
  /** Wait until the first token, or the vectors: a duration such as 300ms, 2s or 1m30s (at most a day), a range such as { min: 200ms, max: 600ms }, or a distribution such as { median: 300ms, p99: 900ms } (lognormal, or Pareto with tail: heavy). */
  readonly firstToken?: Duration | { readonly min: Duration; readonly max: Duration } | { readonly median: Duration; readonly p99: Duration; readonly tail?: 'heavy' | undefined } | undefined
  /** Wait for each token after the first: a duration such as 300ms, 2s or 1m30s (at most a day), a range such as { min: 200ms, max: 600ms }, or a distribution such as { median: 300ms, p99: 900ms } (lognormal, or Pareto with tail: heavy). */
  readonly perToken?: Duration | { readonly min: Duration; readonly max: Duration } | { readonly median: Duration; readonly p99: Duration; readonly tail?: 'heavy' | undefined } | undefined
  /** Wait for each token of a prompt, or of the inputs to embed; drawn once a call: a duration such as 300ms, 2s or 1m30s (at most a day), a range such as { min: 200ms, max: 600ms }, or a distribution such as { median: 300ms, p99: 900ms } (lognormal, or Pareto with tail: heavy). */
  readonly perInputToken?: Duration | { readonly min: Duration; readonly max: Duration } | { readonly median: Duration; readonly p99: Duration; readonly tail?: 'heavy' | undefined } | undefined
  /** How much longer all of these take: a share for each other call in flight: 20% per call. */
  readonly load?: `${number}% per call` | undefined
  /** Places to be served in, and to wait in, for calls of all keys. */
  readonly queue?: { readonly concurrent: number; readonly waiting: number } | undefined
}

/** A rule: when it matches, it speaks. The first that matches wins. */
export interface ReplyRule {
  /** Conditions; all of them must hold. */
  readonly when?: Conditions | undefined
  /** A text, an object (said as JSON), or a list of these said one after the other for each key (the last one stays). */
  readonly say?: string | Readonly<Record<string, unknown>> | readonly (string | Readonly<Record<string, unknown>>)[] | undefined
  /** A call, such as { name: get_weather, arguments: { city: Paris } }, or a list of calls made at once. */
  readonly call?: { readonly name: string; readonly arguments?: string | Readonly<Record<string, unknown>> | undefined } | readonly ({ readonly name: string; readonly arguments?: string | Readonly<Record<string, unknown>> | undefined })[] | undefined
  /** A refusal: its words stand in `refusal`. */
  readonly refuse?: string | undefined
  /** Beside say: the finish_reason, as if the text had been broken off there. */
  readonly finish?: 'length' | 'content_filter' | undefined
  /** Answers of a real service, given one after the other for each key (the last one stays). */
  readonly answer?: RecordedAnswerInput | readonly RecordedAnswerInput[] | undefined
  /** A fault (invalid-request, context-length, missing-key, invalid-key, forbidden-region, not-found, conflict, unprocessable, rate-limit, rate-limit-tokens, quota, server-error, bad-gateway, overloaded, gateway-timeout, status, refusal, empty-text, other-language, truncated-json, wrong-enum, undeclared-tool, repeated-chunk, wrong-usage, wrong-dimension, shuffled-embeddings, hang, reset-before-headers, reset-after-headers, empty-reply, garbage, half-body, wrong-content-type, slow-drip, bandwidth, truncated-gzip, cut, stream-error, malformed-event, missing-done, missing-usage, duplicated-event, comments, crlf, split-events, joined-events) or a status from 400 to 599. */
  readonly fault?: FaultName | number | `${number}` | undefined
  /** A whole number from 0 (cut: the number of complete events first (default 1; 0 with bytes, inside or before); stream-error: the number of events before it; malformed-event: the number of events before it; duplicated-event: the number of events before it). */
  readonly after?: number | string | undefined
  /** One of finish, usage, done (cut: the event before which it ends). */
  readonly before?: 'finish' | 'usage' | 'done' | undefined
  /** One of html, json (bad-gateway: the format of the page; gateway-timeout: the format of the page). */
  readonly body?: 'html' | 'json' | undefined
  /** A whole number from 0 (cut: the number of bytes after them). */
  readonly bytes?: number | string | undefined
  /** One of reset, fin, stall, clean (cut: how it ends: with a reset (RST), a close (FIN), silence on an open connection, or normally). */
  readonly end?: 'reset' | 'fin' | 'stall' | 'clean' | undefined
  /** One of unnamed, error (stream-error: error adds the line event: error to the event). */
  readonly event?: 'unnamed' | 'error' | undefined
  /** One of data, character, arguments (cut: the part in whose middle it ends). */
  readonly inside?: 'data' | 'character' | 'arguments' | undefined
  /** A duration such as '500ms' or '20s', at most a day (a bare number means seconds) (slow-drip: the pause before each piece). */
  readonly interval?: number | string | undefined
  /** A whole number from 1 (bandwidth: the number of bytes per second). */
  readonly rate?: number | string | undefined
  /** A duration such as '500ms' or '20s', at most a day (a bare number means seconds) (rate-limit: the wait that retry-after and retry-after-ms give; rate-limit-tokens: the wait that retry-after and retry-after-ms give). */
  readonly retryAfter?: number | string | undefined
  /** One of true, false (status: the value of the header x-should-retry). */
  readonly shouldRetry?: 'true' | 'false' | undefined
  /** A whole number from 1 (slow-drip: the number of bytes per piece; split-events: the number of bytes per packet; joined-events: the number of events per packet). */
  readonly size?: number | string | undefined
}

/** Conditions; all of them must hold. */
export interface Conditions {
  /** The endpoint: chat or embeddings. */
  readonly endpoint?: 'chat' | 'embeddings' | undefined
  /** Whether the call asks for a stream: true or false. */
  readonly stream?: boolean | undefined
  /** How often this key has sent this very request: a whole number from 1, or a list of them. */
  readonly attempt?: number | readonly number[] | undefined
  /** The state that the scenario is in: the name of a state, or a list of them. */
  readonly state?: string | readonly string[] | undefined
  /** The number of user messages so far: a whole number from 1, or a list of them. */
  readonly turn?: number | readonly number[] | undefined
  /** The model of the request: a name, in which * stands for any characters, or a list of them. */
  readonly model?: string | readonly string[] | undefined
  /** The API key: a name, in which * stands for any characters, or a list of them. */
  readonly key?: string | readonly string[] | undefined
  /** A tool that the request offers: a name, in which * stands for any characters, or a list of them. */
  readonly tool?: string | readonly string[] | undefined
  /** The whole request; the order of keys makes no difference, [redacted] matches any text: a request body as a map, or as text when it is not a JSON object. */
  readonly request?: string | Readonly<Record<string, unknown>> | undefined
  /** The last user message: text that must occur (in any case), a pattern /like this/i, or a list of them. */
  readonly user?: string | RegExp | readonly (string | RegExp)[] | undefined
  /** The system or developer text: text that must occur (in any case), a pattern /like this/i, or a list of them. */
  readonly system?: string | RegExp | readonly (string | RegExp)[] | undefined
  /** The last message, if it is a tool's result: text that must occur (in any case), a pattern /like this/i, or a list of them. */
  readonly toolResult?: string | RegExp | readonly (string | RegExp)[] | undefined
}

export interface RecordedAnswerInput {
  /** A status from 200 to 599; default 200. */
  readonly status?: number | undefined
  /** A content type, such as application/json or text/html; charset=utf-8; default JSON for a body, server-sent events for events. */
  readonly contentType?: string | undefined
  /** What retry-after and retry-after-ms say. */
  readonly retryAfter?: Duration | undefined
  /** How long until it began: a duration such as 300ms, 2s or 1m30s (at most a day). */
  readonly wait?: Duration | undefined
  /** The body, byte for byte. */
  readonly body?: string | undefined
  /** What stands in the places marked {{vector}} in the body, in their order. */
  readonly vectors?: readonly ({ readonly base64?: string | undefined; readonly floats?: string | undefined; readonly between?: string | undefined; readonly exponents?: boolean | undefined })[] | undefined
  /** A stream. */
  readonly events?: readonly ({ readonly at: Duration; readonly data?: string | undefined; readonly text?: string | undefined })[] | undefined
  /** Whether it broke off there. */
  readonly cut?: boolean | undefined
}

/** A fault that strikes by itself. */
export interface FaultRule {
  /** A fault (invalid-request, context-length, missing-key, invalid-key, forbidden-region, not-found, conflict, unprocessable, rate-limit, rate-limit-tokens, quota, server-error, bad-gateway, overloaded, gateway-timeout, status, refusal, empty-text, other-language, truncated-json, wrong-enum, undeclared-tool, repeated-chunk, wrong-usage, wrong-dimension, shuffled-embeddings, hang, reset-before-headers, reset-after-headers, empty-reply, garbage, half-body, wrong-content-type, slow-drip, bandwidth, truncated-gzip, cut, stream-error, malformed-event, missing-done, missing-usage, duplicated-event, comments, crlf, split-events, joined-events) or a status from 400 to 599. */
  readonly fault: FaultName | number | `${number}`
  /** Conditions; all of them must hold. */
  readonly when?: Conditions | undefined
  /** The same as under when: a whole number from 1, or a list of them. */
  readonly attempt?: number | readonly number[] | undefined
  /** A chance such as 5%, or a number from 0 to 1. */
  readonly chance?: `${number}%` | number | undefined
  /** Strikes only then: two times since the start, such as 10s and 20s, or a list of them. */
  readonly between?: string | readonly string[] | undefined
  /** Strikes only from this time since the start on: a duration such as 300ms, 2s or 1m30s (at most a day). */
  readonly from?: Duration | undefined
  /** Strikes only before this time since the start: a duration such as 300ms, 2s or 1m30s (at most a day). */
  readonly until?: Duration | undefined
  /** Strikes only in bad spells, which come and go by themselves. */
  readonly bursts?: { readonly good: Duration; readonly bad: Duration } | undefined
  /** Strikes only each n-th call of a key that all the rest matches. */
  readonly every?: number | undefined
  /** Happens to at most n calls of each key. */
  readonly times?: number | undefined
  /** A whole number from 0 (cut: the number of complete events first (default 1; 0 with bytes, inside or before); stream-error: the number of events before it; malformed-event: the number of events before it; duplicated-event: the number of events before it). */
  readonly after?: number | string | undefined
  /** One of finish, usage, done (cut: the event before which it ends). */
  readonly before?: 'finish' | 'usage' | 'done' | undefined
  /** One of html, json (bad-gateway: the format of the page; gateway-timeout: the format of the page). */
  readonly body?: 'html' | 'json' | undefined
  /** A whole number from 0 (cut: the number of bytes after them). */
  readonly bytes?: number | string | undefined
  /** One of reset, fin, stall, clean (cut: how it ends: with a reset (RST), a close (FIN), silence on an open connection, or normally). */
  readonly end?: 'reset' | 'fin' | 'stall' | 'clean' | undefined
  /** One of unnamed, error (stream-error: error adds the line event: error to the event). */
  readonly event?: 'unnamed' | 'error' | undefined
  /** One of data, character, arguments (cut: the part in whose middle it ends). */
  readonly inside?: 'data' | 'character' | 'arguments' | undefined
  /** A duration such as '500ms' or '20s', at most a day (a bare number means seconds) (slow-drip: the pause before each piece). */
  readonly interval?: number | string | undefined
  /** A whole number from 1 (bandwidth: the number of bytes per second). */
  readonly rate?: number | string | undefined
  /** A duration such as '500ms' or '20s', at most a day (a bare number means seconds) (rate-limit: the wait that retry-after and retry-after-ms give; rate-limit-tokens: the wait that retry-after and retry-after-ms give). */
  readonly retryAfter?: number | string | undefined
  /** One of true, false (status: the value of the header x-should-retry). */
  readonly shouldRetry?: 'true' | 'false' | undefined
  /** A whole number from 1 (slow-drip: the number of bytes per piece; split-events: the number of bytes per packet; joined-events: the number of events per packet). */
  readonly size?: number | string | undefined
}

export interface StateSettings {
  /** Faults while it lasts; they come before the scenario's. */
  readonly faults?: readonly FaultRule[] | undefined
  /** How long answers take while it lasts, in place of the scenario's pace. */
  readonly pace?: PaceInput | undefined
  /** What ends it: a number of calls or a duration, such as 20 calls or 30s (from 1ms to a day); absent: it stays. */
  readonly lasts?: '1 call' | `${number} calls` | Duration | undefined
  /** The state that comes then. */
  readonly next?: string | undefined
}
