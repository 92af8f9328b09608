/** Mistakes on the command line: one message on stderr and exit code 1, never a stack trace. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { runCommandLine } from '../../src/cli/args/command-line.ts'
import { COMMANDS } from '../../src/cli/args/command-table.ts'
import { findCommand, readLine } from '../../src/cli/args/read-line.ts'
import { type CommandOptions, command, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

async function problemOf(args: readonly string[], options?: CommandOptions): Promise<string> {
  const { code, stdout, stderr } = await command(args, options)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^api-mock: /)
  expect(stderr).not.toMatch(/^ +at |node:internal|Options:/m)
  return stderr
}

test('an unknown scenario suggests the nearest name and names the list command', async () => {
  expect(await problemOf(['--scenario', 'rate-limitd'])).toContain(
    "Unknown scenario 'rate-limitd'. Did you mean 'rate-limited'? See all: api-mock list.",
  )
})

test('a missing scenario file is named', async () => {
  expect(await problemOf(['--scenario', './nowhere.yaml'])).toContain('nowhere.yaml')
})

test('all problems of a bad file are printed at once, each with its line and column', async () => {
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

test('an unknown option suggests the intended one', async () => {
  const problem = await problemOf(['--scenaro', 'default'])
  expect(problem).toBe("api-mock: Unknown option --scenaro. Did you mean '--scenario'?\nSee api-mock --help\n")
})

test('a bad port is refused', async () => {
  expect(await problemOf(['--port', 'abc'])).toContain('--port: expected a whole number')
})

test('a host that is not an address of this machine is refused', async () => {
  expect(await problemOf(['--port', '0', '--host', '203.0.113.7'])).toContain("Host '203.0.113.7'")
})

test('handlers that cannot be loaded are refused at the start', async () => {
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

test('an option of another command is unknown, and the message names the commands that have it', async () => {
  expect(await refusalOf('list', '--port=1')).toBe(
    "UsageError: Unknown option --port. It is an option of 'start', 'run', and 'record'.\nSee api-mock list --help",
  )
  expect(await refusalOf('run', '--faults', 'cut', '--', 'true')).toContain("It is an option of 'hunt' and 'list'.")
})

test('a misspelt option suggests the nearest one', async () => {
  expect(await refusalOf('check', 'a.yaml', '--jsn')).toBe(
    "UsageError: Unknown option --jsn. Did you mean '--json'?\nSee api-mock check --help",
  )
  expect(await refusalOf('--prot', '80')).toBe(
    "UsageError: Unknown option --prot. Did you mean '--port'?\nSee api-mock --help",
  )
  expect(await refusalOf('run', '--reportFile=x', '--', 'true')).toContain("Did you mean '--report-file' or")
  expect(await refusalOf('-p', '80')).toContain('Unknown option -p.')
  expect(await refusalOf('--no-watch')).toContain('Unknown option --no-watch.')
})

test('help is shown whatever else is on the line', async () => {
  const { code, stdout, stderr } = await command(['check', '--foo', '--help'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('api-mock check [options] <files..>')
})

test('a misspelt command suggests the nearest one', async () => {
  expect(await refusalOf('lst')).toBe("UsageError: Unknown command 'lst'. Did you mean 'list'?\nSee api-mock --help")
})

test('a scenario given without its option suggests --scenario', async () => {
  expect(await refusalOf('rate-limited')).toContain('To choose a scenario: api-mock --scenario rate-limited')
  expect(await refusalOf('rate-limitd')).toContain('To choose a scenario: api-mock --scenario rate-limited')
  expect(await refusalOf('./mine.yaml')).toContain('To choose a scenario: api-mock --scenario ./mine.yaml')
})

test.each(['serve', 'server', 'up'])('%s is no command, and the message says how the server starts', async (word) => {
  expect(await refusalOf(word)).toMatch(
    /^UsageError: Unknown command '\w+'\. The server starts without a command: api-mock\. Commands: run, .*, fleet\.\n/,
  )
})

test('the example of a missing option is one of the same action', async () => {
  expect(await refusalOf('fleet', 'report')).toContain(
    'Missing option --targets, as in: api-mock fleet report --targets',
  )
  expect(await refusalOf('fleet', 'apply')).toContain('Missing option --targets, as in: api-mock fleet apply --targets')
})

test('an unknown action names the actions, and an unknown shell the shells', async () => {
  expect(await refusalOf('fleet', 'frobnicate')).toContain(
    "Expected fleet with 'apply', 'report', or 'watch', got 'frobnicate'.",
  )
  expect(await refusalOf('completion', 'ksh')).toBe("UsageError: completion: expected bash, zsh, fish, got 'ksh'.")
})

test('a server that is no mock is named, without its page', async () => {
  const server = createServer((_, response) => response.writeHead(404).end('<!DOCTYPE HTML>')).listen(0)
  const target = `localhost:${(server.address() as AddressInfo).port}`
  const { code, stdout } = await command(['fleet', 'report', '--targets', target])
  server.close()
  expect(code).toBe(1)
  expect(stdout).toContain('  GET /_mock/scenario was answered with 404. Is it another server?\n')
})

test('a fault that cannot be injected is refused before any replica is changed', async () => {
  expect(await refusalOf('fleet', 'apply', '--targets', 'localhost:1', '--fault', 'rate-limti')).toMatch(
    /^UsageError: --fault: .*Did you mean 'rate-limit'\?.*--faults\. No replica was changed\./,
  )
})

/** A value as messages show it. */
const shown = (value: string): string => (value === '' ? 'nothing' : `'${value}'`)

test.each(['', '0', '-1', '1e3', '0.0001', '1000001', 'fast'])(
  'speed %j is refused with the expected values',
  async (speed) => {
    expect(await refusalOf(`--speed=${speed}`)).toContain(
      `UsageError: --speed: expected a number from 0.001 to 1,000,000, got ${shown(speed)}.`,
    )
  },
)

test.each(['', '-1', '65536', '80.5', '1e3', ' 80'])('port %j is refused with what is expected', async (port) => {
  expect(await refusalOf(`--port=${port}`)).toContain(
    `UsageError: --port: expected a whole number from 0 (any free port) to 65535, got ${shown(port)}.`,
  )
})

test('an option without its value is refused', async () => {
  expect(await refusalOf('--port')).toContain('Option --port needs a value.')
  expect(await refusalOf('--scenario', '--port', '0')).toContain('Option --scenario needs a value.')
  expect(await refusalOf('--host=')).toContain('--host: expected an address of this machine')
})

test.each(['5x', '-1s', '0s', '99999h'])('the duration %j is refused with what is expected', async (time) => {
  expect(await refusalOf('hunt', `--time=${time}`, '--', 'true')).toContain(
    `UsageError: --time: expected a duration such as 30s or 2m (from 1ms to a day), got '${time}'.`,
  )
})

test('an unknown log format lists the allowed ones', async () => {
  expect(await refusalOf('--log', 'jsn')).toContain(
    "--log: expected pretty, json, none, got 'jsn'. Did you mean 'json'?",
  )
})

test('if an option is given twice, the last one counts', async () => {
  expect(await refusalOf('--log', 'none', '--log', 'loud')).toContain("got 'loud'")
})

test('two tokens for the same session are refused, and none of them is shown', async () => {
  const tokens = ['--session-token', 'team-a=secret-1', '--session-token', 'team-a=secret-2']
  const refusal = await refusalOf('--port', '0', ...tokens)
  expect(refusal).toContain("--session-token: expected one token for each session, got two for 'team-a'.")
  expect(refusal).not.toContain('secret')
})

test.each(['', ' ', '\t\n'])('the token %j is refused, because it would open the control plane', async (token) => {
  for (const args of [[`--token=${token}`], ['--token', token], ['run', `--token=${token}`, '--', 'true']]) {
    expect(await refusalOf(...args)).toContain(
      `--token: expected a token, got ${token === '' ? 'nothing' : 'only blanks'}. To give none, leave the option out.`,
    )
  }
})

test('a token of blanks in the variable is refused by the name of the variable', async () => {
  vi.stubEnv('API_MOCK_TOKEN', ' ')
  const refusal = await refusalOf('--port', '0').finally(() => vi.unstubAllEnvs())
  expect(refusal).toContain('API_MOCK_TOKEN: expected a token, got only blanks.')
})

test('only run, hunt, shrink and rehearse take a command after two dashes', async () => {
  for (const args of [['--scenario', 'default'], ['list'], ['check', 'a.yaml']]) {
    expect(await refusalOf(...args, '--', 'pytest')).toContain(
      'Only run, hunt, shrink and rehearse take a command after --',
    )
  }
})

test('run takes its command only after two dashes', async () => {
  expect(await refusalOf('run', 'npm', 'test')).toContain('Put -- before the command: api-mock run -- npm test')
  expect(await refusalOf('run', 'node', '-e', '1')).toContain('Put -- before the command: api-mock run -- node -e 1')
  expect(await refusalOf('run', 'echo', 'a', 'echo')).toContain('api-mock run -- echo a echo\n')
  expect(await refusalOf('run', '--scenario', 'npm', 'npm', 'test')).toContain('api-mock run -- npm test\n')
  expect(await refusalOf('run', '-e', '1')).toContain('Unknown option -e.')
  expect(await refusalOf('run', '--scenario', 'flaky', '-e')).toContain('Unknown option -e.')
  expect(await refusalOf('run', '--scenario', 'flaky')).toContain('Missing -- <command>')
  expect(await refusalOf('run', '--', '')).toContain('Missing -- <command>')
})

test('an option may come before the command, with or without a value', async () => {
  expect(await refusalOf('--strict', 'check')).toContain('Missing <files..>')
  expect(await refusalOf('--watch', 'run', '--scenario', 'flaky')).toContain('Missing -- <command>')
  expect(await refusalOf('--port', '0', 'run')).toContain('Missing -- <command>')
})

test('a missing or a superfluous argument is refused', async () => {
  expect(await refusalOf('check')).toBe(
    'UsageError: Missing <files..>, as in: api-mock check scenario.yaml\nSee api-mock check --help',
  )
  expect(await refusalOf('start', 'flaky')).toContain("Unexpected argument 'flaky'.")
  expect(await refusalOf('list', 'faults')).toContain("Unexpected argument 'faults'.")
})

test('a number with a sign, or a single dash, is a value or refused, and no word is lost', async () => {
  expect(await refusalOf('check', 'a.yaml', '-1')).toContain("Unexpected argument '-1'.")
  expect(await refusalOf('init', '-5', 'a.yaml')).toContain("Unexpected argument '-5'.")
  expect(await refusalOf('list', '-')).toContain("Unexpected argument '-'.")
  expect(await refusalOf('fleet', '-1', 'apply')).toContain("Unexpected argument '-1'.")
  expect(await refusalOf('--speed', '-1')).toContain("--speed: expected a number from 0.001 to 1,000,000, got '-1'.")
})

test('an option of the other action of fleet is refused', async () => {
  const fleet = (action: string, ...options: string[]) =>
    refusalOf('fleet', action, '--targets', 'localhost:1', ...options)
  expect(await fleet('report', '--scenario', 'flaky')).toBe(
    'UsageError: --scenario: expected fleet apply, got fleet report.\nSee api-mock fleet --help',
  )
  expect(await fleet('apply', '--reset', '--report=json')).toContain(
    '--report: expected fleet report, got fleet apply.',
  )
  expect(await fleet('watch', '--scenario', 'flaky')).toContain('--scenario: expected fleet apply, got fleet watch.')
  expect(await fleet('revert', '--reset')).toContain("Expected fleet with 'apply', 'report', or 'watch', got 'revert'.")
})

test.each(['--report-file', '--journal-file', '--metrics-file'])(
  'a file that fleet report cannot write is refused first: %s',
  async (option) => {
    const file = join(temporaryFolder(), 'missing', 'file')
    const refusal = await refusalOf('fleet', 'report', '--targets', 'localhost:1', option, file)
    expect(refusal).toContain(`Failed to write the ${option.slice(2, -5)} to '${file}': the folder '`)
  },
)

test.each(['--constructor', '--toString', '--__proto__', '--$0', '--_'])('the option %s is unknown', async (option) => {
  expect(await refusalOf(option, 'x')).toBe(`UsageError: Unknown option ${option}.\nSee api-mock --help`)
  expect(await refusalOf('run', option, '--', 'true')).toBe(
    `UsageError: Unknown option ${option}.\nSee api-mock run --help`,
  )
})

test.each([
  ['maybe', '--watch=maybe'],
  ['1', '--version=1'],
  ['no', 'list', '--faults=no'],
  ['true', '--watch', 'true'],
  ['false', 'check', '--strict', 'false'],
])('a flag with a value is refused: %s, %s %s', async (value, ...args) => {
  const refusal = await refusalOf(...args.filter((arg) => arg !== undefined))
  expect(refusal).toMatch(/^UsageError: --\w+ takes no value, got '/)
  expect(refusal).toContain(`got '${value}'.\n`)
})

test('any line is read, or refused with a message', async () => {
  const names = COMMANDS.flatMap(({ name, options }) => [name, ...Object.keys(options).map((option) => `--${option}`)])
  const others = ['', '-', '--', '-5', '-vh', '--a.b', '--no-watch', '--seed=', "'7'", 'true', 'a.yaml', '--__proto__']
  const word = fc.oneof(fc.constantFrom(...names), fc.constantFrom(...others), fc.string())
  const property = fc.asyncProperty(fc.array(word, { maxLength: 6 }), async (args) => {
    const read = readLine(findCommand(args), args)
    const { given } = await read.catch((error: Error) => {
      expect([error.name, error.message]).toEqual(['UsageError', expect.stringMatching(/\S/)])
      return { given: {} }
    })
    expect(Object.getPrototypeOf(given)).toBe(Object.prototype)
  })
  await fc.assert(property, { numRuns: 300 })
})

test('options of one letter are not grouped', async () => {
  expect(await refusalOf('-vh')).toContain('Unknown option -vh.')
})

test('every missing option is named', async () => {
  expect(await refusalOf('record')).toContain('Missing options --upstream and --out, as in: api-mock record')
  expect(await refusalOf('record', '--out', 'a.yaml')).toContain('Missing option --upstream, as in: api-mock record')
})

test('an empty seed is refused', async () => {
  expect(await refusalOf('--seed', '')).toContain('--seed: expected a text, got nothing.')
})

test('messages shorten values of more than 100 characters', async () => {
  expect(await refusalOf('--port', '9'.repeat(101))).toContain(`got '${'9'.repeat(100)}...'.`)
})

test('diff checks the cassette and the scenario before the key', async () => {
  const upstream = ['--upstream', 'https://127.0.0.1:1/v1']
  expect(await refusalOf('diff', 'nope.yaml', ...upstream)).toContain('nope.yaml')
})

test.each([
  ['a folder', 'folder'],
  ['a folder with a slash', 'folder/'],
  ['below a file', 'file/report'],
  ['a new folder', 'new/'],
])('run refuses a report file that is %s before the command starts', async (_, path) => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'folder'))
  writeFileSync(join(cwd, 'file'), 'kept')
  const problem = await problemOf(['run', '--report-file', path, '--', 'echo', 'ran'], { cwd })
  expect(problem).toContain(`Failed to write the report to '${path}': `)
  expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('kept')
})

test('a report that cannot be written after all is on stderr, and the exit code is 1', async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'folder'))
  const args = ['--report', 'json', '--report-file', 'folder/report', '--', 'rm', '-r', 'folder']
  const { code, stderr } = await command(['run', ...args], { cwd })
  expect(code).toBe(1)
  expect(stderr).toContain("Failed to write the report to 'folder/report': the folder 'folder' does not exist.")
  expect(stderr).toContain('{"calls":0,"findings":[]')
})

test('run refuses a report file in a missing folder before the command starts', async () => {
  const cwd = temporaryFolder()
  const problem = await problemOf(['run', '--report-file', 'x/report', '--', 'echo', 'ran'], { cwd })
  expect(problem).toBe(
    "api-mock: Failed to write the report to 'x/report': the folder 'x' does not exist. Create it first.\n",
  )
})
