/**
 * Mutation testing: changes the code of a folder in one place at a time, and lists the changes that no test of `pure` notices.
 *
 *   npm run mutants -- src/core/decide/state
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const HERE = relative(ROOT, import.meta.dirname)

const folders = process.argv.slice(2)
if (folders.length === 0 || folders.some((folder) => !existsSync(resolve(ROOT, folder)))) {
  console.error('Name folders or files below src: npm run mutants -- src/core/decide/state')
  process.exit(2)
}

const run = (command: string, ...args: string[]): void => {
  const { status } = spawnSync(command, args, { cwd: ROOT, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const stryker = join(HERE, 'node_modules/@stryker-mutator/core/bin/stryker.js')
// Its vitest must be that of the project, so peers are not installed.
if (!existsSync(resolve(ROOT, stryker)))
  run('npm', 'ci', '--prefix', HERE, '--legacy-peer-deps', '--no-audit', '--no-fund')
const mutate = folders.map((folder) => (folder.endsWith('.ts') ? folder : `${folder.replace(/\/$/, '')}/**/*.ts`))
run(process.execPath, stryker, 'run', join(HERE, 'stryker.config.json'), '--mutate', mutate.join(','))
