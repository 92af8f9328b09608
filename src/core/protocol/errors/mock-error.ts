/** `MockError`, the base class of every error that this package throws for a mistake in how it is used, and its codes. */

/** The codes of all errors. */
export type MockErrorCode =
  | 'unknown-option'
  | 'invalid-option'
  | 'unknown-fault'
  | 'unknown-scenario'
  | 'unreadable-scenario'
  | 'invalid-scenario'
  | 'unknown-state'
  | 'invalid-filter'
  | 'too-many-faults'
  | 'cannot-listen'
  | 'already-intercepted'
  | 'not-mocked'
  | 'ambiguous-test'
  | 'fails-under-faults'
  | 'fails-without-faults'
  | 'breaks-with-model'
  | 'call-in-flight'
  | 'no-calls'
  | 'not-repeatable'
  | 'no-streams'
  | 'not-reached'
  | 'hunt-cut-short'
  | 'dropped-calls'
  | 'missing-package'
  | 'unsupported-scenario'

/**
 * Thrown when the mock is used in a way it cannot serve. The message says what was expected, what it got and what to do.
 * @example try { mock.enter(name) } catch (error) { if (isMockError(error, 'unknown-state')) skip() }
 */
export class MockError extends Error {
  override readonly name: string = 'MockError'
  readonly code: MockErrorCode

  constructor(code: MockErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** True if an error is a MockError; with `code`, if it is one of that code. */
export const isMockError = (error: unknown, code?: MockErrorCode): error is MockError =>
  error instanceof MockError && (code === undefined || error.code === code)
