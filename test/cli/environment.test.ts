/** Options as environment variables: their names, their forms, and what wins. */
import { expect, test, vi } from 'vitest'
import { COMMANDS } from '../../src/cli/args/command-table.ts'
import { misspelledVariables, readVariable, variableOf } from '../../src/cli/args/environment.ts'
import { flag, list, text } from '../../src/terminal/option.ts'
import { command, start } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

const same = (given: string): string => given
const read = (name: string, option: Parameters<typeof readVariable>[1], value: string) =>
  readVariable(name, option, { [variableOf(name)]: value })

test('a variable has the name of its option', () => {
  expect(variableOf('report-file')).toBe('API_MOCK_REPORT_FILE')
})

test('the options of one variable have one form', () => {
  const forms = new Map<string, string>()
  for (const { options, ignoresVariables } of COMMANDS) {
    for (const [name, { type, isList, hasVariable = true }] of Object.entries(options)) {
      if (!hasVariable || ignoresVariables) continue
      const form = `${type} ${isList ?? false}`
      expect(forms.get(name) ?? form, name).toBe(form)
      forms.set(name, form)
    }
  }
})

/** Options that mean the same in words that fit their commands. One of another meaning needs another name. */
const WORDED_FOR_THEIR_COMMANDS = {
  ignore: ['that may change from run to run', 'that may differ when it is replayed'],
  out: ['Cassette to write', 'Scenario to write'],
  report: ["Format of a report on the client's mistakes", 'Format of a report:', 'Format of a report:'],
  scenario: ['Built-in scenario', 'Base scenario: a built-in one', 'Scenario with random faults'],
}

test('a variable has one meaning: its options are worded alike, or known to mean the same', () => {
  const summaries = new Map<string, Set<string>>()
  for (const { options, ignoresVariables } of COMMANDS) {
    for (const [name, { summary, hasVariable = true }] of Object.entries(options)) {
      if (hasVariable && !ignoresVariables) summaries.set(name, (summaries.get(name) ?? new Set()).add(summary))
    }
  }
  const several = [...summaries].filter(([, { size }]) => size > 1).map(([name, all]) => [name, [...all]])
  const expected = Object.entries(WORDED_FOR_THEIR_COMMANDS).map(([name, parts]) => [
    name,
    parts.map((part) => expect.stringContaining(part)),
  ])
  expect(Object.fromEntries(several)).toEqual(Object.fromEntries(expected))
})

test('a flag is true or false, or 1 or 0', () => {
  expect(['true', 'TRUE', '1', 'false', '0'].map((value) => read('watch', flag(''), value)?.[0])).toEqual([
    'true',
    'true',
    'true',
    'false',
    'false',
  ])
  expect(() => read('watch', flag(''), 'maybe')).toThrow("API_MOCK_WATCH: expected true or false, got 'maybe'.")
})

test('a list has a value on each line', () => {
  expect(read('redact', list('', same), 'a, b\n\n/c/i\n')).toEqual(['a, b', '/c/i'])
})

test('an empty variable, and one that Kubernetes sets for a service, is not set', () => {
  const port = text('', same)
  expect([read('port', port, ''), read('port', port, 'tcp://10.0.0.1:4010'), readVariable('port', port, {})]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a variable whose name is nearly that of an option is warned of', async () => {
  const { stdout, stderr } = await command(['list'], { env: { API_MOCK_SENARIO: 'flaky', API_MOCK_SEED: '5' } })
  expect(stderr).toBe('Warning: API_MOCK_SENARIO sets no option. Did you mean API_MOCK_SCENARIO?\n')
  expect(stdout).toContain('flaky')
})

test('variables of other programs, and those that Kubernetes sets for a service, are not warned of', () => {
  const options = COMMANDS.flatMap((one) => Object.keys(one.options))
  const names = [
    'SERVICE_HOST',
    'SERVICE_PORT',
    'PORT_4010_TCP_ADDR',
    'PORT_4010_TCP',
    'VERSION',
    'HUNT_RUN',
    'DID',
    'URL',
    '',
  ]
  const environment = Object.fromEntries(names.map((name) => [`API_MOCK_${name}`, 'x']))
  expect(misspelledVariables(options, { ...environment, SCENARO: 'x' })).toEqual([])
})

test('the server takes its options from variables, and the command line has precedence', async () => {
  const env = { API_MOCK_SCENARIO: 'flaky', API_MOCK_SEED: '5', API_MOCK_LOG: 'json' }
  const { server } = await start(['--seed', '6'], { env })
  expect(JSON.parse(server.stdout)).toMatchObject({ scenario: 'flaky', seed: '6' })
})

test('a wrong value is reported by the name of its variable', async () => {
  const { code, stderr } = await command([], { env: { API_MOCK_LOG: 'preety' } })
  expect([code, stderr]).toEqual([
    1,
    "api-mock: API_MOCK_LOG: expected pretty, json, none, got 'preety'. Did you mean 'pretty'?\nSee api-mock --help\n",
  ])
})

test('run keeps its variables from the command, and takes no token from a run around it', async () => {
  const show = 'console.log(JSON.stringify(Object.keys(process.env).filter((name) => /^API_MOCK_/.test(name)).sort()))'
  const outer = { API_MOCK_SEED: '7', API_MOCK_LOG: 'none' }
  const { stdout, stderr } = await command(['run', '--', process.execPath, '-e', show], { env: outer })
  expect(JSON.parse(stdout)).toEqual(['API_MOCK_URL'])
  expect(stderr).toContain('seed 7')
  const nested = { API_MOCK_URL: 'http://127.0.0.1:1', API_MOCK_TOKEN: 'of-the-outer-run' }
  expect(JSON.parse((await command(['run', '--', process.execPath, '-e', show], { env: nested })).stdout)).toEqual([
    'API_MOCK_URL',
  ])
})

test('help lists the variables', async () => {
  const { stdout } = await command(['wait', '--help'])
  expect(stdout.replace(/\s+/g, ' ')).toContain('leaves out: API_MOCK_URL, API_MOCK_TIMEOUT.')
})
