/** The light door of this room: hunts as tests, which load the hunt when they run, and the options of its commands. */
export { huntOptions, shrinkOptions } from './command/hunt-options.ts'
export { type HuntTestOptions, huntTestWith } from './hunt-test.ts'
