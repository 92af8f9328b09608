/** The error of a command that could not be started. */

/** The exit code is the one that shells use. */
export class NotRunError extends Error {
  override readonly name = 'NotRunError'
  readonly exitCode: number

  constructor(program: string, { code, message }: NodeJS.ErrnoException) {
    const isMissing = code === 'ENOENT'
    const why = isMissing ? 'command not found' : message
    super(`Failed to run '${program}': ${why}. It runs without a shell; if it needs one, use sh -c '...'.`)
    this.exitCode = isMissing ? 127 : 126
  }
}
