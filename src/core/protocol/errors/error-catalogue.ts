/**
 * The error catalogue: the status, type, code, param and message of every error.
 *
 *     apiError('missing-parameter', { path: 'messages' })
 *     -> { status: 400, body: { message: "Missing required parameter: 'messages'.", type: 'invalid_request_error',
 *          param: 'messages', code: 'missing_required_parameter' }, headers: {}, name: 'missing-parameter' }
 *
 * The messages are those of the service, word for word and with its spelling mistakes, because clients match on them.
 * The table in docs/wire.md is generated from this file and from scripts/tables/error-examples.ts, and a test provokes each entry.
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
  /** Fields of the detail are in braces: `Missing required parameter: '{path}'.` A list is in quotes: `'a', 'b' and 'c'`. */
  readonly message: string | ((detail: Detail) => string)
  readonly headers?: (detail: Detail) => Record<string, string>
}

/** Begins an entry; its message ends it. */
const kind = <Detail = void>(fields: Omit<ErrorKind<Detail>, 'message'> = {}) => ({
  says: (message: ErrorKind<Detail>['message']): ErrorKind<Detail> => ({ ...fields, message }),
})

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

// The details that several messages need.
type Bound = { readonly path: string; readonly bound: number | bigint; readonly got: number | string }
type Path = { readonly path: string }
type NotAllowed = { readonly path: string; readonly got: string; readonly allowed: readonly string[] }
/** `subject`: the owner of the schema, such as `function 'f'`; `problem`: the rest of the sentence. */
type SchemaDetail = { readonly subject: string; readonly problem: string; readonly path: string }
type ModelDetail = { readonly model: string }
type Limit = { readonly limit: number }
type IdDetail = { readonly id: string }

// Always both headers: some clients retry a 429 only with retry-after, others read only the milliseconds. Never 0 ms:
// version 6 of openai takes it for no header and waits 0.5 s.
export const retryAfterHeaders = ({ waitMs }: { readonly waitMs: number }): Record<string, string> => ({
  'retry-after': String(Math.ceil(waitMs / 1000)),
  'retry-after-ms': String(Math.max(1, Math.ceil(waitMs))),
})

const RETRY_OR_ASK =
  `You can retry your request, or contact us through our help center at ${HELP_CENTER} if the error persists. ` +
  '(Please include the request ID {requestId} in your message.)'

/** An entry for a limit that refills. */
const rateLimit = (type: 'requests' | 'tokens') =>
  kind<RateLimitDetail>({ status: 429, type, code: 'rate_limit_exceeded', headers: retryAfterHeaders }).says(
    ({ model, organization, unit, limit, used, requested, waitText }) =>
      `Rate limit reached ${model === '' ? '' : `for ${model} `}in organization ${organization} on ${unit}: Limit ${limit}, Used ${used}, Requested ${requested}. ` +
      `Please try again in ${waitText}. Visit ${RATE_LIMITS_PAGE} to learn more.`,
  )

/** An entry for a number that is out of its range. */
function numberBound(type: 'decimal' | 'integer', side: 'above' | 'below') {
  const [limit, code, sign] = side === 'above' ? ['maximum', 'max', '<='] : ['minimum', 'min', '>=']
  return kind<Bound>({ code: `${type}_${side}_${code}_value` }).says(
    `Invalid '{path}': ${type} ${side} ${limit} value. Expected a value ${sign} {bound}, but got {got} instead.`,
  )
}

export const errorKinds = {
  // Route
  'unknown-url': kind<{ method: string; path: string; nearest: string | null; hasPage: boolean }>({
    status: 404,
    param: null,
  }).says(({ method, path, nearest, hasPage }) => {
    const invalid = `Invalid URL (${method} ${path})${nearest === null ? '' : `. Did you mean ${nearest}?`}`
    return hasPage ? `${invalid}${nearest === null ? '.' : ''} ${PAGE_HINT}` : invalid
  }),
  'not-simulated': kind<{ method: string; path: string; advice: string }>({ status: 404, param: null }).says(
    'Invalid URL ({method} {path}). {advice}',
  ),
  'wrong-method': kind<{ allow: string }>({
    status: 405,
    code: 'method_not_supported',
    headers: ({ allow }) => ({ allow }),
  }).says(({ allow }) => `Only ${allow.replace(/, (\w+)$/, ' and $1')} requests are accepted.`),
  'invalid-session': kind<{ name: string; problem: string }>({ code: 'mock_invalid_session' }).says(
    "Invalid session '{name}': {problem}.",
  ),
  'body-too-large': kind<Limit>({ status: 413, code: 'request_too_large' }).says(
    'Request body is too large. The maximum size is {limit} bytes.',
  ),
  'too-many-values': kind<{ values: number; texts: number }>({ code: 'request_too_complex' }).says(
    'Request body has too many values. The maximum is {values} values, of which {texts} can be strings (names of fields included).',
  ),

  // Replay
  'not-recorded': kind<{ endpoint: string; model: string; nearest: string | undefined }>({
    status: 404,
    code: 'mock_not_recorded',
  }).says(
    ({ endpoint, model, nearest = 'The scenario has no recording for this endpoint' }) =>
      `No answer was recorded for this request (${endpoint}, model '${model}'). ${nearest}. ` +
      'Record the call with `api-mock record --hybrid --upstream <url> --out <cassette>`, or name what may differ under `ignore`.',
  ),

  // Key
  'missing-key': kind({ status: 401 }).says(
    "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY), " +
      "or as the password field (with blank username) if you're accessing the API from your browser and are prompted for a username and password. " +
      'You can obtain an API key from https://platform.openai.com/account/api-keys.',
  ),
  'invalid-key': kind<{ maskedKey: string }>({ status: 401, code: 'invalid_api_key' }).says(
    'Incorrect API key provided: {maskedKey}. You can find your API key at https://platform.openai.com/account/api-keys.',
  ),
  'forbidden-region': kind({
    status: 403,
    type: 'request_forbidden',
    code: 'unsupported_country_region_territory',
  }).says('Country, region, or territory not supported'),

  // Body
  'invalid-json': kind().says(
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. " +
      'The OpenAI API expects a JSON payload, but what was sent was not valid JSON. If you have trouble figuring out how to fix this, ' +
      `please contact us through our help center at ${HELP_CENTER}.)`,
  ),
  'unsupported-content-type': kind<{ contentType: string }>({ code: 'unsupported_content_type' }).says(
    "Unsupported content type: '{contentType}'. This API method only accepts 'application/json' requests, " +
      "but you specified the header 'Content-Type: {contentType}'. Please try again with a supported content type.",
  ),
  'model-missing': kind().says('you must provide a model parameter'),
  'missing-parameter': kind<Path>({ code: 'missing_required_parameter' }).says("Missing required parameter: '{path}'."),
  'unknown-parameter': kind<{ path: string; suggestion: string }>({ code: 'unknown_parameter' }).says(
    "Unknown parameter: '{path}'.{suggestion}",
  ),
  'invalid-type': kind<{ path: string; expected: string; got: string }>({ code: 'invalid_type' }).says(
    "Invalid type for '{path}': expected {expected}, but got {got} instead.",
  ),
  'invalid-value': kind<NotAllowed>({ code: 'invalid_value' }).says(
    "Invalid value: '{got}'. Supported values are: {allowed}.",
  ),
  'missing-content': kind<{ path: string; got: string }>().says(
    "Invalid value for 'content': expected a string, got {got}.",
  ),
  'decimal-above-max': numberBound('decimal', 'above'),
  'decimal-below-min': numberBound('decimal', 'below'),
  'integer-above-max': numberBound('integer', 'above'),
  'integer-below-min': numberBound('integer', 'below'),
  'empty-array': kind<Path>({ code: 'empty_array' }).says(
    "Invalid '{path}': empty array. Expected an array with minimum length 1, but got an empty array instead.",
  ),
  'array-too-long': kind<Bound>({ code: 'array_above_max_length' }).says(
    "Invalid '{path}': array too long. Expected an array with maximum length {bound}, but got an array with length {got} instead.",
  ),
  'empty-string': kind<Path>({ code: 'empty_string' }).says(
    "Invalid '{path}': empty string. Expected a string with minimum length 1, but got an empty string instead.",
  ),
  'string-too-long': kind<Bound>({ code: 'string_above_max_length' }).says(
    "Invalid '{path}': string too long. Expected a string with maximum length {bound}, but got a string with length {got} instead.",
  ),
  'string-mismatch': kind<{ path: string; pattern: string }>({ code: 'invalid_value' }).says(
    "Invalid '{path}': string does not match pattern. Expected a string that matches the pattern '{pattern}'.",
  ),
  'property-name-too-long': kind<{ path: string; key: string; bound: number }>({
    param: '{path}.{key}',
    code: 'property_name_above_max_length',
  }).says(
    ({ path, key, bound }) =>
      `Invalid property name in '${path}': '${key.slice(0, 3)}...${key.slice(-3)}' is too long. ` +
      `Expected a string with maximum length ${bound}, but got a string with length ${key.length} instead.`,
  ),
  'too-many-properties': kind<Bound>({ code: 'object_above_max_properties' }).says(
    "Invalid '{path}': too many properties. Expected an object with at most {bound} properties, but got an object with {got} properties instead.",
  ),

  // Chat: fields that depend on each other
  'top-logprobs-alone': kind({ param: 'top_logprobs' }).says(
    "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
  ),
  'stream-options-alone': kind({ param: 'stream_options' }).says(
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  ),
  'tool-choice-alone': kind({ param: 'tool_choice' }).says(
    "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
  ),
  'parallel-tool-calls-alone': kind({ param: 'parallel_tool_calls' }).says(
    "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.",
  ),
  'metadata-without-store': kind({ param: 'metadata' }).says(
    "The 'metadata' parameter is only allowed when 'store' is enabled.",
  ),
  'two-token-limits': kind({ param: 'max_tokens', code: 'invalid_parameter_combination' }).says(
    "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
  ),
  'undeclared-function': kind<{ name: string }>({ param: 'function_call' }).says(
    "Invalid value for 'function_call': no function named '{name}' was specified in the 'functions' parameter.",
  ),
  'unanswered-tool-call': kind<{ index: number; ids: readonly string[] }>({ param: 'messages.[{index}].role' }).says(
    ({ ids }) =>
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${ids.join(', ')}`,
  ),
  'orphan-tool-message': kind<{ index: number }>({ param: 'messages.[{index}].role' }).says(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  ),
  'json-word-missing': kind({ param: 'messages' }).says(
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
  ),

  'audio-format-streamed': kind<{ got: string }>({ param: 'audio.format', code: 'unsupported_value' }).says(
    "Unsupported value: 'audio.format' does not support '{got}' when stream=true. Supported values are: 'pcm16'.",
  ),
  'unsupported-image': kind({ code: 'invalid_image_format' }).says(
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
  ),
  'invalid-image': kind({ code: 'invalid_image_format' }).says(
    'You uploaded an unsupported image. Please make sure your image is valid.',
  ),
  'image-download-failed': kind<{ url: string }>({ param: null, code: 'invalid_image_url' }).says(
    'Error while downloading {url}.',
  ),

  'invalid-response-schema': kind<SchemaDetail>().says('Invalid schema for {subject}: {problem}'),
  'invalid-function-schema': kind<SchemaDetail>({ code: 'invalid_function_parameters' }).says(
    'Invalid schema for {subject}: {problem}',
  ),
  'unsatisfiable-schema': kind<SchemaDetail>({ code: 'mock_unsatisfiable_schema' }).says(
    'Invalid schema for {subject}: no value fulfils it: {problem}',
  ),

  // Model
  'unknown-model': kind<ModelDetail>({ status: 404, code: 'model_not_found' }).says(
    'The model `{model}` does not exist or you do not have access to it.',
  ),
  'completion-not-found': kind<IdDetail>({ status: 404 }).says("Chat completion with id '{id}' not found."),
  'response-not-found': kind<IdDetail>({ status: 404 }).says("Response with id '{id}' not found."),
  'previous-response-not-found': kind<IdDetail>({
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  }).says("Previous response with id '{id}' not found."),
  'item-not-found': kind<IdDetail>({ status: 404, param: 'input' }).says(
    "Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
  ),
  'call-without-reasoning': kind<{ id: string; reasoning: string }>({ param: 'input' }).says(
    "Item '{id}' of type 'function_call' was provided without its required 'reasoning' item: '{reasoning}'.",
  ),
  'not-an-embedding-model': kind({ status: 403 }).says('You are not allowed to generate embeddings from this model'),
  'not-a-chat-model': kind({ status: 404, param: 'model' }).says(
    'This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?',
  ),
  'max-tokens-unsupported': kind({ code: 'unsupported_parameter', param: 'max_tokens' }).says(
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  ),
  'unsupported-parameter': kind<Path>({ code: 'unsupported_parameter' }).says(
    "Unsupported parameter: '{path}' is not supported with this model.",
  ),
  'unrecognized-argument': kind<{ name: string }>({ param: null }).says(
    'Unrecognized request argument supplied: {name}',
  ),
  'logprobs-forbidden': kind({ status: 403 }).says('You are not allowed to request logprobs from this model'),
  'top-logprobs-too-many': kind<Limit>({ param: 'top_logprobs' }).says(
    "Invalid value for 'top_logprobs': must be less than or equal to {limit}.",
  ),
  'unsupported-default': kind<{ path: string; got: number }>({ code: 'unsupported_value' }).says(
    "Unsupported value: '{path}' does not support {got} with this model. Only the default (1) value is supported.",
  ),
  'unsupported-value': kind<NotAllowed>({ code: 'unsupported_value' }).says(
    "Unsupported value: '{path}' does not support '{got}' with this model. Supported values are: {allowed}.",
  ),
  'tools-with-effort': kind<ModelDetail>({ param: 'reasoning_effort' }).says(
    "Function tools with reasoning_effort are not supported for {model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
  ),
  'tools-unsupported': kind({ status: 404 }).says(
    'tools is not supported in this model. For a list of supported models, refer to ' +
      'https://platform.openai.com/docs/guides/function-calling#models-supporting-function-calling.',
  ),
  'web-search-unsupported': kind({ param: 'web_search_options' }).says(
    'Web search options not supported with this model.',
  ),
  'audio-unsupported': kind<Path>({ code: 'invalid_value' }).says(
    "Invalid '{path}'. Content blocks are expected to be either text or image_url type.",
  ),
  'image-unsupported': kind<Path>({ code: 'invalid_value' }).says(
    'Invalid content type. image_url is only supported by certain models.',
  ),
  'json-schema-unsupported': kind<Path>().says(
    "Invalid parameter: '{path}' of type 'json_schema' is not supported with this model. " +
      'Learn more about supported models at the Structured Outputs guide: https://platform.openai.com/docs/guides/structured-outputs',
  ),
  'audio-required': kind({ param: 'model', code: 'invalid_value' }).says(
    'This model requires that either input content or output modality contain audio.',
  ),
  'responses-only': kind({ status: 404, param: 'model' }).says(
    'This model is only supported in v1/responses and not in v1/chat/completions.',
  ),
  'deprecated-model': kind<ModelDetail>({ status: 404, param: null, code: 'model_not_found' }).says(
    'The model `{model}` has been deprecated, learn more here: https://platform.openai.com/docs/deprecations',
  ),
  'max-tokens-too-large': kind<{ path: string; asked: number; limit: number }>({ code: 'invalid_value' }).says(
    '{path} is too large: {asked}. This model supports at most {limit} completion tokens, whereas you provided {asked}.',
  ),
  'context-length': kind<{ limit: number; tokens: number }>({
    code: 'context_length_exceeded',
    param: 'messages',
  }).says(
    "This model's maximum context length is {limit} tokens. However, your messages resulted in {tokens} tokens. Please reduce the length of the messages.",
  ),
  'context-length-with-output': kind<{ limit: number; tokens: number; asked: number; sum: number }>({
    code: 'context_length_exceeded',
    param: 'messages',
  }).says(
    "This model's maximum context length is {limit} tokens. However, you requested {sum} tokens ({tokens} in the messages, {asked} in the completion). Please reduce the length of the messages or completion.",
  ),
  'input-tokens': kind<{ limit: number; tokens: number }>({ code: 'context_length_exceeded', param: 'messages' }).says(
    'Input tokens exceed the configured limit of {limit} tokens. Your messages resulted in {tokens} tokens. Please reduce the length of the messages.',
  ),
  'output-limit-reached': kind({ param: null, code: null }).says(
    'Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.',
  ),

  // Responses
  'context-window': kind({ code: 'context_length_exceeded', param: 'input' }).says(
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
  ),
  'requested-model-unknown': kind<ModelDetail>({ param: 'model', code: 'model_not_found' }).says(
    "The requested model '{model}' does not exist.",
  ),
  'moved-parameter': kind<{ from: string; to: string }>({ code: 'unsupported_parameter' }).says(
    "Unsupported parameter: '{from}'. In the Responses API, this parameter has moved to '{to}'. Try again with the new parameter. " +
      `See the API documentation for more information: ${API_REFERENCE}/responses/create.`,
  ),
  'not-mocked': kind<{ path: string; what: string; remedy: string }>({ code: 'mock_not_simulated' }).says(
    'This mock does not simulate {what}. {remedy}, or use a recorded answer.',
  ),
  'input-missing': kind({ param: 'input', code: 'missing_required_parameter' }).says(
    `One of "input" or "previous_response_id" or 'prompt' or 'conversation_id' must be provided.`,
  ),
  'id-characters': kind<{ path: string; got: string }>({ code: 'invalid_value' }).says(
    "Invalid '{path}': '{got}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this value contained additional characters.",
  ),
  'id-prefix': kind<{ path: string; got: string; prefix: string }>({ code: 'invalid_value' }).says(
    "Invalid '{path}': '{got}'. Expected an ID that begins with '{prefix}'.",
  ),
  'duplicate-item': kind<IdDetail>({ param: 'input' }).says(
    'Duplicate item found with id {id}. Remove duplicate items from your input and try again.',
  ),
  'missing-tool-output': kind<IdDetail>({ param: 'input' }).says('No tool output found for function call {id}.'),
  'missing-tool-call': kind<IdDetail>({ param: 'input' }).says(
    'No tool call found for function call output with call_id {id}.',
  ),
  'reasoning-alone': kind<IdDetail>({ param: 'input' }).says(
    "Item '{id}' of type 'reasoning' was provided without its required following item.",
  ),
  'invalid-encrypted-content': kind<{ shown: string }>({ code: 'invalid_encrypted_content' }).says(
    'The encrypted content {shown} could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
  ),
  'unsupported-file-data': kind<{ path: string; mime: string }>({ code: 'invalid_value' }).says(
    "Invalid file data: '{path}'. Expected a base64-encoded data URL with a valid file MIME type (e.g. 'data:text/plain;base64,SGVsbG8sIFdvcmxkIQ=='), " +
      "but got unsupported MIME type '{mime}'. Please see https://platform.openai.com/docs/assistants/tools/file-search#supported-files for supported file types.",
  ),
  'unsupported-file-url': kind({ param: 'input', code: 'unsupported_file' }).says(
    'The file type you uploaded is not supported. Please try again with a pdf',
  ),
  'undeclared-tool': kind<{ type: string }>({ param: 'tool_choice' }).says(
    "Tool choice '{type}' not found in 'tools' parameter.",
  ),
  'tool-choice-without-tools': kind({ param: 'tool_choice' }).says(
    "Tool choice 'required' must be specified with 'tools' parameter.",
  ),
  'json-word-missing-in-input': kind({ param: 'input' }).says(
    "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
  ),
  'invalid-text-schema': kind<SchemaDetail>({ code: 'invalid_json_schema' }).says(
    'Invalid schema for {subject}: {problem}',
  ),
  'unsupported-sampling': kind<Path>().says("Unsupported parameter: '{path}' is not supported with this model."),
  'unsupported-effort': kind<{ got: string; model: string; allowed: readonly string[] }>({
    param: 'reasoning.effort',
    code: 'unsupported_value',
  }).says("Unsupported value: '{got}' is not supported with the '{model}' model. Supported values are: {allowed}."),
  'unsupported-setting': kind<{ path: string; model: string }>({ code: 'unsupported_parameter' }).says(
    "Unsupported parameter: '{path}' is not supported with the '{model}' model.",
  ),
  'encrypted-content-unsupported': kind({ param: 'include' }).says(
    'Encrypted content is not supported with this model.',
  ),

  // Embeddings
  'invalid-input': kind().says(`'$.input' is invalid. Please check the API reference: ${API_REFERENCE}.`),
  'too-many-inputs': kind<Limit>().says("Invalid 'input': array length must be {limit} or less."),
  'input-too-long': kind<{ path: string; limit: number }>({ param: null }).says(
    "Invalid '{path}': maximum input length is {limit} tokens.",
  ),
  'input-over-context': kind<Limit>().says("Invalid 'input': maximum context length is {limit} tokens."),
  'inputs-too-long': kind<Limit>({ code: 'max_tokens_per_request' }).says(
    "Invalid 'input': maximum request size is {limit} tokens per request.",
  ),
  'dimensions-below-min': kind<{ got: number }>().says("{got} is less than the minimum of 1 - 'dimensions'"),
  'dimensions-above-max': kind<{ model: string; limit: number; got: number }>().says(
    "Invalid value for 'dimensions' = {got}. Must be less than or equal to {limit} for model '{model}'.",
  ),
  'dimensions-unsupported': kind().says('This model does not support specifying dimensions.'),

  // Limits and quota
  'requests-limit': rateLimit('requests'),
  'tokens-limit': rateLimit('tokens'),
  // The wording of the service is not known. It follows the other limits, so that clients treat it as one.
  'concurrent-limit': rateLimit('requests'),
  'request-too-large': kind<Omit<RateLimitDetail, 'waitMs' | 'waitText' | 'used'>>({
    status: 429,
    type: 'tokens',
    code: 'rate_limit_exceeded',
  }).says(
    ({ model, organization, unit, limit, requested }) =>
      `Request too large for ${model} in organization ${organization} on ${unit}: Limit ${limit}, Requested ${requested}. ` +
      `The input or output tokens must be reduced in order to run successfully. Visit ${RATE_LIMITS_PAGE} to learn more.`,
  ),
  'quota-exceeded': kind({ status: 429, type: 'insufficient_quota', code: 'insufficient_quota' }).says(
    'You exceeded your current quota, please check your plan and billing details. For more information on this error, ' +
      'read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
  ),

  'limits-unavailable': kind<{ problem: string }>({
    status: 503,
    type: 'server_error',
    code: 'mock_limits_unavailable',
  }).says(
    "The limits of this call can't be checked: {problem}. Start the store, or set limits.shared.unavailable to 'allow' to answer without limits.",
  ),

  // Errors that only a fault causes
  'organization-not-verified': kind({ param: 'reasoning.summary', code: 'unsupported_value' }).says(
    'Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization. ' +
      'If you just verified, it can take up to 15 minutes for access to propagate.',
  ),
  'zero-data-retention': kind({ param: 'previous_response_id', code: 'unsupported_parameter' }).says(
    'Previous response cannot be used for this organization due to Zero Data Retention.',
  ),
  conflict: kind({ status: 409 }).says('The resource was updated by another request. Please try again.'),
  unprocessable: kind({ status: 422 }).says(
    'The request was well-formed but could not be processed. Please try again.',
  ),

  // The service's own failures
  'server-error': kind<{ requestId: string }>({ status: 500, type: 'server_error' }).says(
    `The server had an error while processing your request. Sorry about that! ${RETRY_OR_ASK}`,
  ),
  overloaded: kind<{ requestId: string }>({ status: 503, type: 'server_error' }).says(
    `That model is currently overloaded with other requests. ${RETRY_OR_ASK}`,
  ),

  // Errors of the mock that the real service does not have
  'unknown-fault': kind<{ explanation: string }>({ code: 'mock_unknown_fault' }).says('{explanation}'),
  'impossible-fault': kind<{ fault: string; explanation: string }>({ code: 'mock_impossible_fault' }).says(
    "Fault {fault} can't happen here: {explanation}",
  ),
  'no-match': kind<{ nearest: string }>({ status: 404, code: 'mock_no_match' }).says(
    "No reply rule of the scenario matches this chat, and 'unmatched: refuse' is set. {nearest} Change the call, or add a rule.",
  ),
  'reply-function-failed': kind<{ problem: string }>({
    status: 500,
    code: 'mock_reply_function',
    headers: () => ({ 'x-should-retry': 'false' }),
  }).says('{problem}'),
  'answer-too-large': kind<{ bytes: number; limit: number; remedy: string }>({ code: 'mock_answer_too_large' }).says(
    'The answer to this request would take about {bytes} bytes, and this mock sends at most {limit}. ' +
      '{remedy}, or raise the limit with the option answerLimit (--answer-limit).',
  ),
  'status-on-demand': kind<{ status: number; shouldRetry: string | undefined }>({
    status: ({ status }) => status,
    headers: ({ shouldRetry }): Record<string, string> =>
      shouldRetry === undefined ? {} : { 'x-should-retry': shouldRetry },
  }).says('The mock was asked to answer with status {status}.'),
} as const

export type ErrorName = keyof typeof errorKinds
type DetailOf<Name extends ErrorName> = (typeof errorKinds)[Name] extends ErrorKind<infer Detail> ? Detail : never

/** An error as it is sent: `{"error": {message, type, param, code}}` with its status and headers. */
export type ApiError = Readonly<ReturnType<typeof apiError>>

/**
 * An error of the catalogue.
 * @example apiError('missing-parameter', { path: 'messages' })
 */
export function apiError<Name extends ErrorName>(
  name: Name,
  ...details: DetailOf<Name> extends void ? [] : [detail: DetailOf<Name>]
) {
  const {
    status = 400,
    type = 'invalid_request_error',
    code = null,
    param,
    message,
    headers,
  } = errorKinds[name] as ErrorKind<unknown>
  const detail = details[0] as Readonly<Record<string, unknown>> | undefined
  const textOf = (value: unknown): string => (Array.isArray(value) ? quotedList(value, 'and') : String(value))
  /** The text with the fields of the detail in place of their names in braces. */
  const fill = (text: string): string =>
    detail === undefined ? text : text.replace(/\{(\w+)\}/g, (_, field: string) => textOf(detail[field]))
  // The param, where the error of the catalogue names none.
  const pathOfDetail = (detail?.path as string | undefined) ?? null
  return {
    name: name as ErrorName,
    status: typeof status === 'function' ? status(detail) : status,
    body: {
      message: typeof message === 'function' ? message(detail) : fill(message),
      type,
      param: param === undefined ? pathOfDetail : param && fill(param),
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
