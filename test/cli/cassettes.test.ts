/** `api-mock cassettes check`: what it prints, and its exit codes. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { command } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

const CASSETTE = `replies:
  - when: { endpoint: chat, request: { model: o3-mini, messages: [{ role: user, content: Hi }] } }
    answer: { status: 500, body: "{}" }
  - when: { endpoint: chat, request: { model: gpt-5.2, stop: x, messages: [{ role: user, content: Hi }] } }
    answer: { body: "{}" }
`

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'cassettes-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('the recordings to make again are listed last, and the exit code is 1', async () => {
  const file = join(folderWith({ 'a.yaml': CASSETTE }), 'a.yaml')
  expect(await command(['cassettes', 'check', file])).toMatchObject({
    code: 1,
    stderr: '',
    stdout: `${file} replies[1] chat gpt-5.2
  would be refused: 400 Unsupported parameter: 'stop' is not supported with this model.
2 recordings, 1 to make again:
  ${file} replies[1]
`,
  })
})

test('with a journal, the requests of the app are compared, and those without a recording are named', async () => {
  const sent = { model: 'gpt-6-luna', messages: [{ role: 'user', content: 'new' }] }
  const journal = JSON.stringify({ entries: [{ endpoint: 'chat', body: sent }] })
  const folder = folderWith({ 'a.yaml': CASSETTE, 'calls.jsonl': journal })
  const calls = join(folder, 'calls.jsonl')
  const { code, stdout } = await command(['cassettes', 'check', folder, '--calls', calls])
  expect(code).toBe(1)
  expect(stdout).toContain('  harmless: the app no longer sends this request: remove the recording\n')
  expect(stdout).toContain(`not recorded: chat gpt-6-luna ${JSON.stringify(sent)}\n`)
  expect(stdout).toMatch(/2 recordings, 1 missing, none to make again\.\n$/)
})

test('a file that is no cassette is named, and the others are checked', async () => {
  const folder = folderWith({ 'a.yaml': CASSETTE, 'b.json': '{bro', 'c.yaml': 'description: x' })
  const { code, stdout, stderr } = await command(['cassettes', 'check', folder])
  expect(code).toBe(1)
  expect(stdout).toContain('2 recordings, 1 to make again')
  expect(stderr).toContain(`Failed to check '${join(folder, 'b.json')}': `)
  expect(stderr).toContain(`Failed to check '${join(folder, 'c.yaml')}': it has no recorded requests.`)
})

test('an empty folder, no file and a journal without bodies are refused', async () => {
  const folder = folderWith({ 'a.yaml': CASSETTE })
  mkdirSync(join(folder, 'empty'))
  const stderrOf = async (...args: string[]) => (await command(['cassettes', 'check', ...args])).stderr
  expect(await stderrOf()).toContain('Missing <files..>, as in: api-mock cassettes check cassettes/')
  expect(await stderrOf(join(folder, 'empty'))).toContain("empty': the folder has no ")
  expect(await stderrOf(folder, '--calls', join(folder, 'a.yaml'))).toContain('expected a journal with calls')
})
