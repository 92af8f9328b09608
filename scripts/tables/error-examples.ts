/** The conditions and the examples of errors, for the table in docs/wire.md and for the test that provokes each of them. */
import type { ErrorName } from '../../src/core/protocol/errors/error-catalogue.ts'

interface ErrorExample {
  /** The condition under which it happens: a sentence without a full stop. Default: the fault of this name. */
  readonly when?: string
  /** A way to provoke it: a header, or the field of a chat or embeddings request. Default: the fault of this name. */
  readonly provoke?: string
}

const examples: Readonly<Partial<Record<ErrorName, ErrorExample>>> = {
  'unknown-url': {
    when: "the path does not exist; the message names the most similar one, if there is one, and outside `/v1` the mock's page",
    provoke: 'POST /v1/chat/completion',
  },
  'not-simulated': {
    when: 'the service has the path, but the mock does not simulate it: legacy completions, images, audio, files, batches and others',
    provoke: 'POST /v1/files',
  },
  'wrong-method': {
    when: 'the path does not accept this method; the header `Allow` names those that it accepts',
    provoke: 'GET /v1/embeddings',
  },
  'invalid-session': {
    when: 'the name of the session is not 1 to 128 letters, digits, `.`, `_`, `~` or `-`, or contains an API key; or `x-mock-session` and the address name different sessions',
    provoke: 'x-mock-session: a b',
  },
  'body-too-large': {
    when: 'the body is larger than the limit (default: 10 MB)',
    provoke: 'a body of over 10,000,000 bytes',
  },
  'too-many-values': {
    when: 'the body has more than 400,000 values, or more than 50,000 strings with the names of fields',
    provoke: 'an array of 500,000 numbers',
  },
  'not-recorded': {
    when: 'the scenario has recorded answers, but none for this request; the message names the nearest one and what differs',
    provoke: 'a request that was not recorded, with a cassette',
  },
  'missing-key': {
    when: 'the `Authorization: Bearer` header is missing or its key is empty',
    provoke: 'no Authorization header',
  },
  'invalid-key': {
    when: 'the scenario lists keys, but not this one',
    provoke: 'a key that is not listed, in a scenario that lists keys',
  },
  'invalid-json': { when: 'the body is not JSON, or not a JSON object', provoke: "{'model'" },
  'unsupported-content-type': {
    when: 'the `Content-Type` is not JSON; a request without one is accepted',
    provoke: 'Content-Type: text/plain',
  },
  'model-missing': { when: 'chat and embeddings: `model` is missing, null or ""', provoke: '{"model": ""}' },
  'missing-parameter': { when: 'a required field is missing', provoke: 'embeddings {"input": null}' },
  'unknown-parameter': {
    when: 'the service does not know a field, and the scenario has `validation: strict`',
    provoke: '{"stor": true}, in the scenario openai',
  },
  'invalid-type': { when: 'a field has the wrong type', provoke: '{"messages": "hello"}' },
  'invalid-value': {
    when: 'a field has an unsupported value',
    provoke: '{"messages": [{"role": "bogus", "content": "hi"}]}',
  },
  'missing-content': {
    when: 'the content of a message is missing or null',
    provoke: '{"messages": [{"role": "user", "content": null}]}',
  },
  'decimal-above-max': { when: 'a decimal number is too large', provoke: '{"temperature": 3}' },
  'decimal-below-min': { when: 'a decimal number is too small', provoke: '{"temperature": -1}' },
  'integer-above-max': { when: 'an integer is too large', provoke: '{"n": 129}' },
  'integer-below-min': { when: 'an integer is too small', provoke: '{"n": 0}' },
  'empty-array': { when: 'an array that needs an element has none', provoke: '{"messages": []}' },
  'array-too-long': { when: 'an array has too many elements', provoke: '{"stop": ["a", "b", "c", "d", "e"]}' },
  'empty-string': {
    when: 'a string that must not be empty is empty',
    provoke: '{"tools": [{"type": "function", "function": {"name": ""}}]}',
  },
  'string-too-long': { when: 'a string is too long', provoke: 'a value of over 512 characters in metadata' },
  'string-mismatch': {
    when: 'a name contains a character that is not allowed',
    provoke: '{"tools": [{"type": "function", "function": {"name": "get weather"}}]}',
  },
  'property-name-too-long': {
    when: 'a key of an object is too long',
    provoke: 'metadata with a key of over 64 characters',
  },
  'too-many-properties': { when: 'an object has too many properties', provoke: 'metadata with 17 keys' },
  'top-logprobs-alone': { when: '`top_logprobs` without `logprobs: true`', provoke: '{"top_logprobs": 2}' },
  'stream-options-alone': {
    when: '`stream_options` without `stream: true`',
    provoke: '{"stream_options": {"include_usage": true}}',
  },
  'tool-choice-alone': { when: '`tool_choice` without `tools`', provoke: '{"tool_choice": "auto"}' },
  'parallel-tool-calls-alone': {
    when: '`parallel_tool_calls` without `tools`',
    provoke: '{"parallel_tool_calls": false}',
  },
  'two-token-limits': {
    when: 'both `max_tokens` and `max_completion_tokens`',
    provoke: '{"max_tokens": 5, "max_completion_tokens": 5}',
  },
  'undeclared-function': {
    when: '`tool_choice` or `function_call` names a function that was not declared',
    provoke:
      '{"tools": [{"type": "function", "function": {"name": "g"}}], "tool_choice": {"type": "function", "function": {"name": "f"}}}',
  },
  'unanswered-tool-call': {
    when: 'a tool call has no tool message after it',
    provoke:
      '{"messages": [{"role": "assistant", "tool_calls": [{"id": "call_x", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}]}',
  },
  'orphan-tool-message': {
    when: 'a tool message answers no tool call',
    provoke: '{"messages": [{"role": "tool", "tool_call_id": "call_x", "content": "hi"}]}',
  },
  'json-word-missing': {
    when: 'the request asks for JSON mode, but no message contains the word "json"',
    provoke: '{"response_format": {"type": "json_object"}}',
  },
  'audio-format-streamed': {
    when: 'a stream with audio is not in the format `pcm16`',
    provoke: '{"modalities": ["text", "audio"], "audio": {"voice": "alloy", "format": "wav"}, "stream": true}',
  },
  'invalid-image': {
    when: 'a `data:` URL holds no PNG, JPEG, GIF or WebP image, and the scenario has `validation: strict`',
    provoke:
      '{"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,eA=="}}]}]}, in the scenario openai',
  },
  'image-download-failed': {
    when: 'an image has an address that the service cannot reach, such as localhost, and the scenario has `validation: strict`',
    provoke:
      '{"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "http://localhost/cat.png"}}]}]}, in the scenario openai',
  },
  'invalid-response-schema': {
    when: '`response_format` has `strict: true`, and its schema is outside the documented subset',
    provoke:
      '{"response_format": {"type": "json_schema", "json_schema": {"name": "n", "strict": true, "schema": {"type": "object"}}}}',
  },
  'invalid-function-schema': {
    when: 'the parameters of a function are not an object or, with `strict: true`, are outside the documented subset',
    provoke: '{"tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "string"}}}]}',
  },
  'unsatisfiable-schema': {
    when: 'the answer must match a JSON Schema that no value can match',
    provoke:
      '{"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object", "properties": {"a": {"type": "integer", "minimum": 2, "maximum": 1}}, "required": ["a"]}}}}',
  },
  'unknown-model': {
    when: 'the scenario lists models, but not this one',
    provoke: '{"model": "X"}, in the scenario openai',
  },
  'response-not-found': {
    when: 'no stored response of the key has this id',
    provoke: 'GET /v1/responses/resp_1',
  },
  'previous-response-not-found': {
    when: 'a responses call goes on from a response that is not stored, or whose own earlier ones are not',
    provoke: 'responses {"previous_response_id": "resp_1"}',
  },
  'item-not-found': {
    when: 'a responses call names an item that is not stored',
    provoke: 'responses {"input": [{"type": "item_reference", "id": "rs_1"}]}',
  },
  'call-without-reasoning': {
    when: 'a responses call sends a stored function call without the reasoning that was stored before it',
    provoke: 'responses {"input": [...]} with the call of an answer, without its reasoning',
  },
  'completion-not-found': {
    when: 'no stored completion of this key has the id',
    provoke: 'GET /v1/chat/completions/chatcmpl-x',
  },
  'not-an-embedding-model': {
    when: 'an embeddings request names a chat model',
    provoke: 'embeddings {"model": "gpt-4o-mini"}, in the scenario openai',
  },
  'not-a-chat-model': {
    when: 'a chat request names a model that is not for chats',
    provoke: '{"model": "text-embedding-3-small"}, in the scenario openai',
  },
  'max-tokens-unsupported': {
    when: 'a request to a reasoning model has `max_tokens`',
    provoke: '{"model": "gpt-5-nano", "max_tokens": 5}, in the scenario openai',
  },
  'unsupported-parameter': {
    when: 'a request has a parameter that the model does not support',
    provoke: '{"model": "gpt-5-nano", "stop": "x"}, in the scenario openai',
  },
  'unrecognized-argument': {
    when: 'a request to a model without reasoning has `reasoning_effort`',
    provoke: '{"model": "gpt-4o-mini", "reasoning_effort": "low"}, in the scenario openai',
  },
  'unsupported-default': {
    when: 'a request to a reasoning model has a `temperature` or `top_p` other than 1',
    provoke: '{"model": "gpt-5-nano", "temperature": 0.5}, in the scenario openai',
  },
  'unsupported-value': {
    when: 'the model does not support this `reasoning_effort`, or `audio` in `modalities`',
    provoke: '{"model": "gpt-5-nano", "reasoning_effort": "max"}, in the scenario openai',
  },
  'tools-with-effort': {
    when: 'the model supports function tools only with `reasoning_effort: none`, or only in the Responses API',
    provoke:
      '{"model": "gpt-5.4", "reasoning_effort": "low", "tools": [{"type": "function", "function": {"name": "f"}}]}, in the scenario openai',
  },
  'json-schema-unsupported': {
    when: 'the model does not support `json_schema`',
    provoke:
      '{"model": "gpt-4", "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {}}}}, in the scenario openai',
  },
  'audio-required': {
    when: 'a request to an audio model neither has audio nor asks for it',
    provoke: '{"model": "gpt-audio-mini"}, in the scenario openai',
  },
  'responses-only': {
    when: 'a chat request names a model that only the Responses API has',
    provoke: '{"model": "gpt-5.1-codex"}, in the scenario openai',
  },
  'deprecated-model': {
    when: 'a request names a model that the service has removed',
    provoke: '{"model": "gpt-3.5-turbo-0613"}, in the scenario openai',
  },
  'max-tokens-too-large': {
    when: '`max_tokens` or `max_completion_tokens` exceeds the maximum output of the model',
    provoke: '{"model": "gpt-4o-mini", "max_tokens": 32000}, in the scenario openai',
  },
  'context-length': { when: 'the messages have more tokens than the context of the model' },
  'context-length-with-output': {
    when: 'the messages fit into the context of the model, but not with `max_tokens`',
    provoke: '{"model": "gpt-4", "max_tokens": 8192}, in the scenario openai',
  },
  'input-tokens': {
    when: 'the messages have more tokens than the longest input of the model',
    provoke: 'messages of over 272,000 tokens for gpt-5-mini, in the scenario openai',
  },
  'metadata-without-store': { when: '`metadata` is sent without `store: true`', provoke: '{"metadata": {"run": "1"}}' },
  'logprobs-forbidden': {
    when: 'the model lets nobody ask for `logprobs`',
    provoke: '{"model": "gpt-5-mini", "logprobs": true}, in the scenario openai',
  },
  'top-logprobs-too-many': {
    when: 'the model answers fewer `top_logprobs`',
    provoke:
      '{"model": "gpt-5.6-sol", "reasoning_effort": "none", "logprobs": true, "top_logprobs": 6}, in the scenario openai',
  },
  'tools-unsupported': {
    when: 'the model takes no tools',
    provoke:
      '{"model": "gpt-5-search-api", "tools": [{"type": "function", "function": {"name": "f"}}]}, in the scenario openai',
  },
  'web-search-unsupported': {
    when: 'the model does not search',
    provoke: '{"model": "gpt-4o-mini", "web_search_options": {}}, in the scenario openai',
  },
  'audio-unsupported': {
    when: 'a message has audio, and the model does not hear',
    provoke:
      '{"model": "gpt-4o-mini", "messages": [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}}]}]}, in the scenario openai',
  },
  'image-unsupported': {
    when: 'a message has an image, and the model does not see',
    provoke:
      '{"model": "gpt-4", "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}]}]}, in the scenario openai',
  },
  'unsupported-image': {
    when: 'an image has another format than PNG, JPEG, GIF and WebP',
    provoke:
      '{"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/bmp;base64,Qk0="}}]}]}, with a model that has images, in the scenario openai',
  },
  'output-limit-reached': {
    when: 'a request to a reasoning model allows one token of output',
    provoke: '{"model": "gpt-5-nano", "max_completion_tokens": 1}, in the scenario openai',
  },
  'requested-model-unknown': {
    when: 'responses: the scenario lists models, but not this one',
    provoke: 'responses {"model": "gpt-9"}, in the scenario openai',
  },
  'organization-not-verified': {
    when: 'responses: the fault of this name, which the service has for accounts',
    provoke: 'responses with x-mock-fault: organization-not-verified',
  },
  'zero-data-retention': {
    when: 'responses: the fault of this name, which the service has for accounts',
    provoke: 'responses with x-mock-fault: zero-data-retention',
  },
  'moved-parameter': {
    when: 'responses: a parameter has the name that it has in chat',
    provoke: 'responses {"max_tokens": 5}',
  },
  'not-mocked': {
    when: 'responses: the mock does not simulate a field, a tool, an item or a part',
    provoke: 'responses {"background": true}',
  },
  'input-missing': {
    when: 'responses: there is no `input`, or an empty list, and no `previous_response_id`',
    provoke: 'responses {"input": []}',
  },
  'id-characters': {
    when: 'responses: an id has other characters than letters, digits, `_` and `-`',
    provoke: 'responses {"previous_response_id": "a.b"}',
  },
  'id-prefix': {
    when: 'responses: the id of an item does not begin as ids of its type do',
    provoke: 'responses {"previous_response_id": "x"}',
  },
  'duplicate-item': { when: 'responses: two items have the same id', provoke: 'two items of the id msg_1' },
  'missing-tool-output': {
    when: 'responses: a call has no output after it',
    provoke: 'an item of the type function_call without an output',
  },
  'missing-tool-call': {
    when: 'responses: an output has no call before it',
    provoke: 'an item of the type function_call_output without a call',
  },
  'reasoning-alone': {
    when: 'responses: after a reasoning item with an id comes no item that the service wrote',
    provoke: 'a list with only an item of the type reasoning',
  },
  'invalid-encrypted-content': {
    when: 'responses: the `encrypted_content` of an item does not begin with gAAAAA',
    provoke: 'an item of the type reasoning with other encrypted_content',
  },
  'unsupported-file-data': {
    when: 'responses: the data of a file are sound, an image, a video or an archive',
    provoke: 'a part of the type input_file with file_data of audio/mpeg',
  },
  'unsupported-file-url': {
    when: 'responses: the address of a file ends as that of sound, an image, a video or an archive',
    provoke: 'a part of the type input_file with a file_url that ends in .mp3',
  },
  'undeclared-tool': {
    when: 'responses: `tool_choice` names a function that is not among the tools',
    provoke: 'responses {"tool_choice": {"type": "function", "name": "f"}}',
  },
  'tool-choice-without-tools': {
    when: 'responses: `tool_choice` is required, and there are no tools',
    provoke: 'responses {"tool_choice": "required"}',
  },
  'json-word-missing-in-input': {
    when: 'responses: the format is `json_object`, and no message of the input says json',
    provoke: 'responses {"text": {"format": {"type": "json_object"}}}',
  },
  'invalid-text-schema': {
    when: 'responses: the service refuses the schema of `text.format`',
    provoke: 'responses {"text": {"format": {"type": "json_schema", "name": "n", "schema": {}}}}',
  },
  'unsupported-sampling': {
    when: 'responses: a model that reasons does not take `temperature`, `top_p` or `top_logprobs`',
    provoke: 'responses {"model": "o3", "temperature": 0}, in the scenario openai',
  },
  'unsupported-effort': {
    when: 'responses: the model does not take this `reasoning.effort`',
    provoke: 'responses {"model": "o4-mini", "reasoning": {"effort": "minimal"}}, in the scenario openai',
  },
  'unsupported-setting': {
    when: 'responses: the model does not take `reasoning.generate_summary`',
    provoke: 'responses {"model": "o3-mini", "reasoning": {"generate_summary": "auto"}}, in the scenario openai',
  },
  'encrypted-content-unsupported': {
    when: 'responses: `include` asks for the encrypted content of a model that does not reason',
    provoke: 'responses {"model": "gpt-4o", "include": ["reasoning.encrypted_content"]}, in the scenario openai',
  },
  'context-window': {
    when: 'responses: the input is longer than the context of the model, and `truncation` is not auto',
    provoke: 'responses with 130,000 words, with gpt-4o in the scenario openai',
  },
  'invalid-input': { when: 'embeddings: `input` or one of its elements is empty', provoke: 'embeddings {"input": ""}' },
  'too-many-inputs': { when: 'embeddings: there are more than 2048 inputs', provoke: 'embeddings of 2049 texts' },
  'input-too-long': {
    when: 'embeddings: one of several inputs has more than 8192 tokens',
    provoke: 'embeddings of an array with a text of over 8192 tokens',
  },
  'input-over-context': {
    when: 'embeddings: the only input has more than 8192 tokens',
    provoke: 'embeddings of a text of over 8192 tokens',
  },
  'inputs-too-long': {
    when: 'embeddings: the inputs have more than 300000 tokens in total',
    provoke: 'embeddings of 40 texts of 8000 tokens',
  },
  'dimensions-below-min': { when: 'embeddings: `dimensions` is below 1', provoke: 'embeddings {"dimensions": -1}' },
  'dimensions-above-max': {
    when: 'embeddings: `dimensions` exceeds the size of the model',
    provoke: 'embeddings {"dimensions": 1537}',
  },
  'dimensions-unsupported': {
    when: 'embeddings: `dimensions` is set, but the model supports one size only',
    provoke: 'embeddings {"model": "text-embedding-ada-002", "dimensions": 256}, in the scenario openai',
  },
  'requests-limit': {
    when: 'a limit on requests of the scenario, the key or the model is reached',
    provoke: 'x-mock-fault: rate-limit',
  },
  'tokens-limit': {
    when: 'a limit on tokens of the scenario, the key or the model is reached',
    provoke: 'x-mock-fault: rate-limit-tokens',
  },
  'concurrent-limit': {
    when: 'more concurrent calls than `concurrent` allows',
    provoke: 'a second call before the first one has ended, with concurrent: 1',
  },
  'request-too-large': {
    when: "one request has more tokens than the whole limit; waiting won't help, so there is no retry-after",
    provoke: 'a message of 1,000 characters, with tokens: 100 per minute',
  },
  'quota-exceeded': {
    when: "the budget of the key is used up, or the fault `quota`; waiting won't help, so there is no retry-after unless the fault sets one",
    provoke: 'x-mock-fault: quota',
  },
  'limits-unavailable': {
    when: 'the store of `limits.shared` does not answer, and `unavailable` is not `allow`; the message says which store, and why',
    provoke: 'any chat, with limits: { shared: redis://127.0.0.1:1, requests: 3 per minute }',
  },
  overloaded: { when: 'the fault of this name, or a full queue of the pace' },
  'unknown-fault': {
    when: 'the header `x-mock-fault` names an unknown fault or option',
    provoke: 'x-mock-fault: no-such-fault',
  },
  'impossible-fault': {
    when: 'the fault cannot apply to this response (here: it is not streamed) or to fetch; the message says what to do',
    provoke: 'x-mock-fault: missing-done',
  },
  'no-match': {
    when: 'no reply rule matches the chat, and the scenario has `unmatched: refuse`; the message names the closest rule',
    provoke: '{"messages": [{"role": "user", "content": "Hello"}]}, with one rule for user: weather',
  },
  'reply-function-failed': {
    when: 'a [reply function](scenarios.md#replies-as-functions) of a scenario in code threw, or returned no answer; the message names the rule',
    provoke: "any chat, with replies: [{ say: () => { throw new Error('boom') } }]",
  },
  'answer-too-large': {
    when: 'the answer would be larger than the limit (default: 16 MB over all choices, 100 MB for embeddings); the message says what to change',
    provoke: '`n: 128` with `top_logprobs: 20` and a message of 100 words',
  },
  'status-on-demand': {
    when: 'the fault is a status from 400 to 599 that has no fault of its own',
    provoke: 'x-mock-fault: 418',
  },
}

/** The example of an error. */
export const exampleOf = (name: ErrorName): Required<ErrorExample> => ({
  when: 'the fault of this name',
  provoke: `x-mock-fault: ${name}`,
  ...examples[name],
})
