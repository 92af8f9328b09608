/** A mistake in the command line; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
