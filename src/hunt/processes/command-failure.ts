/** Why a run of a command failed, and the last lines of its output. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly lines: readonly string[]

  constructor(message: string, lines: readonly string[]) {
    super(message)
    this.lines = lines
  }
}
