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
  readonly text: (call: CallSummary, clock: Hello) => string
  /** The text for the pointer. Default: that of the cell. */
  readonly hint?: (call: CallSummary) => string
}

/** The columns from left to right. The status is a badge: see call-list.tsx. */
const COLUMNS: readonly ListColumn[] = [
  { name: 'number', title: 'Call', width: 58, rank: 2, isNumber: true, text: ({ number }) => String(number) },
  { name: 'time', title: 'Time', width: 112, rank: 7, text: timeText },
  { name: 'status', title: 'Status', width: 102, text: () => '' },
  { name: 'prompt', title: 'Prompt', width: 170, share: 3, text: ({ prompt }) => prompt },
  { name: 'model', title: 'Model', width: 118, rank: 4, text: ({ model }) => model },
  { name: 'matched', title: 'Matched by', width: 190, share: 2, rank: 3, text: matchedText, hint: matchedHint },
  { name: 'tokens', title: 'Tokens', width: 76, rank: 5, isNumber: true, text: tokensText, hint: tokensHint },
  { name: 'duration', title: 'Duration', width: 78, rank: 1, isNumber: true, text: durationText },
  { name: 'key', title: 'Key', width: 96, rank: 6, text: keyText, hint: keyHint },
  { name: 'endpoint', title: 'Endpoint', width: 104, rank: 8, text: ({ endpoint }) => endpoint },
]

/** `14:03:07.125`, in the user's time zone. */
function timeText({ at }: CallSummary, { now, time }: Hello): string {
  const date = new Date(time + at - now)
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

function matchedText({ reason }: CallSummary): string {
  return causeText(reason)
}

function matchedHint({ reason, state, notes }: CallSummary): string {
  const inState = state === undefined ? '' : `, in ${state}`
  return [causeText(reason) + inState, ...notes].join('\n')
}

function tokensText({ usage }: CallSummary): string {
  return usage === undefined ? '' : (usage.promptTokens + usage.completionTokens).toLocaleString('en')
}

function tokensHint({ usage }: CallSummary): string {
  return usage === undefined ? '' : `${usage.promptTokens} in, ${usage.completionTokens} out`
}

function durationText({ outcome, durationMs }: CallSummary): string {
  return outcome === 'open' ? '…' : formatMs(durationMs)
}

/** The end of a masked key: `sk-test-****ijkl` is `…ijkl`. */
function keyText({ key }: CallSummary): string {
  return key === '' ? 'none' : key.replace(/^.*\*{4}(?=.)/s, '…')
}

function keyHint({ key, session }: CallSummary): string {
  return formatOwner(key, session)
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
