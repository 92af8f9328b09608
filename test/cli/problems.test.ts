/** What goes wrong on the command line: always one message on stderr and exit code 1, never a stack. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runCommandLine } from '../../src/cli/args/command-line.ts'
import { type CommandOptions, command, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 30_000 })

async function problemOf(args: readonly string[], options?: CommandOptions): Promise<string> {
  const { code, stdout, stderr } = await command(args, options)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^api-mock: /)
  expect(stderr).not.toMatch(/^ +at |node:internal|Options:/m)
  return stderr
}

test('an unknown scenario is answered with the nearest names', async () => {
  expect(await problemOf(['--scenario', 'rate-limitd'])).toContain("'rate-limited'")
})

test('a scenario file that is not there is named', async () => {
  expect(await problemOf(['--scenario', './nowhere.yaml'])).toContain('nowhere.yaml')
})

test('a bad file is told with every problem at once, each with its line and column', async () => {
  const cwd = temporaryFolder()
  writeFileSync(
    join(cwd, 'bad.yaml'),
    'description: Bad.\nsede: 7\nreplies:\n  - { say: [] }\nfaults:\n  - { fault: hag }\n',
  )
  const problem = await problemOf(['--scenario', './bad.yaml'], { cwd })
  expect(problem).toMatch(/bad\.yaml:2:1/)
  expect(problem).toMatch(/bad\.yaml:4:\d+/)
  expect(problem).toMatch(/bad\.yaml:6:\d+/)
})

test('an unknown option is answered with the one that was meant', async () => {
  const problem = await problemOf(['--scenaro', 'default'])
  expect(problem).toContain("There is no option --scenaro. Did you mean '--scenario'?")
  expect(problem).toContain('See `api-mock --help`.')
})

test('a port that is none is told without a server', async () => {
  expect(await problemOf(['--port', 'abc'])).toContain("--port: found 'abc'")
})

test('a host that is none of this machine is said so', async () => {
  expect(await problemOf(['--port', '0', '--host', '203.0.113.7'])).toContain("Host '203.0.113.7'")
})

test('handlers that can not be loaded are told at the start', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'handlers.mjs'), 'export const handlers = 1\n')
  expect(await problemOf(['--port', '0', '--handlers', './nowhere.mjs'], { cwd })).toContain('nowhere.mjs')
  expect(await problemOf(['--port', '0', '--handlers', './handlers.mjs'], { cwd })).toContain('list of msw handlers')
})

/** The same within this process, which is quicker: what main.ts would print. */
const refusalOf = (...args: string[]): Promise<string> =>
  runCommandLine(args).then(
    () => 'nothing was refused',
    (error: Error) => `${error.name}: ${error.message}`,
  )

test('an option of another command is none of this one', async () => {
  expect(await refusalOf('list', '--port=1')).toBe(
    'UsageError: There is no option --port. Options of list are: --faults, --help, --version.',
  )
})

test('a misspelt option of check is answered with the one that was meant', async () => {
  expect(await refusalOf('check', 'a.yaml', '--jsn')).toBe(
    "UsageError: There is no option --jsn. Did you mean '--json'? Options of check are: --json, --strict, --help, --version.",
  )
})

test('an unknown command is answered with the one that was meant', async () => {
  expect(await refusalOf('lst')).toBe(
    "UsageError: There is no command 'lst'. Did you mean 'list'? Commands are: start, run, check, list, init, record, diff.",
  )
})

test('a scenario named without its option is answered with the option', async () => {
  expect(await refusalOf('rate-limited')).toContain('api-mock --scenario rate-limited')
})

test.each(['', '0', '-1', '1e3', '0.0001', '1000001', 'fast'])(
  'speed %j is refused with what is allowed',
  async (speed) => {
    expect(await refusalOf(`--speed=${speed}`)).toBe(
      `UsageError: --speed: found '${speed}', allowed is a number from 0.001 to 1,000,000; at 100, a minute passes in 0.6 s.`,
    )
  },
)

test.each(['0', '33', '2.5', 'two', '-1', ''])('workers %j are refused with what is allowed', async (workers) => {
  expect(await refusalOf(`--workers=${workers}`)).toBe(
    `UsageError: --workers: found '${workers}', allowed is a whole number from 1 to 32.`,
  )
})

test.each(['', '-1', '65536', '80.5', '1e3', ' 80'])('port %j is refused with what is allowed', async (port) => {
  expect(await refusalOf(`--port=${port}`)).toBe(
    `UsageError: --port: found '${port}', allowed is a whole number from 0 (any free port) to 65535.`,
  )
})

test('an option without its value is said so', async () => {
  expect(await refusalOf('--port')).toContain('--port needs a value')
  expect(await refusalOf('--scenario', '--port', '0')).toContain('--scenario needs a value')
  expect(await refusalOf('--host=')).toContain('--host: found nothing')
})

test('an unknown log style is answered with those there are', async () => {
  expect(await refusalOf('--log', 'jsn')).toContain(
    "--log: found 'jsn', allowed is pretty, json, none. Did you mean 'json'?",
  )
})

test('of an option given twice the last one counts', async () => {
  expect(await refusalOf('--log', 'none', '--log', 'loud')).toContain("found 'loud'")
})

test('words after two dashes are for run alone', async () => {
  expect(await refusalOf('--scenario', 'default', '--', 'pytest')).toContain('api-mock run -- pytest')
})

test('what stands before the two dashes of run is no command', async () => {
  expect(await refusalOf('run', 'pytest')).toContain('api-mock run -- pytest ...')
  expect(await refusalOf('run', 'pytest', '-q')).toContain('after two dashes')
  expect(await refusalOf('run', '--scenario', 'flaky')).toContain('run needs a command')
  expect(await refusalOf('run', '--', '')).toContain('run needs a command')
})

test('check without a file, and start with a word too many, say what is wrong', async () => {
  expect(await refusalOf('check')).toContain('check needs a file: api-mock check scenario.yaml')
  expect(await refusalOf('start', 'flaky')).toContain("Found 'flaky'")
})
