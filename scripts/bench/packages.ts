/**
 * Packages that only the benchmark needs. They are no dependencies of the project: the newest of each is installed when
 * it is first needed, into a folder outside the project.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const installFolder = join(tmpdir(), 'llm-api-mock-bench')

/** The module to import and its version; what to do when it is not installed and cannot be. */
type Found = { readonly entry: string; readonly version: string } | { readonly missing: string }

const found = new Map<string, Found>()

/** Finds or installs a package; the registry is asked for its newest version once. */
export function findPackage(name: string): Found {
  const known = found.get(name) ?? installPackage(name)
  found.set(name, known)
  return known
}

function installPackage(name: string): Found {
  const own = join(resolve(import.meta.dirname, '../..'), 'node_modules', name)
  if (existsSync(own)) return readEntry(own)
  try {
    const args = ['install', '--prefix', installFolder, '--ignore-scripts', '--no-audit', '--no-fund', `${name}@latest`]
    execFileSync('npm', args, { stdio: 'ignore', timeout: 60_000 })
  } catch {
    // Without a network, one installed before will do.
  }
  const cached = join(installFolder, 'node_modules', name)
  return existsSync(cached) ? readEntry(cached) : { missing: `not installed: npm i --no-save ${name}` }
}

function readEntry(folder: string): Found {
  const { version, exports, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { entry: join(folder, exports?.['.'].import.default ?? main), version }
}
