/** The package entry point for any test runner: the matchers, to give to `expect.extend`. */
export type { CallFilter } from './core/journal/filter.ts'
export type { ExpectedCalls } from './testing/index.ts'
export { type MockMatchers, matchers } from './testing/index.ts'
