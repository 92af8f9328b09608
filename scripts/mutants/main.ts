/**
 * Mutation testing: changes the code of a folder in one place at a time, and lists the changes that no test of `pure` notices.
 *
 *   npm run mutants -- src/core/decide/state
 *   npm run mutants -- --sample 60 src/core/decide src/core/protocol
 *
 * `--sample` takes that many places of five lines at random, the same ones each time: all of a large room takes hours.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { hash32 } from '../../src/core/lib/random/hash.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const HERE = relative(ROOT, import.meta.dirname)

const LINES_OF_PLACE = 5

const { values, positionals: folders } = parseArgs({ options: { sample: { type: 'string' } }, allowPositionals: true })
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
const all = folders.map((folder) => (folder.endsWith('.ts') ? folder : `${folder.replace(/\/$/, '')}/**/*.ts`))
const mutate = values.sample === undefined ? all : samplePlaces(Number(values.sample))
run(process.execPath, stryker, 'run', join(HERE, 'stryker.config.json'), '--mutate', mutate.join(','))

/** Places such as `src/core/decide/call/respond.ts:96-100`, each as likely as any other. */
function samplePlaces(count: number): string[] {
  const files = folders.flatMap((folder) =>
    folder.endsWith('.ts')
      ? [folder]
      : readdirSync(resolve(ROOT, folder), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.ts'))
          .map((file) => join(folder, file)),
  )
  const places = files.flatMap((file) => {
    const lines = readFileSync(resolve(ROOT, file), 'utf8').split('\n').length
    const starts = Array.from({ length: Math.ceil(lines / LINES_OF_PLACE) }, (_, index) => index * LINES_OF_PLACE + 1)
    return starts.map((start) => `${file}:${start}-${start + LINES_OF_PLACE - 1}`)
  })
  return places.toSorted((a, b) => hash32(a, 0) - hash32(b, 0)).slice(0, count)
}
