/** The light door of this room: hunts as tests, which load the hunt when they run. */
export { type HuntTestOptions, huntTestWith } from './hunt-test.ts'
