/** Bundles the program once for all tests: from the sources, each of its hundreds of starts would take a second longer. */
import { join } from 'node:path'
import { bundleProgram } from '../../scripts/program.ts'

/** Inside node_modules, where the program finds its packages. */
export const PROGRAM_FOLDER = join(import.meta.dirname, '../../node_modules/.cache/llm-api-mock')

export default (): Promise<void> => bundleProgram(PROGRAM_FOLDER)
