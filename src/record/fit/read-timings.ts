/**
 * Timings of measured calls, from JSON, JSON Lines or CSV with a row for each call, from OpenTelemetry spans with GenAI
 * attributes, or from the recorded streams of a cassette.
 *
 *     ttft_s,total_ms,tokens
 *     0.2,1200,51                ->     { firstTokenMs: 200, perTokenMs: 20 }
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
 */
import { durationMs, WINDOWS } from '../../core/lib/text/duration.ts'
import { isObject, type JsonObject, objectsIn, parseJson, toList } from '../../core/lib/text/json.ts'
import { shown } from '../../core/scenario/check/problem.ts'
import type { AnswerSource, ScenarioSource } from '../../core/scenario/scenario-source.ts'

export interface CallTiming {
  /** Milliseconds until the first token. */
  readonly firstTokenMs: number
  /** Milliseconds for each token after the first; undefined for a call with less than two tokens. */
  readonly perTokenMs?: number | undefined
}

export interface Timings {
  readonly timings: readonly CallTiming[]
  /** The number of rows or spans without a time to the first token, or with times of more than a day. */
  readonly skipped: number
}

/** The columns of a row, for messages. */
const EXPECTED_ROW =
  'firstTokenMs, and perTokenMs or the pair totalMs and tokens (also first_token_ms, ttft_s, tpot_ms, inter_token_latency_s and so on)'

/** Names of columns, in lower case and without separators. */
const COLUMNS = {
  first: /^(?:firsttoken|ttft|timetofirsttoken)(?<unit>ms|s)$/,
  each: /^(?:pertoken|tpot|itl|timeperoutputtoken|intertokenlatency)(?<unit>ms|s)$/,
  total: /^(?:total|duration|latency|endtoendlatency|e2e)(?<unit>ms|s)$/,
  tokens: /^(?:tokens|outputtokens|completiontokens|numberoutputtokens)$/,
} as const

/** Attributes in seconds: the semantic conventions, vLLM and SGLang, and the metric of the same name as an attribute. */
const FIRST_TOKEN_ATTRIBUTES = [
  'gen_ai.response.time_to_first_chunk',
  'gen_ai.latency.time_to_first_token',
  'gen_ai.server.time_to_first_token',
]
const TOKEN_ATTRIBUTES = ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens']

/** @throws Error when the text is neither JSON nor CSV; the message says what is expected. */
export function readTimings(text: string): Timings {
  const values = readValues(text)
  const spans = findSpans(values)
  const rows = spans.length > 0 ? spans.map(readSpan) : values.map((row) => (isObject(row) ? readRow(row) : undefined))
  const timings = rows
    .filter((timing) => timing !== undefined)
    // A scenario accepts no duration of more than a day.
    .filter(({ firstTokenMs, perTokenMs = 0 }) => firstTokenMs <= WINDOWS.day && perTokenMs <= WINDOWS.day)
  return { timings, skipped: rows.length - timings.length }
}

/** The rows of a text, or its spans. */
function readValues(text: string): unknown[] {
  const whole = parseJson(text)
  if (whole !== undefined) return [whole].flat()
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const isJsonLines = /^\s*[[{]/.test(lines[0] ?? '')
  if (!isJsonLines) return readCsv(lines)
  return lines.map((line, index) => {
    const value = parseJson(line)
    if (value === undefined) throw new Error(`line ${index + 1} is not JSON. Expected an object on each line.`)
    return value
  })
}

/** The first line has the names. A cell in quotes is a text; a cell never contains a separator or a line break. */
function readCsv([head = '', ...lines]: readonly string[]): JsonObject[] {
  const separator = [',', ';', '\t'].find((sign) => head.includes(sign)) ?? ','
  const cellsOf = (line: string): string[] => line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
  const names = cellsOf(head)
  if (readRow(Object.fromEntries(names.map((name) => [name, 1]))) === undefined) {
    throw new Error(`expected columns ${EXPECTED_ROW}, got ${shown(names.slice(0, 8).join(', ') || undefined)}.`)
  }
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, index) => [names[index] ?? '', cell])))
}

/** Undefined for a row without a time to the first token above 0. */
function readRow(row: JsonObject): CallTiming | undefined {
  const cells: Partial<Record<keyof typeof COLUMNS, number>> = {}
  for (const [key, value] of Object.entries(row)) {
    // `inter_token_latency_s` and `interTokenLatencyS` are the same name.
    const name = key.toLowerCase().replace(/[^a-z0-9]/g, '')
    for (const [column, pattern] of Object.entries(COLUMNS)) {
      const match = pattern.exec(name)
      if (match === null || value === '') continue
      const number = Number(value) * (match.groups?.unit === 's' ? 1000 : 1)
      if (Number.isFinite(number) && number > 0) cells[column as keyof typeof COLUMNS] ??= number
    }
  }
  const { first, each, total, tokens } = cells
  return first === undefined ? undefined : { firstTokenMs: first, perTokenMs: each ?? perTokenOf(first, total, tokens) }
}

/** The mean time of the tokens after the first one. */
function perTokenOf(firstMs: number, totalMs: number | undefined, tokens: number | undefined): number | undefined {
  if (totalMs === undefined || tokens === undefined || tokens < 2 || totalMs <= firstMs) return undefined
  return (totalMs - firstMs) / (tokens - 1)
}

/** All spans in a value of OTLP/JSON: an export request, a span, or a list of either. */
function findSpans(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(findSpans)
  if (!isObject(value)) return []
  if (value.attributes !== undefined && value.startTimeUnixNano !== undefined) return [value]
  return ['resourceSpans', 'scopeSpans', 'spans'].flatMap((name) => findSpans(value[name]))
}

/** Undefined for a span that is no call of a model, or does not say when its first token came. */
function readSpan({ attributes, startTimeUnixNano: start, endTimeUnixNano: end }: JsonObject): CallTiming | undefined {
  const values = new Map<unknown, number>()
  for (const { key, value } of objectsIn(attributes)) {
    // OTLP/JSON writes whole numbers as texts.
    const number = isObject(value) ? Number(value.doubleValue ?? value.intValue) : Number.NaN
    if (Number.isFinite(number)) values.set(key, number)
  }
  const seconds = FIRST_TOKEN_ATTRIBUTES.map((name) => values.get(name)).find((value = 0) => value > 0)
  if (seconds === undefined) return undefined
  const tokens = TOKEN_ATTRIBUTES.map((name) => values.get(name)).find((value) => value !== undefined)
  // Nanoseconds since 1970 are too large for a number, so they are subtracted as whole numbers first.
  const isTimed = /^\d+$/.test(String(start)) && /^\d+$/.test(String(end))
  const totalMs = isTimed ? Number(BigInt(String(end)) - BigInt(String(start))) / 1e6 : undefined
  return { firstTokenMs: seconds * 1000, perTokenMs: perTokenOf(seconds * 1000, totalMs, tokens) }
}

/** The events of a response that carry its content. */
const CONTENT_DELTA = /^response\.(?:output_text|refusal|function_call_arguments)\.delta$/

/** The timing of each recorded stream with text. */
export function readCassette({ replies = [] }: ScenarioSource): CallTiming[] {
  const answers = replies.flatMap(({ answer }) => (answer === undefined ? [] : toList(answer)))
  return answers.flatMap((answer) => readStream(answer) ?? [])
}

/** The usage in the events of a stream counts its tokens; without it, each event with content is one token. */
function readStream({ events = [], cut }: AnswerSource): CallTiming | undefined {
  const times: number[] = []
  let tokens: number | undefined
  // An event has its data, or its whole text if that is more than one line of data.
  for (const { at, text = '', data = text.slice(text.indexOf('{')) } of events) {
    const payload = parseJson(data)
    if (!isObject(payload)) continue
    if (hasContent(payload)) times.push(durationMs(at))
    const { usage } = isObject(payload.response) ? payload.response : payload
    if (isObject(usage)) tokens = Number(usage.completion_tokens ?? usage.output_tokens)
  }
  const [firstTokenMs = 0] = times
  if (firstTokenMs <= 0) return undefined
  // The end of a broken stream is not known.
  if (cut === true) return { firstTokenMs, perTokenMs: undefined }
  return { firstTokenMs, perTokenMs: perTokenOf(firstTokenMs, times.at(-1), tokens ?? times.length) }
}

/** True if an event of a response, or a chunk of a chat, has text or a part of a tool call. */
function hasContent({ type, delta, choices }: JsonObject): boolean {
  if (typeof delta === 'string' && CONTENT_DELTA.test(String(type))) return true
  return objectsIn(choices).some(({ delta }) => {
    if (!isObject(delta)) return false
    return (typeof delta.content === 'string' && delta.content !== '') || delta.tool_calls !== undefined
  })
}
