/**
 * The fuzzer: `npm run fuzz -- --runs 1000000 [--seed 7] [--level core|scenario|http|socket] [--path 12:0:3]`.
 *
 * It ends by itself: after so many runs, or at the first finding, with the smallest input that shows it, how to replay
 * it, and exit code 1.
 */
import { parseArgs } from 'node:util'
import { campaign } from './campaign.ts'
import { levels } from './levels.ts'
import { Watchdog } from './watchdog.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    level: { type: 'string', default: 'core' },
    path: { type: 'string' },
  },
})
const [runs, seed] = [wholeNumber('runs'), wholeNumber('seed')]
const open = Object.hasOwn(levels, values.level)
  ? levels[values.level]!
  : refuse('level', Object.keys(levels).join(', '))

console.log(`fuzz: level ${values.level}, ${runs} runs, seed ${seed}`)
await using level = await open()
using watchdog = new Watchdog(`npm run fuzz -- --level ${values.level}`)
const finding = await campaign(level, {
  ...{ runs, seed, path: values.path, say: sayNowAndThen() },
  watch: (sliceSeed, run) => watchdog.beat(sliceSeed, run),
})
const tally = [...level.tally].sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
for (const [name, count] of tally) console.log(`${name.padEnd(24)} ${String(count).padStart(9)}`)
if (finding === undefined) console.log('Nothing found.')
else {
  const { report, path } = finding
  const again = path === undefined ? `--runs ${runs} --seed ${seed}` : `--seed ${finding.seed} --path '${path}'`
  console.log(`${report}\n\nReplay: npm run fuzz -- --level ${values.level} ${again}`)
  process.exitCode = 1
}

function wholeNumber(name: 'runs' | 'seed'): number {
  return /^-?\d{1,10}$/.test(values[name]) ? Number(values[name]) : refuse(name, 'a whole number')
}

function refuse(name: 'runs' | 'seed' | 'level', allowed: string): never {
  throw new Error(`Failed to fuzz: found --${name} ${values[name]}, allowed is ${allowed}.`)
}

/** Progress a few times a minute, and not at every slice. */
function sayNowAndThen(): (line: string) => void {
  let last = performance.now()
  return (line) => {
    if (performance.now() - last < 10_000) return
    last = performance.now()
    console.log(line)
  }
}
