/** A call as messages show it: `#3 POST /v1/chat/completions 'Hello!' -> 429 limit requests-limit`. */

import { turnReader } from '../dialects/read-turn.ts'
import { isObject } from '../lib/text/json.ts'
import { readMessages } from '../protocol/turn/turn-texts.ts'
import { quoted } from '../scenario/check/describe-values.ts'
import type { JournalEntry } from './entry.ts'

/** `#3 POST /v1/chat/completions 'Hello!' -> 429 limit requests-limit` */
export function formatCall(entry: JournalEntry): string {
  const { number, method, path, status, outcome } = entry
  const parts = [`#${number}`, method, path, formatPrompt(entry), '->', formatStatus(status), formatReason(entry)]
  if (outcome !== 'complete') parts.push(`(${outcome})`)
  return parts.filter((part) => part !== '').join(' ')
}

/** The prompt or input of a call, in quotes and shortened; '' for a call without one. */
export function formatPrompt({ body, endpoint }: JournalEntry): string {
  if (!isObject(body)) return ''
  const { messages } = turnReader(endpoint)(body)
  if (messages.length > 0) return quoted(readMessages(messages).user)
  if (endpoint === 'embeddings')
    return quoted(typeof body.input === 'string' ? body.input : (JSON.stringify(body.input) ?? ''))
  return ''
}

/** `limit requests-limit`; `echo` where both names are the same. */
export const formatReason = ({ reason: { by, name } }: JournalEntry): string => (by === name ? name : `${by} ${name}`)

/** The status; `no answer` when nothing was sent. */
export const formatStatus = (status: number): string => (status === 0 ? 'no answer' : String(status))
