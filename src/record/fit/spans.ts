/**
 * Timings from OpenTelemetry spans with GenAI attributes, as OTLP/JSON has them.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
import { isObject, type JsonObject } from '../../core/lib/text/json.ts'
import { type CallTiming, perTokenOf } from './call-timing.ts'

/** In seconds: the semantic conventions, vLLM and SGLang, and the metric of the same name as an attribute. */
const FIRST_TOKEN = [
  'gen_ai.response.time_to_first_chunk',
  'gen_ai.latency.time_to_first_token',
  'gen_ai.server.time_to_first_token',
]
const TOKENS = ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens']

/** All spans in a value of OTLP/JSON: an export request, a span, or a list of either. */
export function findSpans(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(findSpans)
  if (!isObject(value)) return []
  if (value.attributes !== undefined && value.startTimeUnixNano !== undefined) return [value]
  return ['resourceSpans', 'scopeSpans', 'spans'].flatMap((name) => findSpans(value[name]))
}

/** Undefined for a span that is no call of a model, or does not say when its first token came. */
export function readSpan({ attributes, startTimeUnixNano, endTimeUnixNano }: JsonObject): CallTiming | undefined {
  const values = readAttributes(attributes)
  const seconds = FIRST_TOKEN.map((name) => values.get(name)).find((value) => value !== undefined && value > 0)
  if (seconds === undefined) return undefined
  const tokens = TOKENS.map((name) => values.get(name)).find((value) => value !== undefined)
  const firstTokenMs = seconds * 1000
  return { firstTokenMs, perTokenMs: perTokenOf(firstTokenMs, spanMs(startTimeUnixNano, endTimeUnixNano), tokens) }
}

/** Nanoseconds since 1970 are too large for a number, so they are subtracted as whole numbers first. */
function spanMs(start: unknown, end: unknown): number | undefined {
  if (!/^\d+$/.test(String(start)) || !/^\d+$/.test(String(end))) return undefined
  return Number(BigInt(String(end)) - BigInt(String(start))) / 1e6
}

/** The attributes that are numbers. OTLP/JSON writes whole numbers as texts. */
function readAttributes(attributes: unknown): Map<string, number> {
  const values = new Map<string, number>()
  for (const attribute of Array.isArray(attributes) ? attributes : []) {
    if (!isObject(attribute) || !isObject(attribute.value)) continue
    const { doubleValue, intValue } = attribute.value
    const value = Number(doubleValue ?? intValue)
    if (Number.isFinite(value)) values.set(String(attribute.key), value)
  }
  return values
}
