/** The steps of action.yml, run in bash with the variables of a runner of GitHub Actions and the package of the last build. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../fleet/processes.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'api-mock-action-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Step {
  readonly name: string
  readonly if: string
  readonly shell: string
  readonly env: Readonly<Record<string, string>>
  readonly run: string
}

const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly runs: { readonly steps: readonly Step[] }
}

/** The files that a runner gives to steps. */
const files = Object.fromEntries(
  ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'].map((name) => [name, join(folder, name)]),
)
for (const file of Object.values(files)) writeFileSync(file, '')
const read = (name: string): string => readFileSync(files[name]!, 'utf8')

// With the rest of this process's environment: npm may need certificates or a proxy that it names.
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...files,
  RUNNER_TEMP: folder,
  GITHUB_ACTION_PATH: root,
  ...Object.fromEntries(
    read('GITHUB_ENV')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ),
})

/** Runs the action as a step of a job, with its inputs; returns what it printed and how it ended. */
function use(inputs: Readonly<Record<string, string>>): { code: number | null; output: string } {
  const values: Record<string, string> = {
    ...Object.fromEntries(Object.entries(action.inputs).map(([name, { default: preset }]) => [name, preset])),
    ...inputs,
  }
  const fill = (text: string): string => text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => values[name]!)
  let output = ''
  for (const step of action.runs.steps) {
    const isDue = step.if.split(' && ').every((condition) => {
      const [, name, operator, value] = /^inputs\.(\w+) (==|!=) '(\w+)'$/.exec(condition)!
      return (values[name!] === value) === (operator === '==')
    })
    if (!isDue) continue
    expect(step.shell).toBe('bash')
    // An input in a script could run as a command.
    expect(step.run).not.toContain('${{')
    const script = join(folder, 'step.sh')
    writeFileSync(script, step.run)
    const env = Object.fromEntries(Object.entries(step.env).map(([variable, text]) => [variable, fill(text)]))
    const log = join(folder, 'output.log')
    // Into a file: the server that a step leaves running keeps a pipe open.
    const { status } = spawnSync('bash', ['-c', `exec bash --noprofile --norc -eo pipefail ${script} >${log} 2>&1`], {
      cwd: folder,
      env: { ...environment(), ...env },
    })
    output += readFileSync(log, 'utf8')
    if (status !== 0) return { code: status, output }
  }
  return { code: 0, output }
}

/** Packs the last build; returns the name of the file. */
function packedFile(): string {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  ) as [{ filename: string }]
  return packed.filename
}

test('the action starts the mock for later steps, reports on their calls, and stops it', async () => {
  const port = String(await freePort())
  const started = use({ scenario: 'rate-limited', port, version: join(folder, packedFile()) })
  expect(started, started.output).toMatchObject({ code: 0 })

  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key } = environment()
  expect(baseUrl).toBe(`http://127.0.0.1:${port}/v1`)
  expect(read('GITHUB_OUTPUT')).toBe(`url=${baseUrl}\n`)
  for (let call = 0; call < 5; call++) {
    await fetch(`${baseUrl}/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'hash-1', input: 'hello' }),
    })
  }

  const reported = use({ command: 'report', conduct: 'strict' })
  expect(reported.output).toContain('::error title=api-mock early-retry')
  expect(reported.code).toBe(1)
  expect(read('GITHUB_STEP_SUMMARY')).toContain('1 replica, 1 answered: 5 calls (3 x 200, 2 x 429)')
  const pid = Number(readFileSync(join(folder, 'api-mock.pid'), 'utf8'))
  for (let look = 0; look < 600 && isRunning(pid); look++) await new Promise((wake) => setTimeout(wake, 100))
  expect(isRunning(pid)).toBe(false)
})

test('a mock that cannot start fails the step at once, with its last lines', () => {
  const started = performance.now()
  const { code, output } = use({ scenario: 'no-such-scenario', version: join(folder, packedFile()) })
  expect(code).toBe(1)
  expect(output).toContain('no-such-scenario')
  expect(output).toContain('::error title=llm-api-mock::The mock did not start. Its last lines are above.')
  expect(performance.now() - started).toBeLessThan(60_000)
})

test('a command that the action does not have is an error that names those it has', () => {
  expect(use({ command: 'stop\n::warning::x' })).toEqual({
    code: 1,
    output: "::error title=llm-api-mock::Expected command start or report, got 'stop???warning??x'.\n",
  })
})

test('without a version, the action asks for the package of its own version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho "npm $*"\nexit 1\n', { mode: 0o755 })
  const { PATH } = process.env
  process.env.PATH = `${bin}:${PATH}`
  onTestFinished(() => void (process.env.PATH = PATH))
  expect(use({}).output).toContain(` llm-api-mock@${version}\n`)
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
