/** A command line that can't be carried out as written; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
