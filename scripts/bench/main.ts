/**
 * The benchmark: the mock beside a bare node:http server, beside its own handlers behind Express, and beside aimock; in
 * process beside a handler written by hand; hunts; its start, its memory, its pacing, its stalls.
 *
 * Each server is a process of its own on one core, the generator on another. The contenders take turns, so that what
 * slows the machine slows all of them: the ratios are worth more than the figures. `npm run bench -- --help`.
 */
import { existsSync } from 'node:fs'
import { cpus } from 'node:os'
import { PROGRAM } from './contenders.ts'
import { CONNECTIONS, chooseGenerator } from './generator.ts'
import { balancedStreams } from './measures/balanced-streams.ts'
import { balancers } from './measures/balancers.ts'
import type { Bench } from './measures/bench.ts'
import { coldStart } from './measures/cold-start.ts'
import { hunt } from './measures/hunt.ts'
import { inProcess } from './measures/in-process.ts'
import { memory } from './measures/memory.ts'
import { open } from './measures/open.ts'
import { burst, paced } from './measures/paced.ts'
import { sharedLimits } from './measures/shared-limits.ts'
import { stalls } from './measures/stalls.ts'
import { start } from './measures/start.ts'
import { throughput } from './measures/throughput.ts'
import { HELP, type Options, readOptions } from './options.ts'
import { canPin, GENERATOR_CORE, leaveNothingBehind, pinGenerator, SERVER_CORE } from './processes.ts'
import { profile } from './profile.ts'
import type { Result } from './results.ts'
import { markdownTable, textTable } from './table.ts'
import { type WorkloadName, workloads } from './workloads.ts'

try {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) console.log(HELP)
  else await run(options)
} catch (error) {
  console.error(`bench: ${(error as Error).message}`)
  process.exitCode = 1
}

async function run(options: Options): Promise<void> {
  if (!existsSync(PROGRAM)) throw new Error('There is no build to measure. Run: npm run build')
  const generator = chooseGenerator(options.generator)
  leaveNothingBehind()
  pinGenerator()
  const warnings = new Set<string>()
  const bench: Bench = {
    rounds: options.rounds,
    seconds: options.seconds,
    progress: (text) => console.error(`bench: ${text}`),
    warn: (text) => void warnings.add(text),
  }
  if (!canPin) bench.warn('Nothing is pinned to a core: this system has no taskset.')
  if (cpus().length < 2) bench.warn('The server and the generator share the only core.')

  if (options.profile !== undefined) {
    return console.log(await profile(generator, workloads[options.profile], options.seconds))
  }

  const { only, contenders, calls } = options
  const kinds = (Object.keys(workloads) as WorkloadName[]).filter((name) => only.includes(name))
  const results: Result[] = []
  if (kinds.length > 0) results.push(...(await throughput(bench, generator, kinds, contenders)))
  if (only.includes('in-process')) results.push(...(await inProcess(bench)))
  if (only.includes('hunt')) results.push(...(await hunt(bench)))
  const isStart = only.includes('start')
  if (isStart) results.push(...(await start(bench)))
  if (isStart || only.includes('cold-start')) results.push(...(await coldStart(bench, contenders)))
  if (isStart || only.includes('memory')) {
    results.push(...(await memory(bench, generator, only.includes('memory') ? calls : 0)))
  }
  if (only.includes('paced')) results.push(...(await paced(bench)))
  if (only.includes('burst')) results.push(...(await burst(bench)))
  if (only.includes('stalls')) results.push(...(await stalls(bench, options.hostile)))
  if (only.includes('balancers')) results.push(...(await balancers(bench, generator)))
  if (only.includes('balanced-streams')) results.push(...(await balancedStreams(bench)))
  if (only.includes('shared-limits')) results.push(...(await sharedLimits(bench)))
  if (only.includes('open')) results.push(...(await open(bench)))
  print(options, results, [...warnings], conditions(options, generator.name))
}

/** The machine and the way of measuring, as a sentence. */
function conditions({ rounds, seconds }: Options, generator: string): string {
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown processor'}, Node ${process.version}`
  const cores = canPin ? `the server on core ${SERVER_CORE}, ${generator} on core ${GENERATOR_CORE}` : generator
  return `${machine}; ${cores}, ${CONNECTIONS} connections, medians of ${rounds} rounds of ${seconds} s in turn.`
}

function print({ format }: Options, results: readonly Result[], warnings: readonly string[], how: string): void {
  if (format === 'json') return console.log(JSON.stringify({ how, results, warnings }, undefined, 2))
  const command = `npm run bench ${['--', ...process.argv.slice(2)].join(' ')}`
  if (format === 'markdown') console.log(`${markdownTable(results)}\n\n${how} \`${command}\``)
  else console.log(`\n${textTable(results)}\n\n${how}`)
  for (const warning of warnings) console.error(`bench: ${warning}`)
}
