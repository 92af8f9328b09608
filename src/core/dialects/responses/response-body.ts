/**
 * Writes a response as the JSON that a whole answer is, and that the first and last events of a stream hold:
 *
 *     id, object, created_at, status, background, billing,
 *     completed_at, error, frequency_penalty, incomplete_details,
 *     instructions ... moderation,                 `beforeOutput` of the frame
 *     output,
 *     parallel_tool_calls ... safety_identifier,   `afterOutput`
 *     service_tier,
 *     store ... truncation,                        `beforeUsage`
 *     usage,
 *     user, metadata                               `end`
 */

import { isMissing, isObject, type JsonObject, objectsIn } from '../../lib/text/json.ts'
import type { Part } from '../../protocol/plan/text-parts.ts'
import type { Reply, ReplyUsage } from '../../protocol/turn/reply.ts'
import { isUnfinished, type ResponseOutput } from './response-items.ts'

/** The settings of a model that show in its responses. */
export interface ModelFacts {
  /** The name in answers. */
  readonly name: string
  readonly isReasoning: boolean
  /** The effort of a request without one. */
  readonly effort: string
  readonly topP: number
  readonly retention: string
  readonly context: string
}

/** The fields of a response that are known before its reply, each as JSON. */
export interface ResponseFrame extends Readonly<ReturnType<typeof echoRequest>> {
  readonly createdAt: number
  /** The tier that the request asks for, which the first events name. */
  readonly askedTier: string
  /** The tier that answers. */
  readonly serviceTier: string
  readonly output: ResponseOutput
}

/** The seconds between `created_at` and `completed_at`. */
const SECONDS_TO_COMPLETE = 1

/**
 * The JSON of a response.
 * @param reply undefined in the first events of a stream.
 * @param isStreamed true in all events of a stream, which do not say who pays.
 */
export function responseParts(frame: ResponseFrame, reply: Reply | undefined, { isStreamed = false } = {}): Part[] {
  const { createdAt, output, beforeOutput, afterOutput, beforeUsage, end } = frame
  const { status, completedAt, incompleteDetails, items, serviceTier, usage } =
    reply === undefined ? startedFields(frame) : finishedFields(frame, reply)
  const billing = isStreamed ? '' : '"billing":{"payer":"developer"},'
  const parts: Part[] = [
    `{"id":"${output.id}","object":"response","created_at":${createdAt},"status":"${status}","background":false,${billing}` +
      `"completed_at":${completedAt},"error":null,"frequency_penalty":0.0,` +
      `"incomplete_details":${incompleteDetails},${beforeOutput},"output":[`,
  ]
  for (const [index, { json }] of items.entries()) parts.push(index === 0 ? '' : ',', ...json)
  parts.push(`],${afterOutput},"service_tier":"${serviceTier}",${beforeUsage},"usage":${usage},${end}}`)
  return parts
}

/** The fields of a response that has no reply yet. */
const startedFields = ({ askedTier }: ResponseFrame) => ({
  status: 'in_progress',
  completedAt: null,
  incompleteDetails: 'null',
  items: [],
  serviceTier: askedTier,
  usage: 'null',
})

/** The same fields with its reply. */
function finishedFields({ createdAt, output, serviceTier }: ResponseFrame, reply: Reply) {
  const ended = { items: output.items, serviceTier, usage: usageJson(reply.usage) }
  if (!isUnfinished(reply)) {
    return { ...ended, status: 'completed', completedAt: createdAt + SECONDS_TO_COMPLETE, incompleteDetails: 'null' }
  }
  const reason = reply.finishReason === 'length' ? 'max_output_tokens' : 'content_filter'
  return { ...ended, status: 'incomplete', completedAt: null, incompleteDetails: `{"reason":"${reason}"}` }
}

const usageJson = ({ prompt, completion, total, reasoning, cache, written }: ReplyUsage): string =>
  `{"input_tokens":${prompt},"input_tokens_details":{"cache_write_tokens":${written ?? 0},"cached_tokens":${cache?.cachedTokens ?? 0}},` +
  `"output_tokens":${completion},"output_tokens_details":{"reasoning_tokens":${reasoning}},"total_tokens":${total}}`

const TOOL_USAGE = JSON.stringify({
  image_gen: {
    input_tokens: 0,
    input_tokens_details: { image_tokens: 0, text_tokens: 0 },
    output_tokens: 0,
    output_tokens_details: { image_tokens: 0, text_tokens: 0 },
    total_tokens: 0,
  },
  web_search: { num_requests: 0 },
})

/**
 * The fields that echo the request, with the defaults of the service for those that it leaves out. Written field by field:
 * most are absent, and the JSON of objects took five times as long.
 */
export function echoRequest(body: JsonObject, model: ModelFacts) {
  const { prompt_cache_options: options, tools } = body
  const cacheOptions = isObject(options)
    ? `"prompt_cache_options":${JSON.stringify({ mode: 'implicit', ttl: '30m', ...options })},`
    : ''
  return {
    /** The fields from `instructions` to `moderation`. */
    beforeOutput:
      `"instructions":${json(body.instructions)},"max_output_tokens":${json(body.max_output_tokens)},` +
      `"max_tool_calls":${json(body.max_tool_calls)},"model":${JSON.stringify(model.name)},"moderation":null`,
    /** The fields from `parallel_tool_calls` to `safety_identifier`. */
    afterOutput:
      `"parallel_tool_calls":${json(body.parallel_tool_calls, 'true')},"presence_penalty":0.0,` +
      `"previous_response_id":${json(body.previous_response_id)},"prompt_cache_key":${json(body.prompt_cache_key)},` +
      `${cacheOptions}"prompt_cache_retention":${json(body.prompt_cache_retention, `"${model.retention}"`)},` +
      `"reasoning":${echoReasoning(body.reasoning, model)},"safety_identifier":${json(body.safety_identifier)}`,
    /** The fields from `store` to `truncation`. */
    beforeUsage:
      `"store":${json(body.store, 'true')},"temperature":${decimal(body.temperature ?? 1)},"text":${echoText(body.text)},` +
      `"tool_choice":${json(body.tool_choice, '"auto"')},"tool_usage":${TOOL_USAGE},` +
      `"tools":${tools === undefined ? '[]' : JSON.stringify(objectsIn(tools).map(echoTool))},` +
      `"top_logprobs":${json(body.top_logprobs, '0')},"top_p":${decimal(body.top_p ?? model.topP)},` +
      `"truncation":${json(body.truncation, '"disabled"')}`,
    /** The fields after `usage`. */
    end: `"user":${json(body.user)},"metadata":${json(body.metadata, '{}')}`,
  }
}

/** The JSON of a field, or the JSON that stands for a missing one. */
const json = (value: unknown, otherwise = 'null'): string => (isMissing(value) ? otherwise : JSON.stringify(value))

/** A number as the service writes those with decimals: 1.0. */
const decimal = (value: unknown): string => (Number.isInteger(value) ? `${value}.0` : JSON.stringify(value))

function echoReasoning(given: unknown, { isReasoning, effort, context }: ModelFacts): string {
  const asked = isObject(given) ? given : {}
  const summary = asked.summary === 'auto' ? '"detailed"' : json(asked.summary)
  if (!isReasoning) return `{"context":null,"effort":null,"summary":${summary}}`
  return (
    `{"context":${json(asked.context, `"${context}"`)},"effort":${json(asked.effort, `"${effort}"`)},` +
    `"mode":${json(asked.mode, '"standard"')},"summary":${summary}}`
  )
}

function echoText(given: unknown): string {
  const text = isObject(given) ? given : {}
  const { type, name, schema, strict, description } = isObject(text.format) ? text.format : PLAIN
  const isSchema = type === 'json_schema'
  const format = isSchema ? { type, description: description ?? null, name, schema, strict: strict ?? false } : { type }
  return `{"format":${JSON.stringify(format)},"verbosity":${json(text.verbosity, '"medium"')}}`
}

const PLAIN: JsonObject = { type: 'text' }

/** A function is strict unless it says otherwise. A hosted tool (only a rule with `items` lets one through) is echoed as it is. */
function echoTool(tool: JsonObject): JsonObject {
  const { type, name, description, parameters = null, strict = true } = tool
  if (type !== 'function') return tool
  return {
    type,
    description: description || null,
    name,
    output_schema: null,
    parameters: strict === true ? closeObjects(parameters) : parameters,
    strict: strict ?? false,
  }
}

/** A schema of more levels stays as it is below them. */
const MAX_LEVELS = 100

/** Keywords whose values are no schemas, and those whose values are schemas by name. */
const NOT_SCHEMAS: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'required'])
const SCHEMAS_BY_NAME: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])

/** A schema without further properties in any of its objects, as the service echoes a strict one. */
function closeObjects(schema: unknown, level = 0): unknown {
  if (typeof schema !== 'object' || schema === null || level > MAX_LEVELS) return schema
  const close = (value: unknown): unknown => closeObjects(value, level + 1)
  if (!isObject(schema)) return (schema as readonly unknown[]).map(close)
  const fields = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (NOT_SCHEMAS.has(key)) return [key, value]
    if (!SCHEMAS_BY_NAME.has(key) || !isObject(value)) return [key, close(value)]
    return [key, Object.fromEntries(Object.entries(value).map(([name, property]) => [name, close(property)]))]
  })
  if (isObject(schema.properties) && schema.additionalProperties === undefined)
    fields.push(['additionalProperties', false])
  return Object.fromEntries(fields)
}
