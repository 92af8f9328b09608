/**
 * Whether the same calls get the same bytes: `npm run same-bytes -- [--calls 10000] [--seed 1] [--node <path>,<path>]`.
 *
 * Generated calls are played in several orders, over HTTP and in process, and on other versions of Node. It ends with
 * the first differences and exit code 1 when there are any.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Answer } from '../../test/support/send.ts'
import { type Comparison, compare, describeCall } from './compare.ts'
import { type CorpusCall, generateCalls } from './corpus.ts'
import { ORDERS, play, type Way } from './play.ts'

const MAX_SHOWN = 5
const CHILD = resolve(import.meta.dirname, 'child.ts')
const TSX = resolve(import.meta.dirname, '../../node_modules/tsx/dist/loader.mjs')

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    node: { type: 'string', default: '' },
  },
})
const calls = generateCalls(wholeNumber('calls'), wholeNumber('seed'))
const binaries = values.node.split(',').filter((path) => path !== '')

console.log(`same-bytes: ${calls.length} calls, seed ${values.seed}, Node ${process.version}`)
if (binaries.length === 0) console.log('Other versions of Node are compared with --node <path>,<path>.')

const over = (
  transport: Way['transport'],
  order: Way['order'] = 'as generated',
  isFetchOnly = transport === 'in process',
): Way => ({
  transport,
  order,
  isFetchOnly,
})
let different = 0

const answers = await play(calls, over('HTTP'))
const fetched = await play(calls, over('HTTP', 'as generated', true))
console.log(`${tally(answers)}\n`)
for (const order of ORDERS) {
  if (order !== 'as generated') report(`HTTP, ${order}`, compare(answers, await play(calls, over('HTTP', order))))
}
for (const order of ORDERS)
  report(`in process, ${order}`, compare(fetched, await play(calls, over('in process', order))))
for (const binary of binaries) {
  const version = execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()
  report(`Node ${version}, HTTP`, compare(answers, playOn(binary, calls, over('HTTP'))))
  report(`Node ${version}, in process`, compare(fetched, playOn(binary, calls, over('in process'))))
}
console.log(different === 0 ? 'No byte differs.' : `${different} answers differ.`)
process.exitCode = different === 0 ? 0 : 1

/** Plays the calls in another process, with the same sources. */
function playOn(binary: string, all: readonly CorpusCall[], way: Way): readonly (Answer | undefined)[] {
  const folder = mkdtempSync(join(tmpdir(), 'llm-api-mock-same-bytes-'))
  try {
    const [callsFile, answersFile] = [join(folder, 'calls.json'), join(folder, 'answers.json')]
    writeFileSync(callsFile, JSON.stringify(all))
    execFileSync(binary, ['--import', TSX, CHILD, callsFile, JSON.stringify(way), answersFile], { stdio: 'inherit' })
    const taken = JSON.parse(readFileSync(answersFile, 'utf8')) as (Answer | null)[]
    return taken.map((answer) => answer ?? undefined)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function report(name: string, { compared, differences }: Comparison): void {
  different += differences.length
  const bytes = differences.reduce((sum, difference) => sum + difference.bytes, 0)
  console.log(
    `${name.padEnd(28)} ${String(compared).padStart(6)} answers, ${differences.length} differ, ${bytes} bytes differ`,
  )
  for (const { number, what } of differences.slice(0, MAX_SHOWN)) {
    console.log(`  call ${number}: ${what}\n${describeCall(calls[number]!)}`)
  }
}

/** Says whether the calls meet what they should: answers by status. */
function tally(all: readonly (Answer | undefined)[]): string {
  const counts = new Map<number, number>()
  for (const answer of all) if (answer !== undefined) counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
  const bytes = all.reduce((sum, answer) => sum + (answer?.bytes.length ?? 0), 0)
  const statuses = [...counts].sort(([one], [other]) => one - other).map(([status, count]) => `${count} with ${status}`)
  return `${(bytes / 1e6).toFixed(1)} MB of answers: ${statuses.join(', ')}`
}

function wholeNumber(name: 'calls' | 'seed'): number {
  if (/^\d{1,9}$/.test(values[name])) return Number(values[name])
  throw new Error(`Failed to compare: expected a whole number for --${name}, got ${values[name]}.`)
}
