/** `api-mock rehearse`: what it prints, the forms of its report, and its exit codes. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { command } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

/** An app that calls once with each of these bodies, and fails on an error. */
const app = (...bodies: readonly object[]): string[] => [
  '--',
  process.execPath,
  '--input-type=module',
  '-e',
  `for (const body of ${JSON.stringify(bodies)}) {
    const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }], ...body }),
    })
    if (!answer.ok) throw new Error('the answer was ' + answer.status)
  }`,
]

test('a command that would break exits with 1 and names the error, its mend and the app', async () => {
  const { code, stdout, stderr } = await command(['rehearse', '--to', 'gpt-5.2', ...app({ stop: 'x' }, {})])
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout.split('\n').slice(0, 17)).toEqual([
    'gpt-5.2 in place of gpt-4o: 1 of 2 calls would be refused, and the app fails',
    "  400 Unsupported parameter: 'stop' is not supported with this model.",
    '    param: stop, code: unsupported_parameter',
    '    mend: leave out stop',
    "    call: #1 /v1/chat/completions 'Hi'",
    '  changes silently:',
    '    choices[].logprobs: no key instead of null (2 calls)',
    '    system_fingerprint: null instead of a text (2 calls)',
    '  the model:',
    '    longest input: 272,000 tokens instead of 128,000 tokens',
    '    longest answer: 128,000 tokens instead of 16,384 tokens',
    '    effort if none is sent: none instead of no reasoning',
    '    shutdown: not announced instead of 2027-01-14',
    '  tokens of 2 calls: 16 + 2 ($0.00006) before, 14 + 2 ($0.0000525) after',
    '  the app fails: it ended with exit code 1.',
    '    | Error: the answer was 400',
    expect.stringMatching(/^ {4}make the changes above first; --report json has its last \d+ lines$/),
  ])
})

test('a command that can move exits with 0', async () => {
  const { code, stdout } = await command(['rehearse', '--to', 'gpt-4.1', ...app({ stop: 'x' })])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^gpt-4\.1 in place of gpt-4o: no call would be refused\n/)
})

test('the reports for programs say the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rehearse-'))
  const fileOf = (form: string): string => join(folder, form)
  const forms = ['json', 'junit', 'github']
  const options = forms.flatMap((form) => ['--report', form, '--report-file', fileOf(form)])
  const { code, stdout } = await command(['rehearse', '--to', 'gpt-5.2', ...options, ...app({ stop: 'x' })])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  const [json = '', junit, github] = forms.map((form) => readFileSync(fileOf(form), 'utf8'))
  expect(JSON.parse(json).targets[0].refusals[0]).toMatchObject({ param: 'stop', mend: 'leave out stop' })
  expect(junit).toContain('<testsuite name="api-mock rehearse" tests="2" failures="2"')
  expect(github).toContain('::error title=api-mock rehearse gpt-5.2::400 Unsupported parameter')
})

const BUILT = join(import.meta.dirname, '../../dist/cli/main.js')

test.runIf(existsSync(BUILT))('the HTML page has the failures with their mends, and the calls of the last run', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'rehearse-')), 'rehearsal.html')
  const options = ['--to', 'gpt-5.2', '--report', 'html', '--report-file', file]
  const { status } = spawnSync(process.execPath, [BUILT, 'rehearse', ...options, ...app({ stop: 'x' })])
  expect(status).toBe(1)
  const [, data = ''] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(readFileSync(file, 'utf8')) ?? []
  expect(JSON.parse(data)).toMatchObject({
    title: 'Rehearsal of gpt-5.2',
    summary: 'gpt-5.2 in place of gpt-4o: 1 of 1 call would be refused, and the app fails',
    failures: [
      'gpt-5.2 in place of gpt-4o: 1 of 1 call would be refused, and the app fails',
      "gpt-5.2: Unsupported parameter: 'stop' is not supported with this model. Mend: leave out stop",
    ],
    run: { exitCode: 1 },
    calls: [{ model: 'gpt-5.2', status: 400 }],
  })
})

test.each([
  [
    ['--to', 'gpt-5.6-sool'],
    "api-mock: --to: no rules are known for the model 'gpt-5.6-sool'. Did you mean 'gpt-5.6-sol'",
  ],
  [['--to', 'gpt-5,gpt-5'], "api-mock: --to: 'gpt-5' is there twice."],
  [['--to', 'gpt-5,'], "api-mock: --to: expected a model, or several with commas between them, got 'gpt-5,'."],
  [['--to', 'gpt-5', '--from', 'o3'], "no call asks for the model 'o3'. The calls ask for 'gpt-4o'."],
])('%j exits with 2', async (options, message) => {
  const { code, stdout, stderr } = await command(['rehearse', ...options, ...app({})])
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
})

test('a command that fails as it is, or makes no call, exits with 2; one that does not start with 127', async () => {
  const fails = await command([
    'rehearse',
    '--to',
    'gpt-5',
    '--',
    process.execPath,
    '-e',
    'throw new Error("no database")',
  ])
  expect(fails.code).toBe(2)
  expect(fails.stderr).toContain('the command fails as it is, before a model is replaced.')
  expect(fails.stderr.trimEnd().split('\n')).toEqual([
    expect.stringContaining('Make it pass first: api-mock run -- <command> shows all that it prints.'),
    '  It ended with exit code 1.',
    '  | Error: no database',
  ])
  const silent = await command(['rehearse', '--to', 'gpt-5', '--', process.execPath, '-e', ''])
  expect(silent.code).toBe(2)
  expect(silent.stderr).toContain('the command made no call of a model. Does it read OPENAI_BASE_URL')
  expect((await command(['rehearse', '--to', 'gpt-5', '--', 'no-such-program'])).code).toBe(127)
})

test('list --models shows the models with their limits, prices and shutdowns', async () => {
  const { code, stdout } = await command(['list', '--models'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^gpt-4o +chat, responses +128000 +16384 +2\.5, 10 +2027-01-14 \(gpt-6-luna\)$/m)
})
