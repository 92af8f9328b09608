/** The commands record and diff, as their users run them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runCommandLine } from '../../src/cli/args/command-line.ts'
import { serve } from '../support/http.ts'
import { Command, chat, command, pause, start, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 60_000 })

const KEY = { OPENAI_API_KEY: 'sk-test' }

async function recorder(upstream: string, cwd: string, ...more: string[]) {
  const server = new Command(['record', '--upstream', upstream, '--out', 'cassette.yaml', '--port', '0', ...more], {
    cwd,
  })
  const [, url] = await server.shows(/Base URL +(http:\/\/127\.0\.0\.1:\d+\/v1)/)
  return { server, url: url! }
}

test('record writes a cassette that start replays', async () => {
  const cwd = temporaryFolder()
  const upstream = await serve({ description: 'x', replies: [{ say: 'Call Case 17 of jo@example.com.' }] })
  const { server, url } = await recorder(upstream.url, cwd, '--redact', '/case \\d+/i', '--redact', 'Call')
  const real = await (await chat(url)).text()
  expect(real).toContain('Case 17')
  await server.shows(/POST \/v1\/chat\/completions 200 \d+ ms replies\[0\]/)
  await chat(url, 'Another')
  server.signal('SIGINT')
  const { code, stdout, stderr } = await server.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Recorded 2 answers to 2 requests. Replay: npx api-mock --scenario cassette.yaml')
  expect(readdirSync(cwd)).toEqual(['cassette.yaml'])

  const text = readFileSync(join(cwd, 'cassette.yaml'), 'utf8')
  expect(text).toMatch(/^description: "Recorded from http:\/\/127\.0\.0\.1:\d+\/v1 on \d{4}-\d\d-\d\d\."\nreplies:\n/)
  for (const left of ['Case 17', 'jo@example.com', 'sk-test', 'Call']) expect(text).not.toContain(left)
  expect((await command(['check', 'cassette.yaml'], { cwd })).stdout).toBe('ok cassette.yaml\n')
  const replay = await start(['--scenario', 'cassette.yaml'], { cwd })
  expect(await (await chat(replay.url)).text()).toBe(real.replace(/Call|Case 17|jo@example\.com/g, '[redacted]'))
})

test('each answer is saved soon after the call, and the file is always complete', async () => {
  const cwd = temporaryFolder()
  const upstream = await serve()
  const { server, url } = await recorder(upstream.url, cwd)
  expect(existsSync(join(cwd, 'cassette.yaml'))).toBe(false)
  await Promise.all(Array.from({ length: 20 }, (_, index) => chat(url, `number ${index}`)))
  await server.shows(/replies\[19\]/)
  const written = (): number => readFileSync(join(cwd, 'cassette.yaml'), 'utf8').split('endpoint: chat').length - 1
  while (!existsSync(join(cwd, 'cassette.yaml')) || written() < 20) await pause()
  server.signal('SIGKILL')
  await server.ended
  expect((await command(['check', 'cassette.yaml'], { cwd })).stdout).toBe('ok cassette.yaml\n')
})

test('record overwrites a file only with --force, and only when it recorded something', async () => {
  const cwd = temporaryFolder()
  const file = join(cwd, 'cassette.yaml')
  writeFileSync(file, 'mine')
  const upstream = await serve()
  const args = ['record', '--upstream', upstream.url, '--out', 'cassette.yaml', '--port', '0']
  const refused = await command(args, { cwd })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toBe(
    "api-mock: Failed to write 'cassette.yaml': it already exists. Choose another name, or overwrite it with --force.\n",
  )
  const idle = await recorder(upstream.url, cwd, '--force')
  idle.server.signal('SIGTERM')
  expect(await idle.server.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was recorded') })
  expect(readFileSync(file, 'utf8')).toBe('mine')

  const forced = await recorder(upstream.url, cwd, '--force')
  await chat(forced.url)
  forced.server.signal('SIGINT')
  expect((await forced.server.ended).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('Hello')
})

test('a file that appears while recording is not overwritten, and the exit code is 1', async () => {
  const cwd = temporaryFolder()
  const { server, url } = await recorder((await serve()).url, cwd)
  writeFileSync(join(cwd, 'cassette.yaml'), 'mine')
  await chat(url)
  await server.shows(/it already exists/, 'stderr')
  server.signal('SIGINT')
  const { code, stderr } = await server.ended
  expect(code).toBe(1)
  // The last save fails for the same reason.
  expect(stderr.match(/it already exists/g)).toHaveLength(1)
  expect(readFileSync(join(cwd, 'cassette.yaml'), 'utf8')).toBe('mine')
})

test('record refuses a folder and a path in a missing folder', async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'folder.yaml'))
  const stderrOf = async (out: string) =>
    (await command(['record', '--upstream', 'http://127.0.0.1:9/v1', '--out', out], { cwd })).stderr
  expect(await stderrOf('folder.yaml')).toContain('it is a folder')
  expect(await stderrOf('nowhere/cassette.yaml')).toContain("the folder 'nowhere' does not exist. Create it first.")
})

test('record --hybrid replays what the cassette knows and adds the rest', async () => {
  const cwd = temporaryFolder()
  const upstream = await serve()
  const first = await recorder(upstream.url, cwd, '--hybrid', '--ignore', 'user')
  const real = await (await chat(first.url, 'One')).text()
  await first.server.shows(/ replies\[0\]/)
  expect(await (await chat(first.url, 'One')).text()).toBe(real)
  await first.server.shows(/ replies\[0\] \(replayed\)/)
  first.server.signal('SIGINT')
  expect((await first.server.ended).stdout).toMatch(/Replayed 1 call\.\nRecorded 1 answer\. Replay: /)

  writeFileSync(join(cwd, 'cassette.yaml'), `# Mine.\n${readFileSync(join(cwd, 'cassette.yaml'), 'utf8')}`)
  const second = await recorder(upstream.url, cwd, '--hybrid')
  expect(await (await chat(second.url, 'One')).text()).toBe(real)
  await chat(second.url, 'Two')
  await second.server.shows(/ replies\[1\]/)
  second.server.signal('SIGINT')
  expect((await second.server.ended).stdout).toMatch(/Replayed 1 call\.\nRecorded 1 answer\. Replay: /)
  expect(upstream.mock.journal).toHaveLength(2)
  expect(readFileSync(join(cwd, 'cassette.yaml'), 'utf8')).toMatch(
    /^# Mine\.\n[\s\S]*content: One\n[\s\S]*content: Two\n/,
  )
  expect((await command(['check', '--strict', 'cassette.yaml'], { cwd })).stdout).toBe('ok cassette.yaml\n')

  const third = await recorder(upstream.url, cwd, '--hybrid')
  third.server.signal('SIGINT')
  expect((await third.server.ended).stdout).toContain('Nothing was recorded. cassette.yaml is unchanged.')
})

test('diff finds no drift in an unchanged service', async () => {
  const cwd = temporaryFolder()
  const upstream = await serve()
  const { server, url } = await recorder(upstream.url, cwd)
  await chat(url)
  server.signal('SIGINT')
  await server.ended
  const same = await command(['diff', 'cassette.yaml', '--upstream', upstream.url], { cwd, env: KEY })
  expect(same).toEqual({
    code: 0,
    signal: null,
    stderr: '',
    stdout: 'replies[0] chat echo-1 200: same shape\n1 request, no drift.\n',
  })
  const asTheMock = await command(['diff', 'cassette.yaml', '--upstream', upstream.url, '--scenario', 'openai'], {
    cwd,
    env: KEY,
  })
  expect(asTheMock.code).toBe(1)
  expect(asTheMock.stdout).toContain('status was 404, is 200')
})

test('diff shows missing, new and changed fields, and exits with 1', async () => {
  const cwd = temporaryFolder()
  const was = '{"id":"a","usage":{"total":1},"choices":[{"message":{"content":"x"}}],"annotations":[]}'
  const is = '{"id":1,"choices":[{"message":{"content":"x","audio":null}}],"annotations":[{"a":1}],"error":{}}'
  const replies = [{ when: { request: { model: 'm', messages: [] } }, answer: { body: was } }]
  writeFileSync(join(cwd, 'cassette.yaml'), JSON.stringify({ description: 'x', replies }))
  const upstream = await serve({ description: 'x', replies: [{ answer: { status: 201, body: is } }] })
  const args = ['diff', 'cassette.yaml', '--upstream', upstream.url]
  const { code, stdout, stderr } = await command(args, { cwd, env: KEY })
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(stdout).toBe(`replies[0] chat m 201: 5 differences
  status was 200, is 201
  id was string, is number
  usage is missing (was object)
  choices[].message.audio is new (null)
  error is new (object)
1 request, 1 drifted.
`)
  const json = JSON.parse((await command([...args, '--json'], { cwd, env: KEY })).stdout)
  expect(json).toMatchObject({
    upstream: upstream.url,
    drifted: 1,
    requests: [{ ruleId: 'replies[0]', endpoint: 'chat', model: 'm', status: 201 }],
  })
  expect(json.requests[0].differences[1]).toEqual({ path: 'id', change: 'type', before: 'string', now: 'number' })
})

test('diff explains why it cannot compare', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'plain.yaml'), 'description: No recording.\n')
  writeFileSync(
    join(cwd, 'cassette.yaml'),
    'description: x\nreplies: [{ when: { request: { model: m } }, answer: { body: "{}" } }]\n',
  )
  const problemOf = async (cassette: string, upstream: string) => {
    const { code, stderr } = await command(['diff', cassette, '--upstream', upstream], { cwd, env: KEY })
    expect(code).toBe(1)
    return stderr
  }
  expect(await problemOf('plain.yaml', 'http://127.0.0.1:9/v1')).toContain("'plain.yaml' has no recorded requests")
  expect(await problemOf('nowhere.yaml', 'http://127.0.0.1:9/v1')).toContain(
    "'nowhere.yaml': there is no such file (looked for ",
  )
  expect(await problemOf('cassette.yaml', 'http://127.0.0.1:9/v1')).toBe(
    'api-mock: Failed to compare replies[0]: connection to http://127.0.0.1:9 refused. Check --upstream.\n',
  )
  const breaking = await serve({ faults: [{ fault: 'reset-after-headers' }] })
  expect(await problemOf('cassette.yaml', breaking.url)).toContain('Failed to compare replies[0]: aborted.')
  const strict = await serve({ description: 'x', keys: { 'sk-other': {} } })
  expect(await problemOf('cassette.yaml', strict.url)).toContain('refused the key in OPENAI_API_KEY')
})

/** The same within this process, which is quicker: what main.ts would print. */
const refusalOf = (...args: string[]): Promise<string> =>
  runCommandLine(args).then(
    () => 'nothing was refused',
    (error: Error) => `${error.name}: ${error.message}`,
  )

test('a missing or wrong option is refused with the expected value', async () => {
  const upstream = ['--upstream', 'https://api.example.com/v1']
  expect(await refusalOf('record')).toBe(
    'UsageError: Missing options --upstream and --out, as in: api-mock record --upstream https://api.openai.com/v1 --out cassette.yaml\nSee api-mock record --help',
  )
  expect(await refusalOf('record', ...upstream)).toContain('Missing option --out, as in: api-mock record')
  expect(await refusalOf('record', ...upstream, '--out', 'a.json')).toContain(
    "--out: expected a file name that ends in .yaml or .yml, got 'a.json'.",
  )
  expect(await refusalOf('record', ...upstream, '--out', 'a.yaml', '--port', 'x')).toContain(
    "--port: expected a whole number from 0 (any free port) to 65535, got 'x'.",
  )
  expect(await refusalOf('record', ...upstream, '--out', 'a.yaml', '--host', '0.0.0.0')).toContain(
    'Unknown option --host.',
  )
  expect(await refusalOf('record', ...upstream, '--out', 'a.yaml', '--redact', '/(?=x)/')).toContain(
    '--redact: expected a valid pattern, got /(?=x)/',
  )
  expect(await refusalOf('record', ...upstream, '--out', 'a.yaml', '--hybrid', '--force')).toContain(
    'Expected --hybrid or --force, got both: --hybrid keeps the file.',
  )
  expect(await refusalOf('record', ...upstream, '--out', 'a.yaml', '--ignore', '$.user')).toContain(
    '--ignore: expected a path such as metadata.trace_id',
  )
  expect(await refusalOf('record', '--upstream', 'https://api.example.com', '--out', 'a.yaml')).toContain(
    'expected a URL that ends in /v1',
  )
  expect(await refusalOf('diff')).toContain('Missing <cassette>, as in: api-mock diff cassette.yaml')
  expect(await refusalOf('diff', 'a.yaml')).toContain('Missing option --upstream')
  const cassette = join(temporaryFolder(), 'a.yaml')
  writeFileSync(cassette, 'description: x\nreplies: [{ when: { request: { model: m } }, answer: { body: "{}" } }]\n')
  expect(await refusalOf('record', ...upstream, '--out', cassette, '--hybrid', '--ignore', 'user')).toContain(
    "does not ignore 'user'. Add it to the file, under 'ignore'.",
  )
  vi.stubEnv('OPENAI_API_KEY', '')
  expect(await refusalOf('diff', cassette, ...upstream)).toContain('Set OPENAI_API_KEY to a key of the real service.')
  vi.unstubAllEnvs()
})
