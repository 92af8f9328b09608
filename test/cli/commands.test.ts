/** The commands that start no server: list, check, init, help, completion. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { COMMANDS } from '../../src/cli/args/command-table.ts'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import { SCHEDULE_NAMES } from '../../src/core/scenario/grammar/fault-fields.ts'
import { REPLY_FIELDS } from '../../src/core/scenario/grammar/reply-fields.ts'
import { checkScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'
import { builtInScenarios } from '../../src/generated/built-in.ts'
import { chat, command, start, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

test('list shows every built-in scenario with its description', async () => {
  const { code, stdout } = await command(['list'])
  expect(code).toBe(0)
  for (const [name, { description }] of Object.entries(builtInScenarios)) {
    expect(stdout.split('\n').find((line) => line.startsWith(`${name} `))).toContain(description)
  }
})

test('list --faults shows every fault of the catalogue, with its options', async () => {
  const { code, stdout } = await command(['list', '--faults'])
  expect(code).toBe(0)
  for (const { name, summary } of faults) expect(stdout).toMatch(new RegExp(`^${name} +${escaped(summary)}$`, 'm'))
  expect(stdout).toMatch(/^ +retry-after=<duration> .* \(default 1s\)$/m)
})

test('list prints one list', async () => {
  expect(await command(['list', '--models', '--faults'])).toMatchObject({
    code: 1,
    stderr: 'api-mock: Expected --faults or --models, got both.\nSee api-mock list --help\n',
  })
})

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

test('check reports every problem of every file', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'good.yaml'), 'description: Good.\n')
  writeFileSync(join(cwd, 'bad.yaml'), 'description: Bad.\nsede: 7\npace: { firstToken: fast }\n')
  const good = await command(['check', 'good.yaml'], { cwd })
  expect(good).toMatchObject({ code: 0, stdout: 'ok good.yaml\n', stderr: '' })
  const all = await command(['check', 'bad.yaml', 'nowhere.yaml', 'good.yaml'], { cwd })
  expect(all.code).toBe(1)
  expect(all.stdout).toMatch(/bad\.yaml:2:1[\s\S]*bad\.yaml:3:\d+/)
  expect(all.stdout).toContain("Failed to read scenario file 'nowhere.yaml': there is no such file")
  const word = await command(['check', 'nowhere'], { cwd })
  expect(word.stdout).toContain('Check the path, or write a first one with `api-mock init nowhere.yaml`.')
  expect(all.stdout).toMatch(/\nok good\.yaml\n$/)
})

const WARNED = 'description: Warned.\nreplies:\n  - say: Always\n  - { when: { user: hello }, say: Never }\n'

test('check warns about parts without effect, and fails for them with --strict', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'warned.yaml'), WARNED)
  const line =
    'warned.yaml:4:5  replies[1]: never applies: replies[0] comes first and matches every call that this rule matches.'
  const warned = await command(['check', 'warned.yaml'], { cwd })
  expect(warned).toMatchObject({ code: 0, stderr: '' })
  expect(warned.stdout).toMatch(new RegExp(`^ok warned\\.yaml, with 1 warning:\\n  ${escaped(line)} .*\\n$`))
  const strict = await command(['check', '--strict', 'warned.yaml'], { cwd })
  expect(strict.code).toBe(1)
  expect(strict.stdout).toContain(`warned.yaml, with 1 warning:\n  ${line}`)
  expect(strict.stdout).not.toMatch(/^ok/)
})

test('check --json prints the problems and warnings of all files as one object', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'good.yaml'), 'description: Good.\n')
  writeFileSync(join(cwd, 'warned.yaml'), WARNED)
  writeFileSync(join(cwd, 'bad.yaml'), 'description: Bad.\nsede: 7\n')
  const fine = await command(['check', '--json', 'good.yaml', 'warned.yaml'], { cwd })
  expect(fine).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(fine.stdout)).toEqual({
    ok: true,
    files: [
      { file: 'good.yaml', ok: true, problems: 0, warnings: 0 },
      { file: 'warned.yaml', ok: true, problems: 0, warnings: 1 },
    ],
    problems: [],
    warnings: [
      {
        file: 'warned.yaml',
        line: 4,
        column: 5,
        path: ['replies', 1],
        message: expect.stringMatching(/^never applies: /),
        severity: 'warning',
      },
    ],
  })
  const all = await command(['check', '--json', '--strict', 'bad.yaml', 'warned.yaml', 'nowhere.yaml'], { cwd })
  expect(all.code).toBe(1)
  expect(JSON.parse(all.stdout)).toMatchObject({
    ok: false,
    files: [
      { file: 'bad.yaml', ok: false, problems: 1 },
      { file: 'warned.yaml', ok: false, problems: 0, warnings: 1 },
      { file: 'nowhere.yaml', ok: false, problems: 1 },
    ],
    problems: [
      { file: 'bad.yaml', line: 2, column: 1, path: ['sede'], severity: 'error' },
      { file: 'nowhere.yaml', line: null, column: null, path: [], severity: 'error' },
    ],
  })
})

test('check refuses a pattern that the regex engine does not support', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'pattern.yaml'), "description: Bad.\nreplies: [{ when: { user: '/(?=x)/' }, say: hi }]\n")
  const { code, stdout } = await command(['check', 'pattern.yaml'], { cwd })
  expect(code).toBe(1)
  expect(stdout).toContain('pattern.yaml')
})

test('init writes a scenario that check accepts and start runs, and overwrites nothing', async () => {
  const cwd = temporaryFolder()
  const first = await command(['init'], { cwd })
  expect(first.code).toBe(0)
  expect(first.stdout).toContain('npx api-mock --scenario scenario.yaml')
  const text = readFileSync(join(cwd, 'scenario.yaml'), 'utf8')
  expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/node_modules\/llm-api-mock\/scenario\.schema\.json\n/)
  expect((await command(['check', 'scenario.yaml'], { cwd })).stdout).toBe('ok scenario.yaml\n')

  const { url } = await start(['--scenario', 'scenario.yaml'], { cwd })
  const answers = []
  for (const text of ['weather in Rome?', 'please fail once', 'please fail once']) answers.push(await chat(url, text))
  expect(answers.map(({ status }) => status)).toEqual([200, 500, 200])
  expect(await answers[0]!.text()).toContain('It is sunny in Rome.')

  writeFileSync(join(cwd, 'scenario.yaml'), 'mine')
  const second = await command(['init'], { cwd })
  expect(second.code).toBe(1)
  expect(second.stderr).toContain("'scenario.yaml': it already exists")
  expect(readFileSync(join(cwd, 'scenario.yaml'), 'utf8')).toBe('mine')
})

test('every commented example of init is valid when uncommented', async () => {
  const cwd = temporaryFolder()
  await command(['init', 'all.yml'], { cwd })
  const text = readFileSync(join(cwd, 'all.yml'), 'utf8').replace(/^#(?=\S| {2})/gm, '')
  const { source, warnings } = checkScenario(text, 'all.yml')
  expect(warnings).toEqual([])
  expect(Object.keys(source).sort()).toEqual(
    ['description', 'faults', 'keys', 'limits', 'models', 'pace', 'replies', 'seed', 'states', 'validation'].sort(),
  )
  expect(source.replies!.flatMap((rule) => REPLY_FIELDS.filter((name) => rule[name] !== undefined)).sort()).toEqual([
    'call',
    'fault',
    'refuse',
    'say',
    'say',
    'say',
    'say',
  ])
  expect(new Set(source.faults!.flatMap((rule) => Object.keys(rule)))).toEqual(
    new Set(['fault', 'when', 'after', 'retryAfter', ...SCHEDULE_NAMES.filter((name) => !/from|until/.test(name))]),
  )
})

test('init refers to the schema relative to the file, and refuses a missing folder', async () => {
  const cwd = temporaryFolder()
  const missing = await command(['init', 'mocks/scenario.yaml'], { cwd })
  expect(missing).toMatchObject({ code: 1, stdout: '' })
  expect(missing.stderr).toContain("the folder 'mocks' does not exist")
  mkdirSync(join(cwd, 'mocks'))
  expect((await command(['init', 'mocks/scenario.yaml'], { cwd })).code).toBe(0)
  expect(readFileSync(join(cwd, 'mocks/scenario.yaml'), 'utf8')).toContain('$schema=../node_modules/llm-api-mock/')
})

test('help shows every command, and the help of each command shows its options', async () => {
  const { code, stdout } = await command(['--help'])
  expect(code).toBe(0)
  for (const { name } of COMMANDS) expect(stdout).toMatch(new RegExp(`^ +api-mock ${name}\\b.*`, 'm'))
  expect(stdout).toMatch(/^ +--seed +Override the scenario's seed$/m)
  for (const { name, options } of COMMANDS.filter((one) => ['run', 'record'].includes(one.name))) {
    const { stdout: help } = await command([name, '--help'])
    for (const option of Object.keys(options)) expect(help).toMatch(new RegExp(`^ +--${option} `, 'm'))
  }
  expect((await command(['help'])).stdout).toBe(stdout)
})

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'))
  for (const line of [['--version'], ['-v'], ['run', '--version']])
    expect((await command(line)).stdout).toBe(`${version}\n`)
})

test('completion prints a script that completes commands and their options', async () => {
  const script = await command(['completion'])
  expect(script).toMatchObject({ code: 0, stderr: '' })
  expect(script.stdout).toContain('--get-yargs-completions')
  const completionsOf = async (...words: string[]) =>
    (await command(['--get-yargs-completions', 'api-mock', ...words], { env: { SHELL: '/bin/bash' } })).stdout.split(
      '\n',
    )
  expect(await completionsOf('')).toEqual(expect.arrayContaining(COMMANDS.map(({ name }) => name)))
  expect(await completionsOf('check', '--')).toEqual(expect.arrayContaining(['--json', '--strict']))
  expect(await completionsOf('--sc')).toEqual(expect.arrayContaining(['--scenario', '--watch']))
})
