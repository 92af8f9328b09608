/** The columns of the list of calls, their texts, and which of them fit into a width. */
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
  /** The width of the list from which it is shown. Default: always. */
  readonly from?: number
  /** Numbers are aligned at their end. */
  readonly isNumber?: boolean
}

type ColumnName = keyof ReturnType<typeof columnTexts>

/** The columns from left to right. The more important ones are shown first, and always leave 200 pixels for the prompt. */
const COLUMNS: readonly ListColumn[] = [
  { name: 'number', title: 'Call', width: 58, from: 438, isNumber: true },
  { name: 'time', title: 'Time', width: 112, from: 1030 },
  { name: 'status', title: 'Status', width: 102 },
  { name: 'prompt', title: 'Prompt', width: 170, share: 3 },
  { name: 'model', title: 'Model', width: 118, from: 746 },
  { name: 'matched', title: 'Matched by', width: 190, share: 2, from: 628 },
  { name: 'tokens', title: 'Tokens', width: 76, from: 822, isNumber: true },
  { name: 'duration', title: 'Duration', width: 78, from: 380, isNumber: true },
  { name: 'key', title: 'Key', width: 96, from: 918 },
  { name: 'endpoint', title: 'Endpoint', width: 104, from: 1134 },
]

/** The columns that fit into a width in pixels, from left to right. */
export const chooseColumns = (width: number): readonly ListColumn[] => COLUMNS.filter(({ from = 0 }) => width >= from)

/** The columns as `grid-template-columns`. */
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
