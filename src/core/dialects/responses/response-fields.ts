/**
 * The fields of a responses request as tables, in the order of the API reference. The table of the request is at the end;
 * before it, from the inside out: parts, messages, items, tools.
 */

import { isMissing, isObject, type JsonObject } from '../../lib/text/json.ts'
import { apiError } from '../../protocol/errors/error-catalogue.ts'
import {
  anyObject,
  anything,
  arrayOf,
  boolean,
  type Check,
  decimal,
  either,
  type Fields,
  integer,
  METADATA,
  object,
  oneOf,
  required,
  text,
  variant,
} from '../../protocol/request/field-checks.ts'
import { itemType } from './read-responses.ts'

/** A check with a second question, asked about values in which it finds no problem. */
const andThen = (check: Check, problem: NonNullable<Check['problem']>): Check => ({
  ...check,
  problem: (value, path) => check.problem?.(value, path) ?? problem(value, path),
})

/** An id with the prefix of its item's type: `msg_1`. */
const idOf = (prefix: string): Check =>
  andThen(text({ max: 64 }), (value, path) => {
    const got = value as string
    if (!/^[\w-]*$/.test(got)) return apiError('id-characters', { path, got })
    return got.startsWith(prefix) ? undefined : apiError('id-prefix', { path, got, prefix })
  })

/** Like `variant`, but for an unknown shape the service names the path of the object, not that of the field `by`. */
function shapes(by: string, fields: Readonly<Record<string, Fields>>): Check {
  const check = variant(by, fields)
  const allowed = Object.keys(fields)
  return {
    ...check,
    problem: (value, path) => {
      const got = (value as JsonObject)[by]
      const isUnknown = typeof got === 'string' && !allowed.includes(got)
      return isUnknown ? apiError('invalid-value', { path, got, allowed }) : check.problem?.(value, path)
    },
  }
}

/**
 * A check that leaves unknown keys alone in an object that is nested as in a chat, so that its missing name is reported, as
 * the service does: `{ type: 'function', function: { name: 'f' } }`.
 */
const nameFirst = (check: Check): Check => ({
  ...check,
  unknownIn: (value, path, tolerated) => {
    const { name, function: nestedFunction, json_schema: nestedSchema } = value as JsonObject
    const isNested = isMissing(name) && !isMissing(nestedFunction ?? nestedSchema)
    return isNested ? undefined : check.unknownIn?.(value, path, tolerated)
  },
})

const callId = required(text({ min: 1, max: 64 }))
const declaredName = required(text({ min: 1, max: 64, pattern: /^[a-zA-Z0-9_-]+$/ }))
const status = oneOf('in_progress', 'completed', 'incomplete')
const imageUrl: Check = { ...text(), expected: 'an image URL' }
const detail = oneOf('auto', 'low', 'high', 'original')
const breakpoint = object({ mode: required(oneOf('explicit')), ttl: oneOf('30m', '12h') })

/** Types of parts that the service knows and this mock does not simulate. */
export const OTHER_PARTS = ['input_audio', 'computer_screenshot', 'summary_text', 'encrypted_content']

const outputText = { text: required(text()), annotations: arrayOf(anyObject, 'objects'), logprobs: anything }
const refusal = { refusal: required(text()) }
// In the order in which the service lists them.
const anyInputPart = variant('type', {
  input_text: { text: required(text()), prompt_cache_breakpoint: breakpoint },
  input_image: { image_url: imageUrl, file_id: text(), detail, prompt_cache_breakpoint: breakpoint },
  input_audio: {},
  output_text: outputText,
  refusal,
  input_file: {
    file_data: text(),
    file_id: text(),
    file_url: text(),
    filename: text(),
    detail,
    prompt_cache_breakpoint: breakpoint,
  },
  computer_screenshot: {},
  summary_text: {},
  encrypted_content: {},
})
const inputPart = andThen(anyInputPart, (value, path) => {
  const { type, image_url: url, file_id: id } = value as JsonObject
  const isEmpty = type === 'input_image' && isMissing(url) && isMissing(id)
  return isEmpty ? apiError('missing-parameter', { path: `${path}.image_url` }) : undefined
})
const partsOrText = (part: Check): Check => required(either(arrayOf(part, 'objects'), text()))

const messageFields = { type: anything, id: idOf('msg'), status, phase: oneOf('commentary', 'final_answer') }
const inputMessage = { ...messageFields, content: partsOrText(inputPart) }
const outputMessage = { ...messageFields, content: partsOrText(shapes('type', { output_text: outputText, refusal })) }
/** A message with the type `message`, or without a type. */
const message = shapes('role', {
  assistant: outputMessage,
  system: inputMessage,
  developer: inputMessage,
  user: inputMessage,
})

const summary = variant('type', { summary_text: { text: required(text()) } })
const reasoningText = variant('type', { reasoning_text: { text: required(text()) } })
const typedItems: Readonly<Record<string, Fields>> = {
  message: {},
  function_call: {
    id: idOf('fc'),
    call_id: callId,
    name: declaredName,
    arguments: required(text()),
    status,
    namespace: text(),
    caller: anything,
    async: boolean,
  },
  function_call_output: {
    id: text({ max: 64 }),
    call_id: callId,
    output: partsOrText(inputPart),
    status,
    caller: anything,
  },
  reasoning: {
    id: idOf('rs'),
    summary: required(arrayOf(summary, 'objects')),
    encrypted_content: text(),
    content: arrayOf(reasoningText, 'objects'),
  },
  item_reference: {},
}
/** A reference to a stored item. Its type may be left out. */
const reference = object({ type: anything, id: required(text({ min: 1 })) })
/** Types of items that the service knows and this mock does not simulate. */
export const OTHER_ITEMS = (
  'additional_tools apply_patch_call apply_patch_call_output code_interpreter_call compaction computer_call ' +
  'computer_call_output configuration_update custom_tool_call custom_tool_call_output file_search_call image_generation_call ' +
  'local_shell_call local_shell_call_output mcp_approval_request mcp_approval_response mcp_call mcp_list_tools program ' +
  'program_output shell_call shell_call_output tool_search_call tool_search_output web_search_call'
).split(' ')
/** An item that is neither a message nor a reference. Those two are in the list of types that an error names. */
const typedItem = variant(
  'type',
  { ...typedItems, ...Object.fromEntries(OTHER_ITEMS.map((name) => [name, {}])) },
  OTHER_ITEMS,
)

/** The check of an item, by its type. */
function itemCheck(value: unknown): Check {
  const type = itemType(value as JsonObject)
  if (type === 'message') return message
  return type === 'item_reference' ? reference : typedItem
}
const item: Check = {
  expected: 'an object',
  parts: { checks: [message, reference, typedItem] },
  accepts: isObject,
  problem: (value, path) => itemCheck(value).problem?.(value, path),
  unknownIn: (value, path, tolerated) => itemCheck(value).unknownIn?.(value, path, tolerated),
}

/** Types of tools that the service knows and this mock does not simulate. */
export const OTHER_TOOLS = (
  'apply_patch code_interpreter computer computer_use computer_use_preview custom file_search image_generation ' +
  'local_shell mcp namespace programmatic_tool_calling shell tool_search web_search web_search_2025_08_26 ' +
  'web_search_preview web_search_preview_2025_03_11'
).split(' ')
const tool = nameFirst(
  variant(
    'type',
    {
      function: {
        name: declaredName,
        description: text(),
        parameters: anyObject,
        strict: boolean,
        output_schema: anyObject,
        defer_loading: boolean,
        allowed_callers: anything,
        async: boolean,
      },
      ...Object.fromEntries(OTHER_TOOLS.map((name) => [name, {}])),
    },
    OTHER_TOOLS,
  ),
)
const choice = nameFirst(
  variant('type', {
    function: { name: required(text({ min: 1 })) },
    allowed_tools: {
      mode: required(oneOf('auto', 'required')),
      tools: required(arrayOf(anyObject, 'objects')),
    },
  }),
)
const format = nameFirst(
  variant('type', {
    json_object: {},
    json_schema: { name: declaredName, schema: required(anyObject), strict: boolean, description: text() },
    text: {},
  }),
)

const includable = oneOf(
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'reasoning.encrypted_content',
  'message.output_text.logprobs',
)
const summaryKind = oneOf('auto', 'concise', 'detailed')

/** Fields that the service knows and this mock does not simulate. */
export const OTHER_FIELDS = 'background conversation prompt context_management moderation image access_programs'.split(
  ' ',
)

/** The fields that are checked in order. The model is checked apart. */
export const CHECKED_RESPONSES_FIELDS = object({
  input: either(arrayOf(item, 'objects'), text()),
  instructions: text(),
  stream: boolean,
  stream_options: object({ include_obfuscation: boolean }),
  store: boolean,
  previous_response_id: idOf('resp'),
  metadata: METADATA,
  temperature: decimal({ min: 0, max: 2 }),
  top_p: decimal({ min: 0, max: 1 }),
  top_logprobs: integer({ min: 0, max: 20 }),
  max_output_tokens: integer({ min: 16 }),
  max_tool_calls: integer({ min: 1 }),
  parallel_tool_calls: boolean,
  truncation: oneOf('auto', 'disabled'),
  text: object({ format, verbosity: oneOf('low', 'medium', 'high') }),
  reasoning: object({
    effort: oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
    summary: summaryKind,
    context: oneOf('auto', 'current_turn', 'all_turns'),
    mode: oneOf('standard', 'pro'),
    generate_summary: summaryKind,
  }),
  include: arrayOf(includable, 'strings'),
  tools: arrayOf(tool, 'objects', { max: 128 }),
  tool_choice: either(oneOf('none', 'auto', 'required'), choice),
  service_tier: oneOf('auto', 'default', 'flex', 'priority'),
  prompt_cache_key: text({ max: 64 }),
  prompt_cache_retention: oneOf('in_memory', '24h'),
  prompt_cache_options: object({
    mode: oneOf('implicit', 'explicit'),
    ttl: oneOf('30m'),
    comparison_response_id: text(),
    prewarm: anything,
  }),
  safety_identifier: text({ max: 128 }),
  user: text(),
  ...Object.fromEntries(OTHER_FIELDS.map((name) => [name, anything])),
})

/** Every field that the service knows. */
export const RESPONSES_FIELDS = object({ model: text(), ...CHECKED_RESPONSES_FIELDS.fields })
