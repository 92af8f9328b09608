/** README's two lines for a fresh machine work in a clone of the last commit, from an empty folder. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'fresh-clone-'))
const clone = join(folder, 'llm-api-mock')

const [start = '', runTests = ''] = [
  ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^npm ci && (.*?) +#/gm),
].map(([, command = '']) => command)

beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', ROOT, clone])
  // Both lines begin with it; it runs once here.
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: clone, stdio: 'pipe' })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the first line starts a server that answers', async () => {
  expect(start).toBe('npx api-mock --scenario rate-limited')
  const program = spawn('sh', ['-c', `exec ${start} --port 0`], { cwd: clone, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    let output = ''
    for await (const text of program.stdout.setEncoding('utf8')) {
      output += text
      if (output.includes('Ctrl-C')) break
    }
    const baseURL = /Base URL +(\S+)/.exec(output)![1]!
    const response = await fetch(`${baseURL}/embeddings`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'hash-1', input: 'hello' }),
    })
    expect(response.status).toBe(200)
  } finally {
    program.kill()
  }
})

// The whole of it takes minutes: .ci/run runs it in a clean clone.
test('the second line runs tests', () => {
  expect(runTests).toBe('npm test')
  const output = execFileSync('npm', ['test', '--', 'test/core/lib/text'], {
    cwd: clone,
    encoding: 'utf8',
    stdio: 'pipe',
  })
  expect(output).toMatch(/Tests .*\d+ passed/)
})
