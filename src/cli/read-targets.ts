/** Reads the addresses of replicas from `--targets`. */
import { shorten } from '../core/text/shorten.ts'

const MAX_TARGETS = 1000

/**
 * The origins in a list with commas: `10.0.0.7:4010,http://10.0.0.8:4010`.
 * @throws when one is no address, or is there twice.
 */
export function readTargets(text: string): readonly string[] {
  const targets = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map(readTarget)
  if (targets.length === 0 || targets.length > MAX_TARGETS) {
    throw new Error(
      `--targets: expected 1 to ${MAX_TARGETS} addresses with commas between them, got ${targets.length}.`,
    )
  }
  const repeated = targets.find((target, index) => targets.indexOf(target) < index)
  if (repeated !== undefined) throw new Error(`--targets: ${repeated} is there twice.`)
  return targets
}

function readTarget(text: string): string {
  const address = /^https?:\/\//i.test(text) ? text : `http://${text}`
  if (URL.canParse(address)) return new URL(address).origin
  throw new Error(`--targets: expected an address such as http://10.0.0.7:4010, got '${shorten(text)}'.`)
}
