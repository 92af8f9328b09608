/**
 * Checks whether this version can be released: `npm run build && npm run release:check`. Publishes nothing. With `--record`, it
 * also stores the digest of the seeded output, which the next release is compared with.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { countOf } from '../src/core/lib/text/wording.ts'
import { expectedAnswers } from '../test/support/contract.ts'
import { findReleaseProblems } from './release/problems.ts'
import { VERSIONED_FILES } from './release/versions.ts'

const root = resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(resolve(root, file), 'utf8')
const RELEASED = 'scripts/release/released.json'

const manifest = JSON.parse(read('package.json'))
const report = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8' })
const [{ files, unpackedSize }] = JSON.parse(report) as [{ files: { path: string }[]; unpackedSize: number }]
const digest = createHash('sha256')
  .update(JSON.stringify(await expectedAnswers()))
  .digest('hex')

const problems = findReleaseProblems({
  manifest,
  lockedVersion: JSON.parse(read('package-lock.json')).version,
  versioned: Object.fromEntries(VERSIONED_FILES.map((file) => [file, read(file)])),
  changelog: read('CHANGELOG.md'),
  dockerfile: read('Dockerfile'),
  packed: { paths: files.map(({ path }) => path), bytes: unpackedSize },
  digest,
  released: existsSync(resolve(root, RELEASED)) ? JSON.parse(read(RELEASED)) : undefined,
})
for (const problem of problems) console.log(problem)
const decisions = problems.filter((problem) => problem.startsWith('Decide ')).length
if (decisions > 0) {
  console.log(
    `${manifest.version} cannot be released yet: ${decisions} of ${countOf(problems.length, 'problem')} ${
      decisions === 1 ? 'is' : 'are'
    } for the maintainer to decide.`,
  )
}
if (problems.length === 0) {
  console.log(
    `${manifest.name} ${manifest.version} can be released: ${files.length} files, ${unpackedSize} bytes unpacked.`,
  )
  if (process.argv.includes('--record')) {
    writeFileSync(resolve(root, RELEASED), `${JSON.stringify({ version: manifest.version, digest }, null, 2)}\n`)
  }
}
process.exitCode = problems.length === 0 ? 0 : 1
