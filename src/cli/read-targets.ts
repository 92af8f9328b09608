/** Reads the addresses of replicas from `--targets`. */
import { shorten } from '../core/lib/text/shorten.ts'

const MAX_TARGETS = 1000
const DEFAULT_PORT = '4010'

/**
 * The origins in a list with commas: `10.0.0.7:4010,http://10.0.0.8:4010`. Without a scheme, the default port is 4010.
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
  const hasScheme = /^https?:\/\//i.test(text)
  const address = hasScheme ? text : `http://${text}`
  if (URL.canParse(address)) {
    const url = new URL(address)
    // A URL without a port has the port of its scheme. An address without one gets that of the server.
    if (!hasScheme && !/:\d+(?:\/|$)/.test(text)) url.port = DEFAULT_PORT
    return url.origin
  }
  throw new Error(`--targets: expected an address such as http://10.0.0.7:4010, got '${shorten(text)}'.`)
}
