/** The problems of a scenario, without the exception that `prepareSource` makes of them. */
import { checkSource } from '../../src/core/scenario/check/check-source.ts'
import type { Problem } from '../../src/core/scenario/check/problem.ts'

/**
 * Finds all problems of a scenario; none when it can be used.
 * @example findProblems({ description: 'x', sead: 7 }) // one problem: unknown field 'sead'. Did you mean 'seed'?
 */
export const findProblems = (source: unknown): Problem[] => checkSource(source).problems
