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
  const folder = folderWith({
    'a.yaml': CASSETTE,
    'b.json': '{bro',
    'c.yaml': 'description: x',
    'package.json': '{"name":"x"}',
  })
  const { code, stdout, stderr } = await command(['cassettes', 'check', folder])
  expect(code).toBe(1)
  expect(stdout).toContain('2 recordings, 1 to make again')
  expect(stderr).toContain(`Failed to check '${join(folder, 'b.json')}': `)
  expect(stderr).toContain(`${join(folder, 'c.yaml')}' has no recorded requests.`)
  expect(stderr).toContain(`Failed to check '${join(folder, 'package.json')}': it is not a cassette.\n`)
})

test('a missing file or folder is named, with the command that records one', async () => {
  const { code, stderr } = await command(['cassettes', 'check', 'nowhere'])
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^Failed to check 'nowhere': .* there is no such file \(looked for .*\/nowhere\)\. Check the path, or record one: api-mock record --upstream /,
  )
  const diff = await command(['diff', 'nowhere.yaml', '--upstream', 'https://127.0.0.1:1/v1'])
  expect(diff.stderr).toContain('or record one: api-mock record --upstream https://127.0.0.1:1/v1 --out')
})

test('an empty folder, no file and a journal without bodies are refused', async () => {
  const folder = folderWith({ 'a.yaml': CASSETTE })
  mkdirSync(join(folder, 'empty'))
  const stderrOf = async (...args: string[]) => (await command(['cassettes', 'check', ...args])).stderr
  expect(await stderrOf()).toContain('Missing <files..>, as in: api-mock cassettes check cassettes/')
  expect(await stderrOf(join(folder, 'empty'))).toContain("empty': the folder has no ")
  expect(await stderrOf(folder, '--calls', join(folder, 'a.yaml'))).toContain('expected a journal with calls')
})

/** Runs an app that sends one request, against a cassette with an ignored field. */
async function replay(body: object, options: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({
    'a.yaml': `ignore: [user]
replies:
  - when: { endpoint: chat, request: { model: gpt-5.2, messages: [{ role: user, content: Hi }] } }
    answer: { body: "{}" }
`,
  })
  const sent = { model: 'gpt-5.2', messages: [{ role: 'user', content: 'Hi' }], ...body }
  const script = `await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'content-type': 'application/json' },
    body: ${JSON.stringify(JSON.stringify(sent))},
  })`
  const app = ['--', process.execPath, '--input-type=module', '-e', script]
  const ended = await command(['run', '--scenario', join(folder, 'a.yaml'), ...options, ...app], { env })
  return { ...ended, folder }
}

test('run names what differs from a recording, and --cassettes strict fails on what is worth a look', async () => {
  const line =
    'api-mock: recording replies[0], worth a look: request.n: 2 instead of none (#1). To do: record it again, or name the field under ignore\n'
  const reported = await replay({ n: 2 }, [])
  expect(reported).toMatchObject({ code: 0, stderr: expect.stringContaining(line) })
  const strict = await replay({ n: 2 }, ['--cassettes', 'strict'])
  expect(strict).toMatchObject({ code: 1, stderr: expect.stringContaining(line) })
  expect(strict.stderr).toContain(
    'api-mock: failed: differences from recordings: 1 worth a look (--cassettes strict)\n',
  )
  const junit = ['--report', 'junit']
  const failure =
    '<failure message="differences from recordings: 1 worth a look (--cassettes strict)">recording replies[0]'
  const [inStrict, passed, inReport] = [
    await replay({ n: 2 }, ['--cassettes', 'strict', ...junit]),
    await replay({ user: 'b' }, ['--cassettes', 'strict', ...junit]),
    await replay({ n: 2 }, junit),
  ]
  expect(inStrict.stderr).toContain(`<testcase classname="cassettes" name="recordings">${failure}`)
  expect(inStrict.stderr).toContain('failures="1"')
  expect(passed.stderr).toContain('<testcase classname="cassettes" name="recordings"></testcase>')
  expect(inReport.stderr).not.toContain('classname="cassettes"')
  expect((await replay({ n: 2 }, [], { API_MOCK_CASSETTES: 'strict' })).code).toBe(1)
  expect((await replay({ user: 'b' }, ['--cassettes', 'strict'])).code).toBe(0)
})

test('the HTML report of a run is taken as its calls; a JSON report has no requests', async () => {
  const calls = [{ endpoint: 'chat', body: { model: 'gpt-5.2', n: 2, messages: [{ role: 'user', content: 'Hi' }] } }]
  const page = `<title>x</title><script type="application/json" id="embedded-report">${JSON.stringify({ calls })}</script>`
  const file = join(folderWith({ 'run.html': page }), 'run.html')
  const { folder } = await replay({}, [])
  const { stdout } = await command(['cassettes', 'check', folder, '--calls', file])
  expect(stdout).toContain('  worth a look: request.n: 2 instead of none\n')
  const json = join(folderWith({}), 'run.json')
  await replay({ n: 2 }, ['--report', 'json', '--report-file', json])
  expect((await command(['cassettes', 'check', folder, '--calls', json])).stderr).toContain(
    'or a page of run --report html.',
  )
})
