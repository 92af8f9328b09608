/**
 * The error catalogue: the status, type, code, param and message of every error.
 *
 * The messages are those of the service, word for word and with its spelling mistakes, because clients match on them.
 * The table in docs/wire.md is generated from this file, and a test provokes each entry over HTTP.
 */
import { quotedList } from '../../lib/text/wording.ts'

/** One kind of error. `Detail` is the data that its message needs. */
interface ErrorKind<Detail> {
  /** Default: 400. */
  readonly status?: number | ((detail: Detail) => number)
  /** Default: `invalid_request_error`. */
  readonly type?: string
  readonly code?: string | null
  /** Default: the path in the detail, if it has one. */
  readonly param?: string | null
  /** Fields of the detail are in braces: `Missing required parameter: '{path}'.` */
  readonly message: string | ((detail: Detail) => string)
  /** The condition under which it happens, for the documentation: a sentence without a full stop. Default: the fault of this name. */
  readonly when?: string
  /** A way to provoke it: a header, or the field of a chat or embeddings request. Default: the fault of this name. */
  readonly provoke?: string
  readonly headers?: (detail: Detail) => Record<string, string>
}

const kind = <Detail = void>(definition: ErrorKind<Detail>): ErrorKind<Detail> => definition

/** For people who open an address outside `/v1`, which no client of the API does. */
export const PAGE_HINT = 'The page of this mock is at /_mock/.'
const HELP_CENTER = 'help.openai.com'
const API_REFERENCE = 'https://platform.openai.com/docs/api-reference'
const RATE_LIMITS_PAGE = 'https://platform.openai.com/account/rate-limits'

export interface RateLimitDetail {
  /** '' for a call that names no model, such as the list of models. */
  readonly model: string
  readonly organization: string
  readonly limit: number
  readonly used: number
  readonly requested: number
  /** The unit of the limit: `requests per min (RPM)`. */
  readonly unit: string
  readonly waitMs: number
  readonly waitText: string
}

type Bound = { readonly path: string; readonly bound: number | bigint; readonly got: number | string }
type Path = { readonly path: string }
/** `subject`: the owner of the schema, such as `function 'f'`; `problem`: the rest of the sentence. */
type SchemaDetail = { readonly subject: string; readonly problem: string; readonly path: string }
type ModelDetail = { readonly model: string }

// Always both headers: some clients retry a 429 only with retry-after, others read only the milliseconds. Never 0 ms:
// version 6 of openai takes it for no header and waits 0.5 s.
export const retryAfterHeaders = ({ waitMs }: { readonly waitMs: number }): Record<string, string> => ({
  'retry-after': String(Math.ceil(waitMs / 1000)),
  'retry-after-ms': String(Math.max(1, Math.ceil(waitMs))),
})

const RETRY_OR_ASK =
  `You can retry your request, or contact us through our help center at ${HELP_CENTER} if the error persists. ` +
  '(Please include the request ID {requestId} in your message.)'

const rateLimit = (type: 'requests' | 'tokens', when: string, provoke: string) =>
  kind<RateLimitDetail>({
    status: 429,
    type,
    code: 'rate_limit_exceeded',
    message: ({ model, organization, unit, limit, used, requested, waitText }) =>
      `Rate limit reached ${model === '' ? '' : `for ${model} `}in organization ${organization} on ${unit}: Limit ${limit}, Used ${used}, Requested ${requested}. ` +
      `Please try again in ${waitText}. Visit ${RATE_LIMITS_PAGE} to learn more.`,
    headers: retryAfterHeaders,
    when,
    provoke,
  })

function numberBound(type: 'decimal' | 'integer', side: 'above' | 'below', when: string, provoke: string) {
  const [limit, sign] = side === 'above' ? ['maximum', '<='] : ['minimum', '>=']
  return kind<Bound>({
    code: `${type}_${side}_${limit.slice(0, 3)}_value`,
    message: `Invalid '{path}': ${type} ${side} ${limit} value. Expected a value ${sign} {bound}, but got {got} instead.`,
    when,
    provoke,
  })
}

export const errorKinds = {
  // Route
  'unknown-url': kind<{ method: string; path: string; nearest: string | null; hasPage: boolean }>({
    status: 404,
    param: null,
    message: ({ method, path, nearest, hasPage }) => {
      const invalid = `Invalid URL (${method} ${path})${nearest === null ? '' : `. Did you mean ${nearest}?`}`
      return hasPage ? `${invalid}${nearest === null ? '.' : ''} ${PAGE_HINT}` : invalid
    },
    when: "the path does not exist; the message names the most similar one, if there is one, and outside `/v1` the mock's page",
    provoke: 'POST /v1/chat/completion',
  }),
  'not-simulated': kind<{ method: string; path: string; advice: string }>({
    status: 404,
    param: null,
    message: 'Invalid URL ({method} {path}). {advice}',
    when: 'the service has the path, but the mock does not simulate it: responses, legacy completions, images, audio, files, batches and others',
    provoke: 'POST /v1/responses',
  }),
  'wrong-method': kind<{ allow: string }>({
    status: 405,
    code: 'method_not_supported',
    message: ({ allow }) => `Only ${allow.replace(/, (\w+)$/, ' and $1')} requests are accepted.`,
    headers: ({ allow }) => ({ allow }),
    when: 'the path does not accept this method; the header `Allow` names those that it accepts',
    provoke: 'GET /v1/embeddings',
  }),
  'invalid-session': kind<{ name: string; problem: string }>({
    code: 'mock_invalid_session',
    message: "Invalid session '{name}': {problem}.",
    when: 'the name of the session is not 1 to 128 letters, digits, `.`, `_`, `~` or `-`, or contains an API key; or `x-mock-session` and the address name different sessions',
    provoke: 'x-mock-session: a b',
  }),
  'body-too-large': kind<{ limit: number }>({
    status: 413,
    code: 'request_too_large',
    message: 'Request body is too large. The maximum size is {limit} bytes.',
    when: 'the body is larger than the limit (default: 10 MB)',
    provoke: 'a body of over 10,000,000 bytes',
  }),
  'too-many-values': kind<{ values: number; texts: number }>({
    code: 'request_too_complex',
    message:
      'Request body has too many values. The maximum is {values} values, of which {texts} can be strings (names of fields included).',
    when: 'the body has more than 400,000 values, or more than 50,000 strings with the names of fields',
    provoke: 'an array of 500,000 numbers',
  }),

  // Replay
  'not-recorded': kind<{ endpoint: string; model: string; nearest: string | undefined }>({
    status: 404,
    code: 'mock_not_recorded',
    message: ({ endpoint, model, nearest = 'The scenario has no recording for this endpoint' }) =>
      `No answer was recorded for this request (${endpoint}, model '${model}'). ${nearest}. ` +
      'Record the call with `api-mock record --hybrid --upstream <url> --out <cassette>`, or name what may differ under `ignore`.',
    when: 'the scenario has recorded answers, but none for this request; the message names the nearest one and what differs',
    provoke: 'a request that was not recorded, with a cassette',
  }),

  // Key
  'missing-key': kind({
    status: 401,
    message:
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), " +
      "or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password. " +
      'You can obtain an API key from https://platform.openai.com/account/api-keys.',
    when: 'the `Authorization: Bearer` header is missing or its key is empty',
    provoke: 'no Authorization header',
  }),
  'invalid-key': kind<{ maskedKey: string }>({
    status: 401,
    code: 'invalid_api_key',
    message:
      'Incorrect API key provided: {maskedKey}. You can find your API key at https://platform.openai.com/account/api-keys.',
    when: 'the scenario lists keys, but not this one',
    provoke: 'a key that is not listed, in a scenario that lists keys',
  }),
  'forbidden-region': kind({
    status: 403,
    type: 'request_forbidden',
    code: 'unsupported_country_region_territory',
    message: 'Country, region, or territory not supported',
  }),

  // Body
  'invalid-json': kind({
    message:
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. " +
      'The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, ' +
      `please contact us through our help center at ${HELP_CENTER}.)`,
    when: 'the body is not JSON, or not a JSON object',
    provoke: "{'model'",
  }),
  'unsupported-content-type': kind<{ contentType: string }>({
    code: 'unsupported_content_type',
    message:
      "Unsupported content type: '{contentType}'. This API method only accepts 'application/json' requests, " +
      "but you specified the header 'Content-Type: {contentType}'. Please try again with a supported content type.",
    when: 'the `Content-Type` is not JSON; a request without one is accepted',
    provoke: 'Content-Type: text/plain',
  }),
  'model-missing': kind({
    message: 'you must provide a model parameter',
    when: '`model` is missing, null or ""',
    provoke: '{"model": ""}',
  }),
  'missing-parameter': kind<Path>({
    code: 'missing_required_parameter',
    message: "Missing required parameter: '{path}'.",
    when: 'a required field is missing',
    provoke: 'embeddings {"input": null}',
  }),
  'unknown-parameter': kind<{ path: string; suggestion: string }>({
    code: 'unknown_parameter',
    message: "Unknown parameter: '{path}'.{suggestion}",
    when: 'the service does not know a field, and the scenario has `validation: strict`',
    provoke: '{"stor": true}, in the scenario openai',
  }),
  'invalid-type': kind<{ path: string; expected: string; got: string }>({
    code: 'invalid_type',
    message: "Invalid type for '{path}': expected {expected}, but got {got} instead.",
    when: 'a field has the wrong type',
    provoke: '{"messages": "hello"}',
  }),
  'invalid-value': kind<{ path: string; got: string; allowed: readonly string[] }>({
    code: 'invalid_value',
    message: ({ got, allowed }) => `Invalid value: '${got}'. Supported values are: ${quotedList(allowed, 'and')}.`,
    when: 'a field has an unsupported value',
    provoke: '{"messages": [{"role": "bogus", "content": "hi"}]}',
  }),
  'missing-content': kind<{ path: string; got: string }>({
    message: "Invalid value for 'content': expected a string, got {got}.",
    when: 'the content of a message is missing or null',
    provoke: '{"messages": [{"role": "user", "content": null}]}',
  }),
  'decimal-above-max': numberBound('decimal', 'above', 'a decimal number is too large', '{"temperature": 3}'),
  'decimal-below-min': numberBound('decimal', 'below', 'a decimal number is too small', '{"temperature": -1}'),
  'integer-above-max': numberBound('integer', 'above', 'an integer is too large', '{"n": 129}'),
  'integer-below-min': numberBound('integer', 'below', 'an integer is too small', '{"n": 0}'),
  'empty-array': kind<Path>({
    code: 'empty_array',
    message: "Invalid '{path}': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    when: 'an array that needs an element has none',
    provoke: '{"messages": []}',
  }),
  'array-too-long': kind<Bound>({
    code: 'array_above_max_length',
    message:
      "Invalid '{path}': array too long. Expected an array with maximum length {bound}, but got an array with length {got} instead.",
    when: 'an array has too many elements',
    provoke: '{"stop": ["a", "b", "c", "d", "e"]}',
  }),
  'empty-string': kind<Path>({
    code: 'empty_string',
    message:
      "Invalid '{path}': empty string. Expected a string with minimum length 1, but got an empty string instead.",
    when: 'a string that must not be empty is empty',
    provoke: '{"tools": [{"type": "function", "function": {"name": ""}}]}',
  }),
  'string-too-long': kind<Bound>({
    code: 'string_above_max_length',
    message:
      "Invalid '{path}': string too long. Expected a string with maximum length {bound}, but got a string with length {got} instead.",
    when: 'a string is too long',
    provoke: 'a value of over 512 characters in metadata',
  }),
  'string-mismatch': kind<{ path: string; pattern: string }>({
    code: 'invalid_value',
    message: "Invalid '{path}': string does not match pattern. Expected a string that matches the pattern '{pattern}'.",
    when: 'a name contains a character that is not allowed',
    provoke: '{"tools": [{"type": "function", "function": {"name": "get weather"}}]}',
  }),
  'property-name-too-long': kind<{ path: string; key: string; bound: number }>({
    param: '{path}.{key}',
    code: 'property_name_above_max_length',
    message: ({ path, key, bound }) =>
      `Invalid property name in '${path}': '${key.slice(0, 3)}...${key.slice(-3)}' is too long. ` +
      `Expected a string with maximum length ${bound}, but got a string with length ${key.length} instead.`,
    when: 'a key of an object is too long',
    provoke: 'metadata with a key of over 64 characters',
  }),
  'too-many-properties': kind<Bound>({
    code: 'object_above_max_properties',
    message:
      "Invalid '{path}': too many properties. Expected an object with at most {bound} properties, but got an object with {got} properties instead.",
    when: 'an object has too many properties',
    provoke: 'metadata with 17 keys',
  }),

  // Chat: fields that depend on each other
  'top-logprobs-alone': kind({
    param: 'top_logprobs',
    message: "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
    when: '`top_logprobs` without `logprobs: true`',
    provoke: '{"top_logprobs": 2}',
  }),
  'stream-options-alone': kind({
    param: 'stream_options',
    message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    when: '`stream_options` without `stream: true`',
    provoke: '{"stream_options": {"include_usage": true}}',
  }),
  'tool-choice-alone': kind({
    param: 'tool_choice',
    message: "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    when: '`tool_choice` without `tools`',
    provoke: '{"tool_choice": "auto"}',
  }),
  'parallel-tool-calls-alone': kind({
    param: 'parallel_tool_calls',
    message:
      "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
    when: '`parallel_tool_calls` without `tools`',
    provoke: '{"parallel_tool_calls": false}',
  }),
  'two-token-limits': kind({
    param: 'max_tokens',
    code: 'invalid_parameter_combination',
    message: "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
    when: 'both `max_tokens` and `max_completion_tokens`',
    provoke: '{"max_tokens": 5, "max_completion_tokens": 5}',
  }),
  'undeclared-function': kind<{ name: string }>({
    param: 'function_call',
    message:
      "Invalid value for 'function_call': no function named '{name}' was specified in the 'functions' parameter.",
    when: '`tool_choice` or `function_call` names a function that was not declared',
    provoke:
      '{"tools": [{"type": "function", "function": {"name": "g"}}], "tool_choice": {"type": "function", "function": {"name": "f"}}}',
  }),
  'unanswered-tool-call': kind<{ index: number; ids: readonly string[] }>({
    param: 'messages.[{index}].role',
    message: ({ ids }) =>
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${ids.join(', ')}`,
    when: 'a tool call has no tool message after it',
    provoke:
      '{"messages": [{"role": "assistant", "tool_calls": [{"id": "call_x", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}]}',
  }),
  'orphan-tool-message': kind<{ index: number }>({
    param: 'messages.[{index}].role',
    message:
      "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    when: 'a tool message answers no tool call',
    provoke: '{"messages": [{"role": "tool", "tool_call_id": "call_x", "content": "hi"}]}',
  }),
  'json-word-missing': kind({
    param: 'messages',
    message: "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    when: 'the request asks for JSON mode, but no message contains the word "json"',
    provoke: '{"response_format": {"type": "json_object"}}',
  }),

  'audio-format-streamed': kind<{ got: string }>({
    param: 'audio.format',
    code: 'unsupported_value',
    message:
      "Unsupported value: 'audio.format' does not support '{got}' when stream=true. Supported values are: 'pcm16'.",
    when: 'a stream with audio is not in the format `pcm16`',
    provoke: '{"modalities": ["text", "audio"], "audio": {"voice": "alloy", "format": "wav"}, "stream": true}',
  }),
  'invalid-image': kind({
    code: 'invalid_image_format',
    message: 'You uploaded an unsupported image. Please make sure your image is valid.',
    when: 'a `data:` URL holds no PNG, JPEG, GIF or WebP image, and the scenario has `validation: strict`',
    provoke:
      '{"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,eA=="}}]}]}, in the scenario openai',
  }),
  'image-download-failed': kind<{ url: string }>({
    param: null,
    code: 'invalid_image_url',
    message: 'Error while downloading {url}.',
    when: 'an image has an address that the service cannot reach, such as localhost, and the scenario has `validation: strict`',
    provoke:
      '{"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://localhost/cat.png"}}]}]}, in the scenario openai',
  }),

  'invalid-response-schema': kind<SchemaDetail>({
    message: 'Invalid schema for {subject}: {problem}',
    when: '`response_format` has `strict: true`, and its schema is outside the documented subset',
    provoke:
      '{"response_format": {"type": "json_schema", "json_schema": {"name": "n", "strict": true, "schema": {"type": "object"}}}}',
  }),
  'invalid-function-schema': kind<SchemaDetail>({
    code: 'invalid_function_parameters',
    message: 'Invalid schema for {subject}: {problem}',
    when: 'the parameters of a function are not an object or, with `strict: true`, are outside the documented subset',
    provoke: '{"tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "string"}}}]}',
  }),
  'unsatisfiable-schema': kind<SchemaDetail>({
    code: 'mock_unsatisfiable_schema',
    message: 'Invalid schema for {subject}: no value fulfils it: {problem}',
    when: 'the answer must match a JSON Schema that no value can match',
    provoke:
      '{"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "integer", "minimum": 2, "maximum": 1}}}}',
  }),

  // Model
  'unknown-model': kind<ModelDetail>({
    status: 404,
    code: 'model_not_found',
    message: 'The model `{model}` does not exist or you do not have access to it.',
    when: 'the scenario lists models, but not this one',
    provoke: '{"model": "X"}, in the scenario openai',
  }),
  'completion-not-found': kind<{ id: string }>({
    status: 404,
    message: "Chat completion with id '{id}' not found.",
    when: 'no stored completion of this key has the id',
    provoke: 'GET /v1/chat/completions/chatcmpl-x',
  }),
  'not-an-embedding-model': kind({
    status: 403,
    message: 'You are not allowed to generate embeddings from this model',
    when: 'an embeddings request names a chat model',
    provoke: 'embeddings {"model": "gpt-4o-mini"}, in the scenario openai',
  }),
  'not-a-chat-model': kind({
    status: 404,
    param: 'model',
    message:
      'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
    when: 'a chat request names an embedding model',
    provoke: '{"model": "text-embedding-3-small"}, in the scenario openai',
  }),
  'max-tokens-unsupported': kind({
    code: 'unsupported_parameter',
    param: 'max_tokens',
    message:
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    when: 'a request to a reasoning model has `max_tokens`',
    provoke: '{"model": "gpt-5-nano", "max_tokens": 5}, in the scenario openai',
  }),
  'unsupported-parameter': kind<Path>({
    code: 'unsupported_parameter',
    message: "Unsupported parameter: '{path}' is not supported with this model.",
    when: 'a request has a parameter that the model does not support',
    provoke: '{"model": "gpt-5-nano", "stop": "x"}, in the scenario openai',
  }),
  'unrecognized-argument': kind<{ name: string }>({
    param: null,
    message: 'Unrecognized request argument supplied: {name}',
    when: 'a request to a model without reasoning has `reasoning_effort`',
    provoke: '{"model": "gpt-4o-mini", "reasoning_effort": "low"}, in the scenario openai',
  }),
  'unsupported-default': kind<{ path: string; got: number }>({
    code: 'unsupported_value',
    message:
      "Unsupported value: '{path}' does not support {got} with this model. Only the default (1) value is supported.",
    when: 'a request to a reasoning model has a `temperature` or `top_p` other than 1',
    provoke: '{"model": "gpt-5-nano", "temperature": 0.5}, in the scenario openai',
  }),
  'unsupported-value': kind<{ path: string; got: string; allowed: readonly string[] }>({
    code: 'unsupported_value',
    message: ({ path, got, allowed }) =>
      `Unsupported value: '${path}' does not support '${got}' with this model. Supported values are: ${quotedList(allowed, 'and')}.`,
    when: 'the model does not support this `reasoning_effort`, or `audio` in `modalities`',
    provoke: '{"model": "gpt-5-nano", "reasoning_effort": "max"}, in the scenario openai',
  }),
  'tools-with-effort': kind<ModelDetail>({
    param: 'reasoning_effort',
    message:
      "Function tools with reasoning_effort are not supported for {model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
    when: 'the model supports function tools only with `reasoning_effort: none`',
    provoke:
      '{"model": "gpt-5.6-luna", "tools": [{"type": "function", "function": {"name": "f"}}]}, in the scenario openai',
  }),
  'json-schema-unsupported': kind({
    param: 'response_format',
    message:
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model. " +
      'Learn more about supported models at the Structured Outputs guide: https://platform.openai.com/docs/guides/structured-outputs',
    when: 'the model does not support `json_schema`',
    provoke:
      '{"model": "gpt-4", "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {}}}}, in the scenario openai',
  }),
  'audio-required': kind({
    param: 'model',
    code: 'invalid_value',
    message: 'This model requires that either input content or output modality contain audio.',
    when: 'a request to an audio model neither has audio nor asks for it',
    provoke: '{"model": "gpt-audio-mini"}, in the scenario openai',
  }),
  'responses-only': kind({
    status: 404,
    param: 'model',
    message: 'This model is only supported in v1/responses and not in v1/chat/completions.',
    when: 'a chat request names a model that only the Responses API has',
    provoke: '{"model": "gpt-5.1-codex"}, in the scenario openai',
  }),
  'deprecated-model': kind<ModelDetail>({
    status: 404,
    param: null,
    code: 'model_not_found',
    message: 'The model `{model}` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations',
    when: 'a request names a model that the service has removed',
    provoke: '{"model": "gpt-3.5-turbo-0613"}, in the scenario openai',
  }),
  'max-tokens-too-large': kind<{ path: string; asked: number; limit: number }>({
    code: 'invalid_value',
    message:
      '{path} is too large: {asked}. This model supports at most {limit} completion tokens, whereas you provided {asked}.',
    when: '`max_tokens` or `max_completion_tokens` exceeds the maximum output of the model',
    provoke: '{"model": "gpt-4o-mini", "max_tokens": 32000}, in the scenario openai',
  }),
  'context-length': kind<{ limit: number; tokens: number }>({
    code: 'context_length_exceeded',
    param: 'messages',
    message:
      "This model's maximum context length is {limit} tokens. However, your messages resulted in {tokens} tokens. Please reduce the length of the messages.",
    when: 'the messages have more tokens than the context of the model',
  }),

  // Embeddings
  'invalid-input': kind({
    message: `'$.input' is invalid. Please check the API reference: ${API_REFERENCE}.`,
    when: 'embeddings: `input` or one of its elements is empty',
    provoke: 'embeddings {"input": ""}',
  }),
  'too-many-inputs': kind<{ limit: number }>({
    message: "Invalid 'input': array length must be {limit} or less.",
    when: 'embeddings: there are more than 2048 inputs',
    provoke: 'embeddings of 2049 texts',
  }),
  'input-too-long': kind<{ path: string; limit: number }>({
    param: null,
    message: "Invalid '{path}': maximum input length is {limit} tokens.",
    when: 'embeddings: an input has more than 8192 tokens',
    provoke: 'embeddings of a text of over 8192 tokens',
  }),
  'inputs-too-long': kind<{ limit: number }>({
    message: "Invalid 'input': maximum request size is {limit} tokens per request.",
    when: 'embeddings: the inputs have more than 300000 tokens in total',
    provoke: 'embeddings of 40 texts of 8000 tokens',
  }),
  'dimensions-below-min': kind<{ got: number }>({
    message: "{got} is less than the minimum of 1 - 'dimensions'",
    when: 'embeddings: `dimensions` is below 1',
    provoke: 'embeddings {"dimensions": -1}',
  }),
  'dimensions-above-max': kind<{ model: string; limit: number; got: number }>({
    message: "Invalid value for 'dimensions' = {got}. Must be less than or equal to {limit} for model '{model}'.",
    when: 'embeddings: `dimensions` exceeds the size of the model',
    provoke: 'embeddings {"dimensions": 1537}',
  }),
  'dimensions-unsupported': kind({
    message: 'This model does not support specifying dimensions.',
    when: 'embeddings: `dimensions` is set, but the model supports one size only',
    provoke: 'embeddings {"model": "text-embedding-ada-002", "dimensions": 256}, in the scenario openai',
  }),

  // Limits and quota
  'requests-limit': rateLimit(
    'requests',
    'a limit on requests of the scenario, the key or the model is reached',
    'x-mock-fault: rate-limit',
  ),
  'tokens-limit': rateLimit(
    'tokens',
    'a limit on tokens of the scenario, the key or the model is reached',
    'x-mock-fault: rate-limit-tokens',
  ),
  // The wording of the service is not known. It follows the other limits, so that clients treat it as one.
  'concurrent-limit': rateLimit(
    'requests',
    'more concurrent calls than `concurrent` allows',
    'a second call before the first one has ended, with concurrent: 1',
  ),
  'request-too-large': kind<Omit<RateLimitDetail, 'waitMs' | 'waitText' | 'used'>>({
    status: 429,
    type: 'tokens',
    code: 'rate_limit_exceeded',
    message: ({ model, organization, unit, limit, requested }) =>
      `Request too large for ${model} in organization ${organization} on ${unit}: Limit ${limit}, Requested ${requested}. ` +
      `The input or output tokens must be reduced in order to run successfully. Visit ${RATE_LIMITS_PAGE} to learn more.`,
    when: "one request has more tokens than the whole limit; waiting won't help, so there is no retry-after",
    provoke: '{"max_tokens": 1000}, with tokens: 100 per minute',
  }),
  'quota-exceeded': kind({
    status: 429,
    type: 'insufficient_quota',
    code: 'insufficient_quota',
    message:
      'You exceeded your current quota, please check your plan and billing details. For more information on this error, ' +
      'read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
    when: "the budget of the key is used up, or the fault `quota`; waiting won't help, so there is no retry-after unless the fault sets one",
    provoke: 'x-mock-fault: quota',
  }),

  'limits-unavailable': kind<{ problem: string }>({
    status: 503,
    type: 'server_error',
    code: 'mock_limits_unavailable',
    message:
      "The limits of this call can't be checked: {problem}. Start the store, or set limits.shared.unavailable to 'allow' to answer without limits.",
    when: 'the store of `limits.shared` does not answer, and `unavailable` is not `allow`; the message says which store, and why',
    provoke: 'any chat, with limits: { shared: redis://127.0.0.1:1, requests: 3 per minute }',
  }),

  // Errors that only a fault causes
  conflict: kind({
    status: 409,
    message: 'The resource was updated by another request. Please try again.',
  }),
  unprocessable: kind({
    status: 422,
    message: 'The request was well-formed but could not be processed. Please try again.',
  }),

  // The service's own failures
  'server-error': kind<{ requestId: string }>({
    status: 500,
    type: 'server_error',
    message: `The server had an error while processing your request. Sorry about that! ${RETRY_OR_ASK}`,
  }),
  overloaded: kind<{ requestId: string }>({
    status: 503,
    type: 'server_error',
    message: `That model is currently overloaded with other requests. ${RETRY_OR_ASK}`,
    when: 'the fault of this name, or a full queue of the pace',
  }),

  // Errors of the mock that the real service does not have
  'unknown-fault': kind<{ explanation: string }>({
    code: 'mock_unknown_fault',
    message: '{explanation}',
    when: 'the header `x-mock-fault` names an unknown fault or option',
    provoke: 'x-mock-fault: no-such-fault',
  }),
  'impossible-fault': kind<{ fault: string; explanation: string }>({
    code: 'mock_impossible_fault',
    message: "Fault {fault} can't happen here: {explanation}",
    when: 'the fault cannot apply to this response (here: it is not streamed) or to fetch; the message says what to do',
    provoke: 'x-mock-fault: missing-done',
  }),
  'no-match': kind<{ nearest: string }>({
    status: 404,
    code: 'mock_no_match',
    message:
      "No reply rule of the scenario matches this chat, and 'unmatched: refuse' is set. {nearest} Change the call, or add a rule.",
    when: 'no reply rule matches the chat, and the scenario has `unmatched: refuse`; the message names the closest rule',
    provoke: '{"messages": [{"role": "user", "content": "Hello"}]}, with one rule for user: weather',
  }),
  'answer-too-large': kind<{ bytes: number; limit: number; remedy: string }>({
    code: 'mock_answer_too_large',
    message:
      'The answer to this request would take about {bytes} bytes, and this mock sends at most {limit}. ' +
      '{remedy}, or raise the limit with the option answerLimit (--answer-limit).',
    when: 'the answer would be larger than the limit (default: 16 MB over all choices, 100 MB for embeddings); the message says what to change',
    provoke: '`n: 128` with `top_logprobs: 20` and a message of 100 words',
  }),
  'status-on-demand': kind<{ status: number; shouldRetry: string | undefined }>({
    status: ({ status }) => status,
    headers: ({ shouldRetry }): Record<string, string> =>
      shouldRetry === undefined ? {} : { 'x-should-retry': shouldRetry },
    message: 'The mock was asked to answer with status {status}.',
    when: 'the fault is a status from 400 to 599 that has no fault of its own',
    provoke: 'x-mock-fault: 418',
  }),
} as const

export type ErrorName = keyof typeof errorKinds
type DetailOf<Name extends ErrorName> = (typeof errorKinds)[Name] extends ErrorKind<infer Detail> ? Detail : never

/** An error as it is sent: `{"error": {message, type, param, code}}` with its status and headers. */
export interface ApiError {
  readonly name: ErrorName
  readonly status: number
  readonly body: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string | null
  }
  readonly headers: Readonly<Record<string, string>>
}

/**
 * An error of the catalogue.
 * @example apiError('missing-parameter', { path: 'messages' })
 */
export function apiError<Name extends ErrorName>(
  name: Name,
  ...details: DetailOf<Name> extends void ? [] : [detail: DetailOf<Name>]
): ApiError {
  const {
    status = 400,
    type = 'invalid_request_error',
    code = null,
    param,
    message,
    headers,
  } = errorKinds[name] as ErrorKind<unknown>
  const detail = details[0]
  /** The text with the fields of the detail in place of their names in braces. */
  const fill = (text: string): string =>
    detail === undefined ? text : text.replace(/\{(\w+)\}/g, (_, field: string) => String(detail?.[field as never]))
  return {
    name,
    status: typeof status === 'function' ? status(detail) : status,
    body: {
      message: typeof message === 'function' ? message(detail) : fill(message),
      type,
      param: param === undefined ? ((detail as Partial<Path> | undefined)?.path ?? null) : param && fill(param),
      code,
    },
    headers: headers?.(detail) ?? {},
  }
}

/** The body of every error. All four fields are always present. */
export function envelope(
  message: string,
  type: string,
  { param = null, code = null }: Partial<Pick<ApiError['body'], 'param' | 'code'>> = {},
): { readonly error: ApiError['body'] } {
  return { error: { message, type, param, code } }
}
