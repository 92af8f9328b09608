/** The columns of the list of calls: a table with the text of each for a call, and which of them fit into a width. */
import type { CallSummary } from '../../core/journal/call-details.ts'
import type { Hello } from '../../server/index.ts'
import { formatMs, formatOwner } from '../parts/format.ts'
import { causeText } from './list-filter.ts'

export interface ListColumn {
  readonly name: string
  readonly title: string
  /** Width in pixels; the minimum width of a column with a share. */
  readonly width: number
  /** The share of the free width that it takes. Default: none. */
  readonly share?: number
  /** The order in which columns are added as the list gets wider. Default: 0, always shown. */
  readonly rank?: number
  /** Numbers are aligned at their end. */
  readonly isNumber?: boolean
}

/** The columns from left to right. */
const COLUMNS: readonly ListColumn[] = [
  { name: 'number', title: 'Call', width: 58, rank: 2, isNumber: true },
  { name: 'time', title: 'Time', width: 112, rank: 7 },
  { name: 'status', title: 'Status', width: 102 },
  { name: 'prompt', title: 'Prompt', width: 170, share: 3 },
  { name: 'model', title: 'Model', width: 118, rank: 4 },
  { name: 'matched', title: 'Matched by', width: 190, share: 2, rank: 3 },
  { name: 'tokens', title: 'Tokens', width: 76, rank: 5, isNumber: true },
  { name: 'duration', title: 'Duration', width: 78, rank: 1, isNumber: true },
  { name: 'key', title: 'Key', width: 96, rank: 6 },
  { name: 'endpoint', title: 'Endpoint', width: 104, rank: 8 },
]

/** The texts of a call by column, and those for the pointer. The status is a badge: see call-list.tsx. */
export function describeCells(call: CallSummary, { now, time }: Hello) {
  const { number, at, prompt, model, reason, state, notes, usage, outcome, durationMs, key, session, endpoint } = call
  const date = new Date(time + at - now)
  const matched = causeText(reason)
  const texts: Readonly<Record<string, string>> = {
    number: String(number),
    // `14:03:07.125`, in the user's time zone.
    time: `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`,
    prompt,
    model,
    matched,
    tokens: usage === undefined ? '' : (usage.promptTokens + usage.completionTokens).toLocaleString('en'),
    duration: outcome === 'open' ? '…' : formatMs(durationMs),
    // `sk-test-****ijkl` is `…ijkl`.
    key: key === '' ? 'none' : key.replace(/^.*\*{4}(?=.)/s, '…'),
    endpoint,
  }
  const inState = state === undefined ? '' : `, in ${state}`
  const hints: typeof texts = {
    ...texts,
    matched: [matched + inState, ...notes].join('\n'),
    tokens: usage === undefined ? '' : `${usage.promptTokens} in, ${usage.completionTokens} out`,
    key: formatOwner(key, session),
  }
  return { texts, hints }
}

/** Width in pixels that the other columns leave for the prompt. */
const PROMPT_WIDTH = 200

/** The columns that fit into a width in pixels, from left to right. */
export function chooseColumns(width: number): readonly ListColumn[] {
  /** The width of all columns up to a rank. */
  const neededWidth = (maxRank: number): number => {
    const others = COLUMNS.filter(({ name, rank = 0 }) => name !== 'prompt' && rank <= maxRank)
    return others.reduce((sum, { width }) => sum + width, PROMPT_WIDTH)
  }
  return COLUMNS.filter(({ rank = 0 }) => rank === 0 || width >= neededWidth(rank))
}

/** The columns as `grid-template-columns`: `102px minmax(170px, 3fr)`. */
export const gridTemplate = (columns: readonly ListColumn[]): string =>
  columns.map(({ width, share }) => (share === undefined ? `${width}px` : `minmax(${width}px, ${share}fr)`)).join(' ')
