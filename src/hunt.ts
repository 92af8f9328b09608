/** The package entry point for hunts, `llm-api-mock/hunt`: the smallest set of faults under which an app fails. */

export * from './hunt/index.ts'
