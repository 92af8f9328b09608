/**
 * The text of a scenario as readers of the control plane get it: as it was sent, or as its file has it, with its comments, or
 * else as YAML from its source. The password of its store of limits is hidden:
 *
 *     hidePassword        shared: redis://mock:secret@store     ->     shared: redis://mock:****@store
 *     restorePassword     the other way, in a text that a reader has edited
 */
import { stringify } from 'yaml'
import { maskPassword } from '../core/lib/text/mask-keys.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import { plainSource, type ScenarioSource } from '../core/scenario/scenario-source.ts'

/** The texts from which scenarios were read. `keepText` adds to them. */
const texts = new WeakMap<Scenario, string>()

/** Remembers the text from which a scenario was read. */
export const keepText = (scenario: Scenario, text: string): void => void texts.set(scenario, text)

/** @param inFile the text of the file that has this scenario, if there is one. */
export const textOf = (scenario: Scenario, inFile?: string): string =>
  texts.get(scenario) ?? inFile ?? formatScenario(scenario.source)

export const formatScenario = (source: ScenarioSource): string =>
  stringify(plainSource(source), { lineWidth: 0, aliasDuplicateObjects: false })

/** The address of the store of a scenario, and the same without its password. */
const addressesOf = (source: ScenarioSource | undefined): readonly [string, string] => {
  const shared = source?.limits?.shared
  const url = typeof shared === 'string' ? shared : (shared?.url ?? '')
  return [url, maskPassword(url)]
}

/** Hides the password of the store in a text that is sent. */
export function hidePassword(text: string, source: ScenarioSource | undefined): string {
  const [url, shown] = addressesOf(source)
  return url === shown ? text : text.replaceAll(url, () => shown)
}

/** Puts the password of the store back into a text that a reader has edited. */
export function restorePassword(text: string, source: ScenarioSource): string {
  const [url, shown] = addressesOf(source)
  return url === shown ? text : text.replaceAll(shown, () => url)
}
