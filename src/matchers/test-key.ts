/** A key for each test, made from its name: the same in every run, so that what is drawn from it is too. */
import { hash32 } from '../core/random/hash.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'

/**
 * A key that the scenario accepts: any where it lists none, one that fits a listed pattern (`sk-ci-*`), or else the
 * first one that works, which all tests then share.
 */
export function testKey({ keyRule, source, exampleKey }: Scenario, name: string): string {
  const own = hash32(name, 1).toString(36) + hash32(name, 2).toString(36)
  const works = (key: string): boolean => {
    const rule = keyRule(key)
    return rule !== undefined && rule.fault === undefined
  }
  const patterns = Object.keys(source.keys ?? {}).filter((key) => key.includes('*'))
  const candidates = [`sk-test-${own}`, ...patterns.map((pattern) => pattern.replaceAll('*', own))]
  return candidates.find(works) ?? exampleKey
}
