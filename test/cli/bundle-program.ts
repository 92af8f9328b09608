/** Bundles the program once for all tests: from the sources, each of its hundreds of starts would take a second longer. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { bundleForNode } from '../../scripts/bundles.ts'

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
  await bundleForNode(folder)
  // Beside the chunks as in dist: the token tables.
  symlinkSync(join(import.meta.dirname, '../../src/core'), join(folder, 'core'), 'junction')
  project.provide('program', join(folder, 'cli'))
  return () => rmSync(folder, { recursive: true, force: true })
}
