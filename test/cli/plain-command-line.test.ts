/** The short way to read a command line: the same settings as by yargs, or none. */
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { readPlain } from '../../src/cli/args/plain-command-line.ts'
import { runWithYargs } from '../../src/cli/args/yargs-command-line.ts'

// What the two would start, in place of starting it.
const started: unknown[][] = []
const note = async (...given: unknown[]): Promise<number> => started.push(given) - started.length
vi.mock('../../src/cli/commands/start.ts', () => ({ start: (...given: unknown[]) => note(...given) }))
vi.mock('../../src/cli/commands/run.ts', () => ({ run: (...given: unknown[]) => note(...given) }))

afterEach(() => {
  started.length = 0
})

/** What a command line starts, or the message with which it is refused. */
async function outcomeOf(carryOut: () => Promise<number>): Promise<unknown> {
  started.length = 0
  try {
    await carryOut()
    return structuredClone(started)
  } catch (error) {
    return String(error)
  }
}

const WORDS = [
  'rate-limited',
  './a b.yaml',
  '0',
  '007',
  '1e3',
  '65536',
  '-1',
  '-',
  '',
  '"x"',
  "'x",
  'a=b',
  'true',
  'é\n',
  'pretty',
]
const NAMES = [
  'scenario',
  'port',
  'host',
  'seed',
  'speed',
  'handlers',
  'token',
  'log',
  'watch',
  'report',
  'conduct',
  'prot',
]

const word = fc.constantFrom(...WORDS)
const option = fc.oneof(
  fc.tuple(fc.constantFrom(...NAMES), word).map(([name, value]) => [`--${name}=${value}`]),
  fc.tuple(fc.constantFrom(...NAMES), word).map(([name, value]) => [`--${name}`, value]),
  fc.constantFrom(...NAMES).map((name) => [`--${name}`]),
)
const oddity = fc
  .constantFrom('start', 'run', '--', '--no-watch', '-h', '--watch', '--reportFile=x')
  .map((one) => [one])
const commandLine = fc
  .tuple(
    fc.constantFrom([], [], ['start'], ['run']),
    fc.array(fc.oneof({ weight: 5, arbitrary: option }, { weight: 1, arbitrary: oddity }), { maxLength: 4 }),
    fc.constantFrom([], [], ['--'], ['--', 'npm', 'test', '--', '--port=1'], ['--', 'printf', '1.0', '-1e3', '']),
  )
  .map((parts) => parts.flat(2))

test('what it reads, it reads as yargs does', async () => {
  await fc.assert(
    fc.asyncProperty(commandLine, async (args) => {
      const plain = readPlain(args)
      fc.pre(plain !== undefined)
      expect(await outcomeOf(plain)).toEqual(await outcomeOf(() => runWithYargs(args)))
    }),
    { numRuns: 300, seed: 1, maxSkipsPerRun: 1000 },
  )
})

test.each([
  [[]],
  [['start']],
  [['--scenario', 'rate-limited', '--port=0']],
  [['--scenario', './a.yaml', '--watch', '--seed', '007', '--speed', '100']],
  [['run', '--scenario', 'flaky', '--conduct', 'strict', '--', 'npm', 'test']],
])('it reads %j', (args) => {
  expect(readPlain(args)).toBeTypeOf('function')
})

test.each([
  [['--help']],
  [['-h']],
  [['--version']],
  [['list']],
  [['check', 'a.yaml']],
  [['run', 'npm', 'test']],
  [['--prot', '0']],
  [['--port']],
  [['--port', '--watch']],
  [['--port', '-1']],
  [['--no-watch']],
  [['--watch=false']],
])('it leaves %j to yargs', (args) => {
  expect(readPlain(args)).toBeUndefined()
})
