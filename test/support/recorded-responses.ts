/** Recorded calls of /v1/responses, read from beside the project, and the rule with which a mock answers each of them alike. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ScenarioInput } from '../../src/index.ts'
import type { Json } from './recorded.ts'

const FILE = resolve(import.meta.dirname, '../../../shared/recorded-responses/calls.jsonl')

/** True if the recordings are there: they are no part of the project. */
export const hasRecordedResponses = existsSync(FILE)

export type ServerEvent = readonly [name: string, data: Json]

/** One call to the real service, and what it answered: a body or events. */
export interface RecordedResponse {
  readonly n: number
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly path: string
  /** Parts of the call that the mock does not simulate. */
  readonly scope: readonly string[]
  readonly stream: boolean
  readonly request: Json
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Json
  readonly events?: readonly ServerEvent[]
}

/** All of them; none where they are not there. */
export function readRecordedResponses(): RecordedResponse[] {
  if (!hasRecordedResponses) return []
  return readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** The response in an answer: its body, or that of the last event; undefined for an error. */
export function responseIn({ body, events }: Pick<RecordedResponse, 'body' | 'events'>): Json {
  const response = body ?? events?.at(-1)?.[1].response
  return response?.object === 'response' ? response : undefined
}

/** The events of a stream; empty for a text without any. */
export function eventsIn(stream: string): ServerEvent[] {
  return [...stream.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, name, data]) => [name!, JSON.parse(data!)])
}

type Reply = NonNullable<ScenarioInput['replies']>[number]

/** The rule that gives the recorded kind of answer: its calls, its refusal or its text. */
export function ruleFor(recorded: RecordedResponse): Reply {
  const items: Json[] = responseIn(recorded)?.output ?? []
  const input: Json = recorded.request?.input
  // A rule without this calls no tool again after a result.
  const when = Array.isArray(input) && input.at(-1)?.type === 'function_call_output' && { when: { toolResult: /^/ } }
  const calls = items.filter(({ type }) => type === 'function_call')
  if (calls.length > 0)
    return { ...when, call: calls.map(({ name, arguments: given }) => ({ name, arguments: given })) }
  const parts: Json[] = items.flatMap(({ type, content }) => (type === 'message' ? content : []))
  const refusal = parts.find(({ type }) => type === 'refusal')
  if (refusal !== undefined) return { ...when, refuse: refusal.refusal }
  // An answer without a text was cut before its first token.
  return { ...when, say: parts.map(({ text }) => text).join('') || 'word '.repeat(1000) }
}
