/** Compiles a checked source, loading the pattern engine only for a scenario that has patterns. */
import { compileScenario, type Scenario } from '../core/scenario/compile.ts'
import type { ScenarioSource } from '../core/scenario/schema.ts'

export async function readScenario(source: ScenarioSource, name: string, seed?: string | number): Promise<Scenario> {
  const hasPatterns = /"\/.+\/[a-z]*"/.test(JSON.stringify(source.replies ?? []) + JSON.stringify(source.faults ?? []))
  const { compilePattern } = hasPatterns ? await import('../core/scenario/pattern.ts') : { compilePattern: noPatterns }
  return compileScenario(source, { name, seed, compilePattern })
}

function noPatterns(): never {
  throw new Error('A scenario without patterns met one.')
}
