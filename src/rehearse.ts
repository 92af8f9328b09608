/** The package entry point for rehearsals, `llm-api-mock/rehearse`: what breaks when an app moves to another model. */

export type { RehearsalReport, TargetReport } from './rehearse/index.ts'
export { RehearsalError, type RehearseOptions, rehearse } from './rehearse/index.ts'
