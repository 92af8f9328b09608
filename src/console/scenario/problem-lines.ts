/** Finds the places of problems in a scenario's text. */

export interface PlacedProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The offset of a line and column, both from 1; the end of the line if it is shorter. */
export function findOffset(text: string, line: number, column: number): number {
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  return Math.min(before + Math.min(column - 1, lines[line - 1]?.length ?? 0), text.length)
}

/** The range to mark: the key, the value or the quoted text that begins at the problem, or else its line. */
export function findRange(
  text: string,
  { line, column }: PlacedProblem,
): { readonly from: number; readonly to: number } {
  const from = findOffset(text, line, column)
  const rest = text.slice(from, text.indexOf('\n', from) < 0 ? text.length : text.indexOf('\n', from))
  const word = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,:{}[\]](?:[^,:{}[\]#]|:(?=\S))*|.)/.exec(rest)?.[0].trimEnd() ?? ''
  if (word !== '') return { from, to: from + word.length }
  const start = text.lastIndexOf('\n', from - 1) + 1
  return { from: start + /^ */.exec(text.slice(start))![0].length, to: from }
}
