/** Recorded traffic of the real service, read from beside the project. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const FILE = resolve(import.meta.dirname, '../../../shared/recorded/openai.jsonl')

/** Whether the recordings are there: they are no part of the project. */
export const hasRecordings = existsSync(FILE)

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, which tests reach into freely
export type Json = any

/** One call to the real service, and what it answered. */
export interface Recorded {
  readonly path: string
  readonly request: Json
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As it was sent: JSON, or server-sent events. */
  readonly body: string
}

/** All of them; none where they are not there. */
export function readRecordings(): Recorded[] {
  if (!hasRecordings) return []
  return readFileSync(FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
