/** New major versions of the packages that the mock works with. */
import { execFileSync } from 'node:child_process'
import manifest from '../../package.json' with { type: 'json' }
import clients from '../../test/clients/package.json' with { type: 'json' }
import runners from '../../test/runners/package.json' with { type: 'json' }

const { vitest, msw, '@redis/client': redis } = manifest.peerDependencies
/** The versions that are tested or allowed. */
const RANGES: Readonly<Record<string, string>> = {
  vitest,
  jest: runners.devDependencies.jest,
  msw,
  openai: clients.devDependencies.openai,
  '@redis/client': redis,
}

/** A line for each package: its latest version, and the range if its major is not in it. */
export const majorLines = (latestOf: (name: string) => string = latestInRegistry): string[] =>
  Object.entries(RANGES).map(([name, range]) => {
    const latest = latestOf(name)
    const majors = [...range.matchAll(/(\d+)\.\d+\.\d+/g)].map(([, major]) => major)
    return majors.includes(/^\d+/.exec(latest)?.[0])
      ? `  ${name} ${latest}: in ${range}`
      : `+ ${name} ${latest}: a new major, not in ${range}`
  })

const latestInRegistry = (name: string): string =>
  execFileSync('npm', ['view', `${name}@latest`, 'version', '--loglevel=error'], { encoding: 'utf8' }).trim()
