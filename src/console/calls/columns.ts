/** The columns of the list of calls: which of them fit into a width, by importance. */

export interface Column {
  readonly name:
    | 'status'
    | 'prompt'
    | 'model'
    | 'matched'
    | 'tokens'
    | 'duration'
    | 'key'
    | 'number'
    | 'time'
    | 'endpoint'
  readonly title: string
  /** In pixels; the prompt takes what is left, and this at least. */
  readonly width: number
  /** Numbers are aligned at their end. */
  readonly isNumber?: boolean
}

/** From left to right. */
export const COLUMNS: readonly Column[] = [
  { name: 'number', title: 'Call', width: 58, isNumber: true },
  { name: 'time', title: 'Time', width: 112 },
  { name: 'status', title: 'Status', width: 102 },
  { name: 'prompt', title: 'Prompt', width: 170 },
  { name: 'model', title: 'Model', width: 118 },
  { name: 'matched', title: 'Matched by', width: 150 },
  { name: 'tokens', title: 'Tokens', width: 76, isNumber: true },
  { name: 'duration', title: 'Duration', width: 78, isNumber: true },
  { name: 'key', title: 'Key', width: 136 },
  { name: 'endpoint', title: 'Endpoint', width: 104 },
]

/** The most important first; the last ones hide first. */
const IMPORTANCE: readonly Column['name'][] = [
  'status',
  'prompt',
  'duration',
  'number',
  'matched',
  'model',
  'tokens',
  'key',
  'time',
  'endpoint',
]

/** A prompt narrower than this has no room for other columns beside it. */
const ROOMY_PROMPT = 200

/** The columns that fit into a width in pixels, from left to right. Status and prompt always do. */
export function chooseColumns(width: number): readonly Column[] {
  const chosen = new Set<Column['name']>(['status', 'prompt'])
  let left = width - widthOf('status') - ROOMY_PROMPT
  for (const name of IMPORTANCE.slice(2)) {
    left -= widthOf(name)
    if (left < 0) break
    chosen.add(name)
  }
  return COLUMNS.filter(({ name }) => chosen.has(name))
}

const widthOf = (name: Column['name']): number => COLUMNS.find((column) => column.name === name)!.width

/** The columns as `grid-template-columns`. */
export const gridTemplate = (columns: readonly Column[]): string =>
  columns.map(({ name, width }) => (name === 'prompt' ? `minmax(${width}px, 1fr)` : `${width}px`)).join(' ')
