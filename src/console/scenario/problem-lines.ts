/** The problems of a scenario that was refused, each with its line and column, from the message of the refusal. */

export interface PlacedProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** The problems that have a place; none in a message of another kind. */
export function problemsIn(message: string): PlacedProblem[] {
  return message.split('\n').flatMap((text) => {
    const match = /^\s*\S+:(\d+):(\d+)\s+(.+)$/.exec(text)
    return match === null ? [] : [{ line: Number(match[1]), column: Number(match[2]), message: match[3]! }]
  })
}

/** Where a line and column, both from 1, stand in a text; the end of the line when it is shorter. */
export function offsetAt(text: string, line: number, column: number): number {
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  return Math.min(before + Math.min(column - 1, lines[line - 1]?.length ?? 0), text.length)
}
