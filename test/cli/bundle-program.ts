/** Bundles the program once for all tests: from the sources, each of its hundreds of starts would take a second longer. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleProgram } from '../../scripts/program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the bundled program. */
    program: string
  }
}

/** Inside node_modules, where the program finds its packages. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/llm-api-mock')

export default async function setup(project: TestProject): Promise<() => void> {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'program-'))
  await bundleProgram(folder)
  project.provide('program', folder)
  return () => rmSync(folder, { recursive: true, force: true })
}
