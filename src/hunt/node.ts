/** Parts of this room that the command line and the test integrations import without loading the hunt itself. */
export { huntOptions, shrinkOptions } from './command/hunt-options.ts'
export type { HuntResult } from './command/hunt-result.ts'
export { type HuntTestOptions, huntTestWith } from './hunt-test.ts'
