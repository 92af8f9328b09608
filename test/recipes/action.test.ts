/** The steps of action.yml, run in bash with the variables of a runner of GitHub Actions and the package of the last build. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
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
    const [, name, value] = /^inputs\.(\w+) == '(\w+)'$/.exec(step.if)!
    if (values[name!] !== value) continue
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

test('the action starts the mock for later steps, reports on their calls, and stops it', async () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
    }),
  ) as [{ filename: string }]
  const port = String(await freePort())
  const started = use({ scenario: 'rate-limited', port, version: join(folder, packed.filename) })
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

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
