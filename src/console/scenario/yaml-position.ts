/**
 * Finds where in a scenario a position is, while the text is being typed and no parser accepts it.
 *
 * It reads block maps and lists by their indentation, and flow maps and lists (`{ a: 1 }`) that are written on one line.
 */

/** A key of a map, or an item of a list. */
export type Step = string | typeof ITEM
export const ITEM = Symbol('item')

export interface Context {
  /** From the top of the scenario to the map, or to the value, at the position. */
  readonly path: readonly Step[]
  /** `key`: a key of a map or an item of a list is written here. `value`: the value of the last key of the path. */
  readonly kind: 'key' | 'value'
  /** The start of what is written so far. */
  readonly from: number
  /** What is written before the position, without an opening quote. */
  readonly prefix: string
  /** The values that are written beside a key, by key; '' for a map or a list. */
  readonly siblings: ReadonlyMap<string, string>
}

/** A line as its list markers and its content. */
interface Line {
  /** The columns of its list markers `-`. */
  readonly dashes: readonly number[]
  /** The column of its content. */
  readonly column: number
  readonly content: string
}

/** Undefined in a comment, and in a text of several lines. */
export function findContext(text: string, position: number): Context | undefined {
  const start = text.lastIndexOf('\n', position - 1) + 1
  const before = text.slice(start, position)
  if (/(?:^|\s)#/.test(withoutQuoted(before))) return undefined
  const lines = text.split('\n')
  const row = text.slice(0, start).split('\n').length - 1
  const line = readLine(lines[row]!.replace(/\s+$/, '').length < before.length ? before : lines[row]!, before.length)
  const outer = findOuter(lines, row, line)
  if (outer === undefined) return undefined
  const written = before.slice(line.column)
  const inner = readContent(written, line.content.slice(written.length))
  const isBlock = inner.steps.length === 0
  const prefix = inner.prefix.replace(/^["']/, '')
  return {
    path: [...outer.path, ...inner.steps],
    kind: inner.kind,
    from: position - prefix.length,
    prefix,
    siblings: isBlock && inner.kind === 'key' ? outer.siblings : inner.siblings,
  }
}

/** The keys that a map at the top of the scenario has, one line for each: the names of `states`. */
export function keysBelow(text: string, top: string): string[] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => keyOf(line) === top) + 1
  const end = lines.findIndex((line, row) => row >= start && /^[^\s#]/.test(line))
  const below = (start === 0 ? [] : lines.slice(start, end < 0 ? undefined : end)).filter((line) => !isEmpty(line))
  const indent = below[0]?.search(/\S/) ?? 0
  return below.flatMap((line) => (line.search(/\S/) === indent ? (keyOf(line.trimStart()) ?? []) : []))
}

/** Texts in quotes, blanked out: a # inside them starts no comment. */
const withoutQuoted = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"?|'[^']*'?/g, (quoted) => '_'.repeat(quoted.length))

/** @param length the column of the position: on an empty line the content starts there. */
function readLine(text: string, length = text.length): Line {
  const dashes: number[] = []
  let column = /^ */.exec(text)![0].length
  while (/^-(?: |$)/.test(text.slice(column)) && column < length) {
    dashes.push(column)
    column += 1 + /^ */.exec(text.slice(column + 1))![0].length
  }
  return { dashes, column: Math.min(column, Math.max(length, 0)), content: text.slice(column) }
}

const isEmpty = (text: string): boolean => /^\s*(?:#.*)?$/.test(text)
const keyOf = (content: string): string | undefined => {
  const match = /^(?:"([^"]*)"|'([^']*)'|([^\s#{}[\],"'&*!|>%@`-][^#{}[\],]*?|-[^\s#{}[\],:]+)) *:(?= |$)/.exec(content)
  return match === null ? undefined : (match[1] ?? match[2] ?? match[3])
}
const writtenValueOf = (content: string): string =>
  content
    .slice(content.indexOf(':') + 1)
    .replace(/ #.*$/, '')
    .trim()

/** The path to the map or list that the content of a line is in, by the indentation of the lines above. */
function findOuter(
  lines: readonly string[],
  row: number,
  line: Line,
): { path: Step[]; siblings: Map<string, string> } | undefined {
  const path: Step[] = []
  const siblings = new Map<string, string>()
  /** The column of the map or the list whose parent is looked for. */
  let { column } = line
  let isList = false
  /** Goes out through the list markers of a line, from the right. */
  const leaveItems = ({ dashes }: Line): void => {
    for (const dash of dashes.filter((one) => one < column).reverse()) {
      path.unshift(ITEM)
      column = dash
      isList = true
    }
  }
  const note = ({ content }: Line): void => {
    const key = keyOf(content)
    if (key !== undefined) siblings.set(key, writtenValueOf(content).replace(/^(?:[{[|>].*)$/, ''))
  }
  collectBelow(lines, row, line, note)
  leaveItems(line)
  for (let above = row - 1; above >= 0; above--) {
    const text = lines[above]!
    if (isEmpty(text)) continue
    const other = readLine(text)
    const first = other.dashes[0] ?? other.column
    if (path.length === 0 && !isList && other.column === column) note(other)
    if (first > column) continue
    // In a list, or in a map whose first key is beside a list marker.
    if (other.dashes.includes(column) && isList) continue
    if (!isList && (other.column === column || (other.content === '' && first < column))) {
      leaveItems(other)
      continue
    }
    const key = keyOf(other.content)
    const isParent = isList ? other.column <= column : other.column < column
    if (!isParent || key === undefined) {
      // A text of several lines, or an item that is no map.
      if (/^[|>][-+\d]*$/.test(other.content)) return undefined
      continue
    }
    if (/^[|>][-+\d]*$/.test(writtenValueOf(other.content))) return undefined
    path.unshift(key)
    column = other.column
    isList = false
    leaveItems(other)
  }
  return { path, siblings }
}

/** Notes the keys below that belong to the same map. */
function collectBelow(lines: readonly string[], row: number, { column }: Line, note: (line: Line) => void): void {
  for (const text of lines.slice(row + 1)) {
    if (isEmpty(text)) continue
    const other = readLine(text)
    if ((other.dashes[0] ?? other.column) < column) return
    if (other.dashes.length === 0 && other.column === column) note(other)
  }
}

interface Content {
  readonly steps: Step[]
  readonly kind: 'key' | 'value'
  readonly prefix: string
  readonly siblings: Map<string, string>
}

/** A map or list in brackets that is open at the position. */
interface Frame {
  readonly isMap: boolean
  /** The key whose value is being written. */
  key: string | undefined
  readonly siblings: Map<string, string>
}

/** Reads the content of a line up to the position, and the rest of it for the keys that follow. */
function readContent(written: string, rest: string): Content {
  const key = keyOf(written)
  const frames: Frame[] = []
  let start = 0
  if (key !== undefined) start = written.indexOf(':', key.length) + 1
  const end = readFlow(written, start, frames, written.length)
  const prefix = written.slice(end).trimStart()
  const steps: Step[] = key === undefined ? [] : [key]
  for (const [index, frame] of frames.entries()) {
    if (!frame.isMap) steps.push(ITEM)
    else if (index < frames.length - 1 || frame.key !== undefined) steps.push(frame.key ?? '')
  }
  const frame = frames.at(-1)
  if (frame === undefined) return { steps, kind: key === undefined ? 'key' : 'value', prefix, siblings: new Map() }
  const isKey = frame.isMap ? frame.key === undefined : true
  if (frame.isMap) readFlow(`${written}${rest}`, end, [frame], Number.POSITIVE_INFINITY)
  return { steps, kind: isKey ? 'key' : 'value', prefix, siblings: frame.siblings }
}

/** Follows brackets from `start` to `end`; returns the start of what is being written there. */
function readFlow(text: string, start: number, frames: Frame[], end: number): number {
  const depth = frames.length
  let from = start
  const finish = (at: number): void => {
    const frame = frames.at(-1)
    if (frame?.key !== undefined) frame.siblings.set(frame.key, text.slice(from, at).trim())
    if (frame !== undefined) frame.key = undefined
  }
  for (let at = start; at < Math.min(end, text.length); at++) {
    const quoted = /^(?:"(?:[^"\\]|\\.)*"|'[^']*')/.exec(text.slice(at, end))
    if (quoted !== null) {
      at += quoted[0].length - 1
      continue
    }
    const sign = text[at]!
    const isOpening = text.slice(from, at).trim() === '' && (frames.length > 0 || start > 0 || at === 0)
    if ((sign === '{' || sign === '[') && isOpening) {
      frames.push({ isMap: sign === '{', key: undefined, siblings: new Map() })
      from = at + 1
    } else if (frames.length > 0 && sign === ',') {
      finish(at)
      from = at + 1
    } else if (frames.length > 0 && (sign === '}' || sign === ']')) {
      finish(at)
      frames.pop()
      if (frames.length < depth) return from
      from = at + 1
    } else if (sign === ':' && frames.at(-1)?.isMap === true && /^(?:\s|$)/.test(text.slice(at + 1, at + 2))) {
      frames.at(-1)!.key = text
        .slice(from, at)
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
      from = at + 1
    }
  }
  return from
}
