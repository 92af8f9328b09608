/** Reads the problems of a rejected scenario, with line and column, from the error message. */

export interface PlacedProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The problems with a line and column; none for other messages. */
export function readProblems(message: string): PlacedProblem[] {
  return message.split('\n').flatMap((text) => {
    const match = /^\s*\S+:(\d+):(\d+)\s+(.+)$/.exec(text)
    return match === null ? [] : [{ line: Number(match[1]), column: Number(match[2]), message: match[3]! }]
  })
}

/** The offset of a line and column, both from 1; the end of the line if it is shorter. */
export function findOffset(text: string, line: number, column: number): number {
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  return Math.min(before + Math.min(column - 1, lines[line - 1]?.length ?? 0), text.length)
}
