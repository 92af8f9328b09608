/** The door of this room: matchers for test runners. Other rooms import nothing else of it. */
export { type MockMatchers, matchers } from './mock-matchers.ts'
export type { ExpectedCalls } from './verification.ts'
