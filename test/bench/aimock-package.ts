/**
 * The newest @copilotkit/aimock. It is no dependency of this project: 12 MB that only the benchmark needs, and newest
 * means when it runs. So it is installed when first asked for, into a folder of its own outside the project.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const NAME = '@copilotkit/aimock'
const installFolder = join(tmpdir(), 'llm-api-mock-bench')

/** The module to import and its version; what to do when it is neither there nor can be had. */
type Found = { readonly entry: string; readonly version: string } | { readonly missing: string }

let found: Found | undefined

/** Looked for once: the registry is asked what the newest is. */
export function findAimock(): Found {
  found ??= look()
  return found
}

function look(): Found {
  const own = join(resolve(import.meta.dirname, '../..'), 'node_modules', NAME)
  if (existsSync(own)) return entryOf(own)
  try {
    const args = ['install', '--prefix', installFolder, '--ignore-scripts', '--no-audit', '--no-fund', `${NAME}@latest`]
    execFileSync('npm', args, { stdio: 'ignore', timeout: 60_000 })
  } catch {
    // Without a network, one installed before will do.
  }
  const cached = join(installFolder, 'node_modules', NAME)
  return existsSync(cached) ? entryOf(cached) : { missing: `not installed: npm i --no-save ${NAME}` }
}

function entryOf(folder: string): Found {
  const { version, exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { entry: join(folder, exports['.'].import.default), version }
}
