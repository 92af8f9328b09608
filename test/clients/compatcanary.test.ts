/** CompatCanary, a scanner of services like this one: all its probes of chat and responses pass. */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'
import { GENEROUS_MS } from './placed.ts'

const CLI = resolve(import.meta.dirname, 'node_modules/compatcanary/src/cli.js')

const SCENARIOS = [
  ['default', 'echo-1'],
  ['openai', 'gpt-4o-mini'],
] as const

test.each(SCENARIOS)('the score of %s is 100', { timeout: GENEROUS_MS }, async (scenario, model) => {
  const server = await listen(createMock(scenario), { port: 0 })
  const args = ['scan', '--base-url', server.url, '--model', model, '--format', 'json', '--fail-on', 'never']
  const env = { ...process.env, OPENAI_API_KEY: 'sk-client' }
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { env }).finally(() => server.close(0))
  const { score, results } = JSON.parse(stdout) as { score: number; results: { status: string; summary: string }[] }
  expect(results.filter(({ status }) => status !== 'pass')).toEqual([])
  expect(results).toHaveLength(7)
  expect(score).toBe(100)
})
