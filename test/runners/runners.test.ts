/**
 * The packed package in projects with Jest, mocha, node:test and vitest 5, each a folder beside this file.
 *
 * Run `npm run build` and `npm run runners:install` first. What is not in test/runners/package.json comes from the
 * project's own node_modules.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import msw from 'msw/package.json' with { type: 'json' }
import { beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const modules = join(import.meta.dirname, 'node_modules')
const vitest5 = join(import.meta.dirname, 'vitest-5/node_modules')

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'api-mock-runners-'))
  try {
    const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
    const tarball = join(folder, execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim())
    // Beside each vitest, so that it finds that one.
    for (const installed of [modules, vitest5].map((path) => join(path, 'llm-api-mock'))) {
      rmSync(installed, { recursive: true, force: true })
      mkdirSync(installed, { recursive: true })
      execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed])
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

const jest = join(modules, 'jest/bin/jest.js')
const hasCommonJs = msw.version.startsWith('2.')

test.skipIf(!hasCommonJs)('the mock works in Jest with CommonJS (not with msw 3, which has ES modules only)', () => {
  expectPassed(10, [jest, '--config', 'jest-commonjs/jest.config.cjs'])
})

test.skipIf(!hasCommonJs)('a test that fails in Jest prints its calls, also where the client or a hook threw', () => {
  const { status, output } = run([jest, '--config', 'jest-failing/jest.config.cjs'])
  expect(status).toBe(1)
  expect(output).toContain('Tests:       3 failed, 2 passed, 5 total')
  const calls = "#1 POST /v1/chat/completions 'weather' -> "
  for (const [name, answer] of [
    ['an assertion fails', '200 reply replies[0]'],
    ['the client throws', '500 fault server-error (injected)'],
    ['with a hook the hook throws', '200 reply replies[0]'],
  ]) {
    expect(output).toMatch(new RegExp(`in the test '${name}':\\s+${(calls + answer).replace(/[[\]()]/g, '\\$&')}`))
  }
  expect(output.match(/The mock got/g)).toHaveLength(3)
  expect(output).toContain(
    "the injected fault hang never applied to a call in the test 'a fault is injected for nothing'.",
  )
})

test.each([
  ['Jest with ES modules', 1, ['--experimental-vm-modules', jest, '--config', 'jest-esm/jest.config.mjs']],
  ['mocha', 2, [join(modules, 'mocha/bin/mocha.js'), 'mocha/*.test.cjs']],
  ['node:test', 2, ['--test', '--test-reporter=tap', 'node-test/weather.test.mjs', 'node-test/hang.test.mjs']],
])('the mock works in %s', (_, count, args) => expectPassed(count, args))

test.skipIf(process.versions.node.startsWith('20.'))('the mock works in vitest 5, which needs Node 22.12', () => {
  expectPassed(7, [join(vitest5, 'vitest/vitest.mjs'), 'run', '--root', 'vitest-5'])
})

test('the matchers have types for the global expect of Jest and for that of @jest/globals', () => {
  expect(run([join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.json'])).toEqual({ status: 0, output: '' })
})

function expectPassed(count: number, args: readonly string[]): void {
  const { status, output } = run(args)
  expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' })
  expect(output).toMatch(new RegExp(`${count} passed|${count} passing|# pass ${count}\\b`))
}

/** Runs a Node program in this folder: its exit status and what it printed. */
function run(args: readonly string[]): { status: number; output: string } {
  // vitest sets variables that make Jest and node:test behave differently.
  const { NODE_OPTIONS: _, NODE_ENV: __, VITEST: ___, ...env } = process.env
  try {
    const options = { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe', env } as const
    return { status: 0, output: execFileSync('sh', ['-c', 'exec "$0" "$@" 2>&1', process.execPath, ...args], options) }
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string }
    return { status, output: stdout }
  }
}
