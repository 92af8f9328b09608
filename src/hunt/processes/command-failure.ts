/** Why a run of a command failed, and the lines of its output that say so. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly lines: readonly string[]

  constructor(message: string, lines: readonly string[]) {
    super(message)
    this.lines = lines
  }
}
