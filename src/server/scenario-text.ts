/** The text of a scenario: as it was sent, or as its file has it, with its comments, or else as YAML from its source. */
import { stringify } from 'yaml'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import { plainSource, type ScenarioSource } from '../core/scenario/scenario-source.ts'

const texts = new WeakMap<Scenario, string>()

/** Remembers the text from which a scenario was read. */
export const keepText = (scenario: Scenario, text: string): void => void texts.set(scenario, text)

/** @param inFile the text of its file, if it has one. */
export const textOf = (scenario: Scenario, inFile?: string): string =>
  texts.get(scenario) ?? inFile ?? formatScenario(scenario.source)

export const formatScenario = (source: ScenarioSource): string =>
  stringify(plainSource(source), { lineWidth: 0, aliasDuplicateObjects: false })
