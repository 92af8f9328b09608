/** A scenario in code, as types. Made from scenario.schema.json by `npm run generate`; do not edit. */
import type { FaultName } from './fault-types.ts'
import type { CallCount } from '../core/scenario/compile/states.ts'
import type { CallFunction, NotCode, ReplyFunction, SayFunction } from '../core/protocol/turn/reply-function.ts'
import type { Duration } from '../core/lib/text/duration.ts'

/** So many in a window: `60 per minute`. */
export type Rate = `${number} per ${'second' | 'minute' | 'hour' | 'day'}`

/** A scenario of llm-api-mock: keys, models, replies, limits, budgets, faults and states. */
export interface ScenarioInput {
  /** The address of the JSON Schema, for editors. */
  readonly $schema?: string | undefined
  /** A sentence about what this scenario shows. */
  readonly description?: string | undefined
  /** The seed of all random choices: a whole number or a text. Default: 1. */
  readonly seed?: number | string | undefined
  /** Strict: unknown parameters are a 400, as in the real service. lenient (default): they are accepted and noted. */
  readonly validation?: 'strict' | 'lenient' | undefined
  /** Accepted keys; * matches any characters. Default: any key (a key is required). */
  readonly keys?: Readonly<Record<string, KeySettings>> | undefined
  /** Known models; * matches any characters. Default: any model name. */
  readonly models?: Readonly<Record<string, ModelSettings>> | undefined
  /** Reply rules; the first match answers. Without a match, see unmatched. */
  readonly replies?: readonly ReplyInput[] | undefined
  /** Parts of a request that may differ from the recorded one (when.request): a path such as metadata.trace_id or messages[*].name, or a pattern such as /\d{4}-\d\d/. */
  readonly ignore?: readonly (string | RegExp)[] | undefined
  /** The answer to a chat that no rule matches. echo (default): it gets its last user message back. refuse: it gets a 404 that names the nearest rule. */
  readonly unmatched?: 'echo' | 'refuse' | undefined
  /** The limits of each key. A call over a limit is a 429. */
  readonly limits?: ScenarioLimitsInput | undefined
  /** The total that each key may use; it does not refill, and a call after its end is a 429 insufficient_quota. */
  readonly budget?: BudgetInput | undefined
  /** The prompt cache of each key: which prefixes of prompts from 1,024 tokens on are cached: prefixes (in steps of 128 tokens, as for models up to GPT-5.5), breakpoints (up to the last message of the user or a tool, as for models from GPT-5.6 on) or none. Default: none. */
  readonly cache?: 'none' | 'prefixes' | 'breakpoints' | undefined
  /** The latency of answers. */
  readonly pace?: PaceInput | undefined
  /** Faults that apply without being asked for; the first rule that matches decides. */
  readonly faults?: readonly FaultInput[] | undefined
  /** The states of the service, for all keys together; the first one is the initial state. */
  readonly states?: Readonly<Record<string, StateSettings>> | undefined
  /** The expectations of a run; api-mock run fails when one is not met. */
  readonly expect?: ExpectInput | undefined
}

export interface KeySettings extends FaultOptions {
  /** Limits of this key; each kind replaces the scenario's limit of that kind. */
  readonly limits?: LimitsInput | undefined
  /** Budget of this key; each unit replaces the scenario's budget in that unit. */
  readonly budget?: BudgetInput | undefined
  /** Applies to every call with this key: a fault or a status from 400 to 599. */
  readonly fault?: FaultName | number | `${number}` | undefined
  /** The session of the calls with this key: 1 to 128 letters, digits, '.', '_', '~' or '-'. Default: the one that a call names, or with scenario the name of its file. */
  readonly session?: string | undefined
  /** The scenario of this session, in place of this one: the name of a built-in scenario, or of a file beside this one, or in code a scenario. */
  readonly scenario?: string | ScenarioInput | undefined
  /** Skips the first n calls of a key for which the rest of the rule holds. */
  readonly skip?: number | undefined
}

/** The options of faults. Each belongs next to a fault that has it. */
export interface FaultOptions {
  /** A whole number from 0 (cut: the number of complete events first, or of places on responses (default 1; 0 with bytes, inside or before); stream-error, malformed-event, sequence-gap, duplicated-event: the number of events before it, or of places on responses). */
  readonly after?: number | string | undefined
  /** One of array, string (not-object: which of the two; drawn when left out). */
  readonly as?: 'array' | 'string' | undefined
  /** One of finish, usage, done (cut: the event before which it ends). */
  readonly before?: 'finish' | 'usage' | 'done' | undefined
  /** A duration such as '500ms' or '20s', at most a day (a bare number means seconds) (delay: the wait before the answer). */
  readonly by?: number | string | undefined
  /** A whole number from 0 (cut: the number of bytes after them). */
  readonly bytes?: number | string | undefined
  /** One of reset, fin, stall, clean (cut: the end of the answer: with a reset (RST), a close (FIN), silence on an open connection, or normally). */
  readonly end?: 'reset' | 'fin' | 'stall' | 'clean' | undefined
  /** One of unnamed, error (stream-error: error adds the line event: error to the event; on responses it always has one). */
  readonly event?: 'unnamed' | 'error' | undefined
  /** One of repeated, changing (wrong-tool-call-id: repeated: the id of the last call in the messages, or one id for all calls of the answer; changing: later chunks have another id). */
  readonly id?: 'repeated' | 'changing' | undefined
  /** One of data, character, arguments (cut: the part in whose middle it ends). */
  readonly inside?: 'data' | 'character' | 'arguments' | undefined
  /** A duration such as '500ms' or '20s', at most a day (a bare number means seconds) (slow-drip: the pause before each piece). */
  readonly interval?: number | string | undefined
  /** A whole number from 1 (bandwidth: the number of bytes per second). */
  readonly rate?: number | string | undefined
  /** One of length, content_filter (unfinished: the finish_reason: out of tokens, or stopped by a filter). */
  readonly reason?: 'length' | 'content_filter' | undefined
  /** A duration such as '500ms' or '20s', at most a day (a bare number means seconds) (conflict, rate-limit, rate-limit-tokens, quota, server-error, bad-gateway, overloaded, gateway-timeout, status: the wait in retry-after and retry-after-ms; 0 for a retry at once). */
  readonly retryAfter?: number | string | undefined
  /** One of true, false (status: the value of the header x-should-retry). */
  readonly shouldRetry?: 'true' | 'false' | undefined
  /** A whole number from 1 (slow-drip: the number of bytes per piece; split-events: the number of bytes per packet; joined-events: the number of events per packet). */
  readonly size?: number | string | undefined
  /** A whole number from 1 (tool-loop: repetitions of the calls for a user message; after that the answer is as usual). */
  readonly turns?: number | string | undefined
}

/** Limits of this key; each kind replaces the scenario's limit of that kind. */
export interface LimitsInput {
  /** Requests per key: a rate such as 60 per minute (second, minute, hour or day), or a list of rates for different windows. */
  readonly requests?: Rate | readonly Rate[] | undefined
  /** Tokens per key: a rate such as 60 per minute (second, minute, hour or day), or a list of rates for different windows. */
  readonly tokens?: Rate | readonly Rate[] | undefined
  /** Calls in flight per key: a whole number from 1. */
  readonly concurrent?: number | undefined
}

/** Budget of this key; each unit replaces the scenario's budget in that unit. */
export interface BudgetInput {
  /** Answered calls: a whole number from 0. */
  readonly requests?: number | undefined
  /** Tokens of prompts and answers: a whole number from 0. */
  readonly tokens?: number | undefined
  /** Cost by the prices of the models: a number of US dollars from 0, with at most 6 decimals. */
  readonly usd?: number | undefined
}

export interface ModelSettings {
  /** The only endpoint of this model; one of chat has responses too. Default: all. */
  readonly endpoint?: 'chat' | 'responses' | 'input-tokens' | 'embeddings' | undefined
  /** The dated model name in answers. */
  readonly snapshot?: string | undefined
  /** Context length in tokens; longer messages, or messages and max_tokens, are a 400. */
  readonly contextTokens?: number | undefined
  /** The longest input in tokens; a longer one is a 400. */
  readonly inputTokens?: number | undefined
  /** Maximum output in tokens; a larger max_tokens is a 400. */
  readonly maxOutputTokens?: number | undefined
  /** True for a reasoning model, which refuses max_tokens. */
  readonly reasoning?: boolean | undefined
  /** Reasoning_effort of a request without one. Default: medium. */
  readonly effort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined
  /** True if system_fingerprint is a text, false if it is null. Default: false for reasoning models and for those before GPT-4o. */
  readonly fingerprint?: boolean | undefined
  /** False: a choice has no key logprobs; true: it is null unless asked for. Default: false for reasoning models. */
  readonly logprobsKey?: boolean | undefined
  /** The tokens of an image. Default: { base: 85, tile: 170 } */
  readonly images?: { readonly base: number; readonly tile: number } | { readonly patches: number; readonly plus?: number | undefined; readonly most?: number | undefined } | undefined
  /** The parts of a chat request that it supports; the rest is a 400. Default: everything. */
  readonly supports?: { readonly without?: readonly ('stop' | 'logit_bias' | 'prediction' | 'presence_penalty' | 'frequency_penalty' | 'logprobs' | 'top_logprobs' | 'temperature' | 'top_p' | 'parallel_tool_calls')[] | undefined; readonly onlyDefault?: readonly ('temperature' | 'top_p')[] | undefined; readonly never?: readonly ('stop' | 'logit_bias' | 'prediction' | 'presence_penalty' | 'frequency_penalty' | 'logprobs' | 'top_logprobs' | 'temperature' | 'top_p' | 'parallel_tool_calls')[] | undefined; readonly atEffortNone?: readonly ('stop' | 'logit_bias' | 'prediction' | 'presence_penalty' | 'frequency_penalty' | 'logprobs' | 'top_logprobs' | 'temperature' | 'top_p' | 'parallel_tool_calls')[] | undefined; readonly forbidden?: readonly 'logprobs'[] | undefined; readonly unknown?: readonly ('modalities' | 'audio' | 'web_search_options' | 'logprobs' | 'top_logprobs' | 'reasoning_effort')[] | undefined; readonly efforts?: readonly ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max')[] | undefined; readonly responsesEfforts?: readonly ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max')[] | undefined; readonly verbosity?: readonly ('low' | 'medium' | 'high')[] | undefined; readonly topLogprobs?: number | undefined; readonly choices?: number | undefined; readonly functionTools?: 'with effort none' | 'without effort' | 'in responses only' | undefined; readonly tools?: boolean | undefined; readonly jsonSchema?: boolean | undefined; readonly images?: boolean | undefined; readonly audio?: 'never' | 'required' | undefined; readonly webSearch?: boolean | undefined } | undefined
  /** Defaults that the responses of this model echo. */
  readonly responses?: { readonly topP?: number | undefined; readonly retention?: 'in_memory' | '24h' | undefined; readonly context?: 'current_turn' | 'all_turns' | undefined; readonly phase?: boolean | undefined } | undefined
  /** The reason why chat requests to it are a 404: the service removed it, has it in the Responses API only (responses-only and not-chat, two messages), or at other endpoints only. */
  readonly unavailable?: 'deprecated' | 'responses-only' | 'not-chat' | 'other-endpoints' | undefined
  /** Settings of which nobody has published enough; they have the simplest reading. */
  readonly uncertain?: readonly string[] | undefined
  /** Facts about the model with their dates and sources; they change no answer. */
  readonly published?: { readonly rules?: string | undefined; readonly retires?: string | undefined; readonly replacement?: string | undefined; readonly prices?: string | undefined } | undefined
  /** Which prefixes of prompts from 1,024 tokens on are cached: prefixes (in steps of 128 tokens, as for models up to GPT-5.5), breakpoints (up to the last message of the user or a tool, as for models from GPT-5.6 on) or none. Default: the scenario's cache. */
  readonly cache?: 'none' | 'prefixes' | 'breakpoints' | undefined
  /** Length of its vectors. Default: 1536. */
  readonly dimensions?: number | undefined
  /** True if it refuses the parameter dimensions. */
  readonly fixedDimensions?: boolean | undefined
  /** Limits of this model, per key; each kind replaces the scenario's limit of that kind. */
  readonly limits?: LimitsInput | undefined
  /** The prices of its tokens, in US dollars for a million; a budget in usd needs it. */
  readonly prices?: PricesInput | undefined
  /** The latency of its answers; fields left out are those of the scenario's pace. */
  readonly pace?: PaceInput | undefined
}

/** The prices of its tokens, in US dollars for a million; a budget in usd needs it. */
export interface PricesInput {
  /** A million input tokens: a number of US dollars from 0, with at most 6 decimals. */
  readonly input: number
  /** A million input tokens from the prompt cache. Default: as input. */
  readonly cachedInput?: number | undefined
  /** A million output tokens. Required, except for a model with endpoint: embeddings. */
  readonly output?: number | undefined
}

/** The latency of its answers; fields left out are those of the scenario's pace. */
export interface PaceInput {
  /** Measured firstToken and perToken, by name; fields beside it replace its own: llama-2-70b-groq, llama-2-70b-anyscale, llama-2-70b-together, llama-2-70b-replicate, gpt-4-turbo, gpt-3.5-turbo. */
  readonly profile?: 'llama-2-70b-groq' | 'llama-2-70b-anyscale' | 'llama-2-70b-together' | 'llama-2-70b-replicate' | 'gpt-4-turbo' | 'gpt-3.5-turbo' | undefined
  /** Time until the first token, or until the vectors: a duration such as 300ms, 2s or 1m30s (at most a day), a range such as { min: 200ms, max: 600ms }, or quantiles such as { p10: 80ms, p50: 200ms, p99: 4s } */
  readonly firstToken?: Duration | SpreadInput | undefined
  /** Time for each token after the first: a duration such as 300ms, 2s or 1m30s (at most a day), a range such as { min: 200ms, max: 600ms }, or quantiles such as { p10: 80ms, p50: 200ms, p99: 4s } */
  readonly perToken?: Duration | SpreadInput | undefined
  /** Time for each token of the prompt or of the inputs; drawn once per call: a duration such as 300ms, 2s or 1m30s (at most a day), a range such as { min: 200ms, max: 600ms }, or quantiles such as { p10: 80ms, p50: 200ms, p99: 4s } */
  readonly perInputToken?: Duration | SpreadInput | undefined
  /** The same for each token of the prompt that is read from the cache, in place of perInputToken; default: no time. a duration such as 300ms, 2s or 1m30s (at most a day), a range such as { min: 200ms, max: 600ms }, or quantiles such as { p10: 80ms, p50: 200ms, p99: 4s } */
  readonly cachedInputToken?: Duration | SpreadInput | undefined
  /** The growth of these times: a share for each other call in flight: 20% per call. */
  readonly load?: `${number}% per call` | undefined
  /** The calls that are served at once and those that wait, for all keys together. */
  readonly queue?: { readonly concurrent: number; readonly waiting: number } | undefined
}

export interface SpreadInput {
  /** A duration such as 300ms, 2s or 1m30s (at most a day). */
  readonly min?: Duration | undefined
  /** A duration such as 300ms, 2s or 1m30s (at most a day). */
  readonly max?: Duration | undefined
  /** A duration such as 300ms, 2s or 1m30s (at most a day). */
  readonly median?: Duration | undefined
  /** Once per call; without it, perToken is drawn for each token. */
  readonly drawn?: 'once' | undefined
  /** Quantiles: p50, p99.9. */
  readonly [quantile: `p${number}`]: Duration
}

/** A rule. The first rule that matches answers. */
export interface ReplyInput extends FaultOptions {
  /** Conditions. All of them must hold. */
  readonly when?: Conditions | undefined
  /** A text, an object (sent as JSON), or a list of these, used in turn for each key; the last repeats; in code also a function. */
  readonly say?: string | Readonly<Record<string, unknown>> | SayFunction | readonly (string | Readonly<Record<string, unknown>> | SayFunction)[] | undefined
  /** A call, such as { name: get_weather, arguments: { city: Paris } }, or a list of calls made at once; in code also a function. */
  readonly call?: { readonly name: string; readonly arguments?: string | Readonly<Record<string, unknown>> | undefined } & NotCode | readonly ({ readonly name: string; readonly arguments?: string | Readonly<Record<string, unknown>> | undefined })[] | CallFunction | undefined
  /** In code: a function that decides between say, call and refuse. */
  readonly reply?: ReplyFunction | undefined
  /** Refuses with this text. */
  readonly refuse?: string | undefined
  /** With `say`: the finish_reason. */
  readonly finish?: 'length' | 'content_filter' | undefined
  /** With `say`: items of a hosted tool that a response has before the text, as they are; an id is added. A request of this rule may declare hosted tools. Chats leave them out. */
  readonly items?: readonly (Readonly<Record<string, unknown>>)[] | undefined
  /** The latency of the answer; fields left out are those that the call has without the rule. */
  readonly pace?: PaceInput | undefined
  /** Short for pace with firstToken alone: a duration such as 300ms, 2s or 1m30s (at most a day). */
  readonly delay?: Duration | undefined
  /** Recorded answers, used in turn for each key; the last repeats. */
  readonly answer?: RecordedAnswerInput | readonly RecordedAnswerInput[] | undefined
  /** A fault (invalid-request, context-length, organization-not-verified, zero-data-retention, invalid-encrypted-content, missing-key, invalid-key, forbidden-region, not-found, item-not-found, conflict, unprocessable, rate-limit, rate-limit-tokens, quota, server-error, bad-gateway, overloaded, gateway-timeout, status, refusal, empty-text, other-language, unfinished, truncated-json, wrong-enum, undeclared-tool, missing-required, wrong-type, extra-property, not-object, trailing-comma, single-quotes, code-fence, duplicate-tool-call, wrong-tool-call-id, tool-loop, repeated-chunk, wrong-usage, wrong-dimension, shuffled-embeddings, hang, reset-before-headers, reset-after-headers, empty-reply, garbage, stale-connection, half-body, wrong-content-type, delay, slow-drip, bandwidth, truncated-gzip, cut, stream-error, malformed-event, missing-done, sequence-gap, missing-usage, duplicated-event, comments, crlf, split-events, joined-events) or a status from 400 to 599. */
  readonly fault?: FaultName | number | `${number}` | undefined
}

/** Conditions. All of them must hold. */
export interface Conditions {
  /** The endpoint: chat or responses or input-tokens or embeddings. */
  readonly endpoint?: 'chat' | 'responses' | 'input-tokens' | 'embeddings' | undefined
  /** The stream parameter of the request: true or false. */
  readonly stream?: boolean | undefined
  /** The number of times that this key has sent the same request, this call included: a whole number from 1, or a list of them. */
  readonly attempt?: number | readonly number[] | undefined
  /** The state that the scenario is in: the name of a state, or a list of them. */
  readonly state?: string | readonly string[] | undefined
  /** The number of user messages so far: a whole number from 1, or a list of them. */
  readonly turn?: number | readonly number[] | undefined
  /** The model of the request: a name, with * for any characters, or a list of them. */
  readonly model?: string | readonly string[] | undefined
  /** The API key: a name, with * for any characters, or a list of them. */
  readonly key?: string | readonly string[] | undefined
  /** A tool that the request offers: a name, with * for any characters, or a list of them. */
  readonly tool?: string | readonly string[] | undefined
  /** The whole request body, with keys in any order; [redacted] matches any text: a request body as a map, or as text when it is not a JSON object. */
  readonly request?: string | Readonly<Record<string, unknown>> | undefined
  /** A user message before the last one: text that must occur (in any case), a pattern /like this/i, or a list of them. */
  readonly earlierUser?: string | RegExp | readonly (string | RegExp)[] | undefined
  /** A tool's result before those at the end: text that must occur (in any case), a pattern /like this/i, or a list of them. */
  readonly earlierToolResult?: string | RegExp | readonly (string | RegExp)[] | undefined
  /** The last user message: text that must occur (in any case), a pattern /like this/i, or a list of them. */
  readonly user?: string | RegExp | readonly (string | RegExp)[] | undefined
  /** The system or developer text: text that must occur (in any case), a pattern /like this/i, or a list of them. */
  readonly system?: string | RegExp | readonly (string | RegExp)[] | undefined
  /** The last message, if it is a tool's result: text that must occur (in any case), a pattern /like this/i, or a list of them. */
  readonly toolResult?: string | RegExp | readonly (string | RegExp)[] | undefined
}

export interface RecordedAnswerInput {
  /** A status from 200 to 599. Default: 200. */
  readonly status?: number | undefined
  /** A content type, such as application/json or text/html; charset=utf-8. Default: JSON for body, server-sent events for events. */
  readonly contentType?: string | undefined
  /** The wait in retry-after and retry-after-ms. */
  readonly retryAfter?: Duration | undefined
  /** The wait until the answer began: a duration such as 300ms, 2s or 1m30s (at most a day). */
  readonly wait?: Duration | undefined
  /** The body, byte for byte. */
  readonly body?: string | undefined
  /** The values for the {{vector}} placeholders, in order. */
  readonly vectors?: readonly ({ readonly base64?: string | undefined; readonly floats?: string | undefined; readonly between?: string | undefined; readonly exponents?: boolean | undefined })[] | undefined
  /** The events of a stream. */
  readonly events?: readonly ({ readonly at: Duration; readonly data?: string | undefined; readonly text?: string | undefined })[] | undefined
  /** True if the connection broke after this. */
  readonly cut?: boolean | undefined
}

/** The limits of each key. A call over a limit is a 429. */
export interface ScenarioLimitsInput {
  /** Requests per key: a rate such as 60 per minute (second, minute, hour or day), or a list of rates for different windows. */
  readonly requests?: Rate | readonly Rate[] | undefined
  /** Tokens per key: a rate such as 60 per minute (second, minute, hour or day), or a list of rates for different windows. */
  readonly tokens?: Rate | readonly Rate[] | undefined
  /** Calls in flight per key: a whole number from 1. */
  readonly concurrent?: number | undefined
  /** The tokens that a call is charged: by the texts and images it sends, as recorded (prompt, the default), or its answer too: on arrival at least max_tokens, as documented, and at its end what it has used (answer). */
  readonly charge?: 'prompt' | 'answer' | undefined
  /** The store that counts the limits, those of keys and models too, for several processes together: the address of a Redis or Valkey server such as redis://127.0.0.1:6379, with / and @ in a password as %2F and %40, or { url: ..., unavailable: allow } */
  readonly shared?: string | { readonly url: string; readonly unavailable?: 'refuse' | 'allow' | undefined } | undefined
}

/** A fault that applies without being asked for. */
export interface FaultInput extends FaultOptions {
  /** A fault (invalid-request, context-length, organization-not-verified, zero-data-retention, invalid-encrypted-content, missing-key, invalid-key, forbidden-region, not-found, item-not-found, conflict, unprocessable, rate-limit, rate-limit-tokens, quota, server-error, bad-gateway, overloaded, gateway-timeout, status, refusal, empty-text, other-language, unfinished, truncated-json, wrong-enum, undeclared-tool, missing-required, wrong-type, extra-property, not-object, trailing-comma, single-quotes, code-fence, duplicate-tool-call, wrong-tool-call-id, tool-loop, repeated-chunk, wrong-usage, wrong-dimension, shuffled-embeddings, hang, reset-before-headers, reset-after-headers, empty-reply, garbage, stale-connection, half-body, wrong-content-type, delay, slow-drip, bandwidth, truncated-gzip, cut, stream-error, malformed-event, missing-done, sequence-gap, missing-usage, duplicated-event, comments, crlf, split-events, joined-events) or a status from 400 to 599. */
  readonly fault: FaultName | number | `${number}`
  /** Conditions. All of them must hold. */
  readonly when?: Conditions | undefined
  /** Applies only to these attempts, as under when: a whole number from 1, or a list of them. */
  readonly attempt?: number | readonly number[] | undefined
  /** A chance such as 5%, or a number from 0 to 1. */
  readonly chance?: `${number}%` | number | undefined
  /** Applies only between two times: two times since the start, such as 10s and 20s, or a list of them. */
  readonly between?: string | readonly string[] | undefined
  /** Applies from this time after the start: a duration such as 300ms, 2s or 1m30s (at most a day). */
  readonly from?: Duration | undefined
  /** Applies until this time after the start: a duration such as 300ms, 2s or 1m30s (at most a day). */
  readonly until?: Duration | undefined
  /** Applies only in bad periods, which alternate with good ones at random. */
  readonly bursts?: { readonly good: Duration; readonly bad: Duration } | undefined
  /** Skips the first n calls of a key for which the rest of the rule holds. */
  readonly skip?: number | undefined
  /** Applies to every n-th call of a key for which the rest of the rule holds. */
  readonly every?: number | undefined
  /** Applies to at most n calls of each key. */
  readonly times?: number | undefined
}

export interface StateSettings {
  /** Faults in this state; they come before the scenario's faults. */
  readonly faults?: readonly FaultInput[] | undefined
  /** The latency of answers in this state; replaces the scenario's pace. */
  readonly pace?: PaceInput | undefined
  /** The end of the state: a number of calls or a duration, such as 20 calls or 30s (from 1ms to a day). Default: never. */
  readonly lasts?: CallCount | Duration | undefined
  /** The next state. */
  readonly next?: string | undefined
}

/** The expectations of a run; api-mock run fails when one is not met. */
export interface ExpectInput {
  /** Calls: a bound such as <= 3, < 100, at least 1 or 5. */
  readonly calls?: number | string | undefined
  /** Calls that got an error, no answer, or half of one: a bound such as < 1%, <= 3 or 0. */
  readonly errors?: number | string | undefined
  /** Such calls that no retry followed, and their share of all requests: a bound such as < 1%, <= 3 or 0. */
  readonly unrecovered?: number | string | undefined
  /** The most retries of one request: a bound such as <= 3, < 100, at least 1 or 5. */
  readonly retries?: number | string | undefined
  /** The time that half of the answered calls took at most, from arrival to end: a bound such as < 2s or <= 300ms. */
  readonly p50?: string | undefined
  /** The time that 90% of the answered calls took at most, from arrival to end: a bound such as < 2s or <= 300ms. */
  readonly p90?: string | undefined
  /** The time that 95% of the answered calls took at most, from arrival to end: a bound such as < 2s or <= 300ms. */
  readonly p95?: string | undefined
  /** The time that 99% of the answered calls took at most, from arrival to end: a bound such as < 2s or <= 300ms. */
  readonly p99?: string | undefined
}
