/** What a test file pays before its second call, and what an install brings, beside msw with a handler by hand. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { FIRST_CALLS_SCRIPT, SIX_CALLS_FOLDER } from '../contenders.ts'
import { MEMORY_ABOVE_MSW } from '../goals.ts'
import { output, startOnServerCore } from '../processes.ts'
import type { Result, Unit } from '../results.ts'
import type { Bench } from './bench.ts'

const RUNS = 15
const TEST_RUNS = 7
const ROOT = resolve(import.meta.dirname, '../../..')
const LABELS = { msw: 'a handler by hand in msw', mock: 'llm-api-mock' } as const
type Name = keyof typeof LABELS
const NAMES = Object.keys(LABELS) as readonly Name[]

export async function start(bench: Bench): Promise<readonly Result[]> {
  const results = await firstCalls(bench)
  const project = mkdtempSync(join(tmpdir(), 'llm-api-mock-install-'))
  try {
    bench.progress('install')
    const sizes = install(project)
    return [...results, ...(await testFile(bench, project)), ...sizes]
  } catch (error) {
    bench.warn(`Neither the install nor a test file was measured: ${(error as Error).message.split('\n')[0]}`)
    return results
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

async function firstCalls({ progress }: Bench): Promise<readonly Result[]> {
  progress(`first calls, ${RUNS} times each`)
  const ms = { msw: [] as number[], mock: [] as number[] }
  const mb = { msw: [] as number[], mock: [] as number[] }
  for (let run = 0; run < RUNS; run++) {
    for (const name of NAMES) {
      const child = startOnServerCore(process.execPath, [FIRST_CALLS_SCRIPT, name])
      const used: { ms: number; mb: number } = JSON.parse(await output(child, 'The first calls'))
      ms[name].push(used.ms)
      mb[name].push(used.mb)
    }
  }
  const above = mb.mock.map((value, run) => value - mb.msw[run]!)
  return [
    ...NAMES.map((name) => resultOf('first calls', name, 'ms', ms[name])),
    resultOf(MEMORY_ABOVE_MSW, 'mock', 'MB', above),
  ]
}

/** Whole runs of vitest with one file, in a project where the package is installed. */
async function testFile({ progress }: Bench, project: string): Promise<readonly Result[]> {
  progress(`a test file, ${TEST_RUNS} times each`)
  cpSync(SIX_CALLS_FOLDER, project, { recursive: true })
  rmSync(join(project, 'node_modules/vitest'), { recursive: true, force: true })
  symlinkSync(join(ROOT, 'node_modules/vitest'), join(project, 'node_modules/vitest'))
  const program = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const samples = { msw: [] as number[], mock: [] as number[] }
  for (let run = 0; run < TEST_RUNS; run++) {
    for (const name of NAMES) {
      const before = performance.now()
      await output(startOnServerCore(process.execPath, [program, 'run', '--root', project, name]), 'vitest')
      samples[name].push(performance.now() - before)
    }
  }
  return NAMES.map((name) => resultOf('a test file', name, 'ms', samples[name]))
}

/** Installs the package with msw as a user would, and measures what is then on the disk. */
function install(project: string): readonly Result[] {
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }')
  mkdirSync(join(project, 'pack'))
  const tarball = run('npm', 'pack', ROOT, '--ignore-scripts', '--silent', '--pack-destination', 'pack')
  const installed = (...packages: string[]) => {
    run('npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages)
    const folders = run('npm', 'ls', '--all', '--parseable').split('\n').length - 1
    return { mb: Number(run('du', '-sk', 'node_modules').split('\t')[0]) / 1024, packages: folders }
  }
  const sizes = { msw: installed('msw@2'), mock: installed(`./pack/${tarball}`) }
  return [
    ...NAMES.map((name) => resultOf('install size', name, 'MB', [sizes[name].mb])),
    ...NAMES.map((name) => resultOf('installed packages', name, 'packages', [sizes[name].packages])),
  ]
}

const resultOf = (measure: string, contender: Name, unit: Unit, samples: readonly number[]): Result => ({
  measure,
  contender,
  label: LABELS[contender],
  unit,
  samples,
})
