/**
 * The fields of a chat request as tables, in the order in which the real service checks them. The table of the request is
 * at the end; before it, from the inside out: tools, parts, messages, formats, choices.
 */

import { AUDIO_FORMATS } from '../../lib/audio/audio-formats.ts'
import { isObject } from '../../lib/text/json.ts'
import { apiError } from '../../protocol/errors/error-catalogue.ts'
import {
  anyObject,
  anything,
  arrayOf,
  boolean,
  decimal,
  dictionary,
  either,
  integer,
  METADATA,
  object,
  oneOf,
  required,
  text,
  variant,
} from '../../protocol/request/field-checks.ts'

/** The name of something that the request declares elsewhere, and an id. */
const name = text({ min: 1 })
const declaredName = text({ min: 1, max: 64, pattern: /^[a-zA-Z0-9_-]+$/ })
const functionFields = { name: required(declaredName), description: text(), parameters: anyObject }
const grammar = object({ definition: required(text()), syntax: required(oneOf('lark', 'regex')) })
const customDeclaration = object({
  name: required(declaredName),
  description: text(),
  format: variant('type', { text: {}, grammar: { grammar: required(grammar) } }),
})
const namedFunction = object({ name: required(name) })
// The official client sends answers back with what it has parsed, and the service lets it pass.
const calledFunction = object({ name: required(name), arguments: required(text()), parsed_arguments: anything })
const calledCustom = object({ name: required(name), input: required(text()) })
// Unknown keys of a function and around it are ignored, so that agents may keep settings of their own there.
const tool = variant(
  'type',
  {
    function: { function: required(object({ ...functionFields, strict: boolean }, { isOpen: true })) },
    custom: { custom: required(customDeclaration) },
  },
  ['function', 'custom'],
)
const toolCall = variant('type', {
  function: { id: required(name), function: required(calledFunction) },
  custom: { id: required(name), custom: required(calledCustom) },
})

const breakpoint = object({ mode: required(oneOf('explicit')), ttl: oneOf('30m', '12h') })
const textPart = { text: required(text()), prompt_cache_breakpoint: breakpoint }
const partShapes = {
  text: textPart,
  image_url: {
    image_url: required(object({ url: required(text()), detail: oneOf('auto', 'low', 'high', 'original') })),
    prompt_cache_breakpoint: breakpoint,
  },
  input_audio: {
    input_audio: required(object({ data: required(text()), format: required(oneOf('wav', 'mp3')) })),
    prompt_cache_breakpoint: breakpoint,
  },
  refusal: { refusal: required(text()) },
  audio: { audio: anything },
  file: {
    file: required(object({ file_data: text(), file_id: text(), filename: text() })),
    prompt_cache_breakpoint: breakpoint,
  },
}
const content = either(text(), arrayOf(variant('type', partShapes), 'objects'))
// `cache_control`, which gateways of other services send in a system message, is ignored there and refused in others.
const openContent = either(text(), arrayOf(variant('type', partShapes, Object.keys(partShapes)), 'objects'))
const predictedContent = either(text(), arrayOf(variant('type', { text: textPart }), 'objects'))

const authorName = text({ pattern: /^[^\s<|\\/>]+$/ })

const messageShapes = {
  system: { content: openContent, name: authorName },
  assistant: {
    content: openContent,
    refusal: text(),
    name: authorName,
    audio: object({ id: required(text()) }),
    tool_calls: arrayOf(toolCall, 'objects', { min: 1 }),
    function_call: calledFunction,
    annotations: arrayOf(anyObject, 'objects'),
    parsed: anything,
  },
  user: { content, name: authorName },
  function: { content: openContent, name: required(name) },
  // LangChain sends the name of the tool too.
  tool: { content: openContent, tool_call_id: required(name), name: authorName },
  developer: { content: required(content), name: authorName },
}
// The order of the roles is the one in which the service lists them.
const message = variant('role', messageShapes, ['assistant', 'function', 'tool'])

const jsonSchema = { name: required(declaredName), description: text(), schema: anyObject, strict: boolean }
const responseFormat = variant('type', {
  json_object: {},
  json_schema: { json_schema: required(object(jsonSchema)) },
  text: {},
})

const allowedTools = object({
  mode: required(oneOf('auto', 'required')),
  tools: required(arrayOf(anyObject, 'objects')),
})
const choiceShapes = {
  function: { function: required(namedFunction) },
  allowed_tools: { allowed_tools: required(allowedTools) },
  custom: { custom: required(namedFunction) },
}
const namedChoice = variant('type', choiceShapes, Object.keys(choiceShapes))
const toolChoice = either(oneOf('none', 'auto', 'required'), {
  ...namedChoice,
  // For any other type than these two, the service asks for the function first.
  problem: (value, path) =>
    isObject(value) && value.function === undefined && !['allowed_tools', 'custom'].includes(value.type as string)
      ? apiError('missing-parameter', { path: `${path}.function` })
      : namedChoice.problem?.(value, path),
})

const moderationPolicy = object({ mode: required(oneOf('score', 'block')) })
const approximateLocation = object({ city: text(), country: text(), region: text(), timezone: text() })
const penalty = decimal({ min: -2, max: 2 })

/** The fields but the model, which is checked apart, in the service's order; fields it checks in no known order come last. */
export const CHECKED_CHAT_FIELDS = object({
  messages: required(arrayOf(message, 'objects', { min: 1 })),
  functions: arrayOf(object(functionFields), 'objects', { min: 1, max: 128 }),
  function_call: either(oneOf('none', 'auto'), namedFunction),
  tools: arrayOf(tool, 'objects', { min: 1, max: 128 }),
  tool_choice: toolChoice,
  parallel_tool_calls: boolean,
  max_completion_tokens: integer({ min: 1 }),
  n: integer({ min: 1, max: 128 }),
  temperature: decimal({ min: 0, max: 2 }),
  top_p: decimal({ min: 0, max: 1 }),
  presence_penalty: penalty,
  frequency_penalty: penalty,
  logprobs: boolean,
  top_logprobs: integer({ min: 0, max: 20 }),
  user: text(),
  seed: integer({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  moderation: object({
    model: required(text()),
    policy: object({ input: moderationPolicy, output: moderationPolicy }),
  }),
  safety_identifier: text({ max: 128 }),
  prompt_cache_options: object({ mode: oneOf('implicit', 'explicit'), ttl: oneOf('30m') }),
  prompt_cache_key: text(),
  prompt_cache_retention: oneOf('in_memory', '24h'),
  response_format: responseFormat,
  service_tier: oneOf('auto', 'default', 'fast', 'flex', 'priority'),
  max_tokens: integer({ min: 1 }),
  reasoning_effort: oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
  logit_bias: dictionary(decimal({ min: -100, max: 100 }), { maxKeys: 1024, maxKeyLength: 16 }),
  stop: either(text(), arrayOf(text(), 'strings', { max: 4 })),
  stream: boolean,
  stream_options: object({ include_usage: boolean, include_obfuscation: boolean }),
  store: boolean,
  metadata: METADATA,
  prediction: variant('type', { content: { content: required(predictedContent) } }),
  verbosity: oneOf('low', 'medium', 'high'),
  modalities: arrayOf(oneOf('text', 'audio'), 'strings'),
  audio: object({
    format: required(oneOf(...Object.keys(AUDIO_FORMATS))),
    voice: required(either(text(), object({ id: required(text()) }))),
  }),
  web_search_options: object({
    search_context_size: oneOf('low', 'medium', 'high'),
    user_location: object({ type: required(oneOf('approximate')), approximate: required(approximateLocation) }),
  }),
})

/** Every field that the service knows. */
export const CHAT_FIELDS = object({ model: text(), ...CHECKED_CHAT_FIELDS.fields })
