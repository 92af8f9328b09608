/** The columns of the list of calls: which of them fit into a width, and their texts for a call. */
import type { CallSummary } from '../../core/journal/call-details.ts'
import type { Hello } from '../../server/index.ts'
import { formatMs, formatTimeOfDay, tailOfKey } from '../parts/format.ts'
import { causeText } from './list-filter.ts'

interface ListColumn {
  readonly name: ColumnName
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

type ColumnName = keyof ReturnType<typeof columnTexts>

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

/** Width in pixels that the other columns leave for the prompt. */
const PROMPT_WIDTH = 200

/** The columns that fit into a width in pixels, from left to right. */
export function chooseColumns(width: number): readonly ListColumn[] {
  const widthUpTo = (last: number): number => {
    const others = COLUMNS.filter(({ name, rank = 0 }) => name !== 'prompt' && rank <= last)
    return others.reduce((sum, { width }) => sum + width, PROMPT_WIDTH)
  }
  return COLUMNS.filter(({ rank = 0 }) => rank === 0 || width >= widthUpTo(rank))
}

/** The columns as `grid-template-columns`: `102px minmax(170px, 3fr)`. */
export const gridTemplate = (columns: readonly ListColumn[]): string =>
  columns.map(({ width, share }) => (share === undefined ? `${width}px` : `minmax(${width}px, ${share}fr)`)).join(' ')

/** The texts of a row. The badge of the status is no text. */
export function columnTexts(call: CallSummary, clock: Hello) {
  const { usage } = call
  return {
    number: String(call.number),
    time: formatTimeOfDay(call.at, clock),
    status: '',
    prompt: call.prompt,
    model: call.model,
    matched: causeText(call.reason),
    tokens: usage === undefined ? '' : (usage.promptTokens + usage.completionTokens).toLocaleString('en'),
    duration: call.outcome === 'open' ? '…' : formatMs(call.durationMs),
    key: tailOfKey(call.key),
    endpoint: call.endpoint,
  }
}

/** The texts for the pointer, where they say more than the row. */
export function columnHints(call: CallSummary): Partial<Record<ColumnName, string>> {
  const { reason, state, notes, key, session, usage } = call
  return {
    matched: [`${causeText(reason)}${state === undefined ? '' : `, in ${state}`}`, ...notes].join('\n'),
    ...(usage !== undefined && { tokens: `${usage.promptTokens} in, ${usage.completionTokens} out` }),
    key: session === undefined ? key : `${key}, session ${session}`,
  }
}
