/** Compiles a checked source, loading the pattern engine only for a scenario that has patterns. */
import { compileScenario, type Scenario } from '../core/scenario/compile/compile.ts'
import { patternParts } from '../core/scenario/compile/pattern-text.ts'
import { conditions } from '../core/scenario/conditions/catalogue.ts'
import type { ScenarioSource } from '../core/scenario/grammar/schema.ts'
import { toList } from '../core/text/to-list.ts'

export async function compileLoaded(source: ScenarioSource, name: string, seed?: string | number): Promise<Scenario> {
  const { compilePattern } = hasPatterns(source)
    ? await import('../core/scenario/compile/pattern.ts')
    : { compilePattern: noPatterns }
  return compileScenario(source, { name, seed, compilePattern })
}

/** Whether a text under `when` is a pattern. Recorded answers are skipped: they may be megabytes. */
function hasPatterns({ replies = [], faults = [], states = {} }: ScenarioSource): boolean {
  const ofStates = Object.values(states).flatMap((state) => state.faults ?? [])
  return [...replies, ...faults, ...ofStates].some(({ when = {} }) =>
    Object.entries(when).some(
      ([name, wanted]) =>
        conditions[name]?.takesPatterns === true &&
        toList(wanted).some((text) => typeof text === 'string' && patternParts(text) !== undefined),
    ),
  )
}

function noPatterns(): never {
  throw new Error('Failed to compile a pattern: the pattern engine was not loaded.')
}
