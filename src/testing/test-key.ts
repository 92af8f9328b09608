/** The API key of a test: made from its name, so that it and everything seeded by it is the same in every run. */
import { hashName } from '../core/lib/random/hash.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'

/**
 * A key that the scenario accepts: any if it lists no keys, one that matches a listed pattern (`sk-ci-*`), or else the
 * first valid key, which all tests then share.
 */
export function testKey({ keyRule, source, exampleKey }: Scenario, name: string): string {
  const suffix = hashName(name)
  const isValid = (key: string): boolean => {
    const rule = keyRule(key)
    return rule !== undefined && rule.fault === undefined
  }
  const patterns = Object.keys(source.keys ?? {}).filter((key) => key.includes('*'))
  const candidates = [`sk-test-${suffix}`, ...patterns.map((pattern) => pattern.replaceAll('*', suffix))]
  return candidates.find(isValid) ?? exampleKey
}
