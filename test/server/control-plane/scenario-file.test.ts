/** The scenario file of a server, which its page edits and saves. */
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadScenario } from '../../../src/node.ts'
import { fetchFrom, type Served, serve } from '../../support/http.ts'

const TEXT = '# Keep me.\ndescription: One.\nreplies:\n  - say: one # Really.\n'

function temporaryFile(text = TEXT): { readonly folder: string; readonly path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'scenario-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'scenario.yaml')
  writeFileSync(path, text)
  return { folder, path }
}

const serveFile = async (path: string, more: object = {}): Promise<Served> =>
  serve(await loadScenario(path), { listen: { scenarioFile: path, ...more } })

const read = async (server: Served) => (await fetchFrom(server, { path: '/_mock/scenario' })).json

const save = (server: Served, text: string, version: string, headers: Readonly<Record<string, string>> = {}) =>
  fetchFrom(server, { method: 'PUT', path: `/_mock/scenario/file?version=${version}`, body: text, headers })

test('the text of the active scenario is that of its file, with comments', async () => {
  const { path } = temporaryFile()
  const { text, file } = await read(await serveFile(path))
  expect(text).toBe(TEXT)
  expect(file).toEqual({ path, text: TEXT, version: expect.any(String) })
})

test('a saved text is in the file and active, and nothing else is in its folder', async () => {
  const { folder, path } = temporaryFile()
  chmodSync(path, 0o600)
  const server = await serveFile(path)
  const { file } = await read(server)
  const next = TEXT.replace('say: one', 'say: two')
  const { status, json } = await save(server, next, file.version)
  expect([status, json.name, json.text, json.file.text]).toEqual([200, path, next, next])
  expect([readFileSync(path, 'utf8'), readdirSync(folder), statSync(path).mode & 0o777]).toEqual([
    next,
    ['scenario.yaml'],
    0o600,
  ])
  expect((await fetchFrom(server)).json.choices[0].message.content).toBe('two')
})

test('a change of comments resets nothing', async () => {
  const { path } = temporaryFile()
  const server = await serveFile(path)
  await fetchFrom(server, { method: 'PUT', path: '/_mock/scenario?edited=true', body: TEXT })
  const first = await save(server, TEXT.replace('Keep', 'Change'), (await read(server)).file.version)
  expect(first.json.name).toBe(path)
  server.mock.inject('overloaded')
  const second = await save(server, TEXT, first.json.file.version)
  expect([second.json.text, (await fetchFrom(server, { path: '/_mock/faults' })).json.faults.length]).toEqual([TEXT, 1])
})

test('a saved text has the files of sessions that it had before, and no others', async () => {
  const { folder, path } = temporaryFile('keys: { a: { scenario: team-a.yaml }, b: {} }\n')
  writeFileSync(join(folder, 'team-a.yaml'), 'replies: [{ say: A }]\n')
  const server = await serveFile(path)
  const { text, file } = await read(server)
  expect(text).toBe(file.text)
  const saved = (await save(server, `# Saved.\n${text}`, file.version)).json.file
  server.mock.inject('overloaded', { session: 'team-a' })
  const other = await save(server, text.replace('team-a.yaml', '/etc/passwd'), saved.version)
  expect([other.status, other.json.error.message]).toEqual([
    403,
    "Not saved: the file does not name '/etc/passwd' yet. Write it into the file on disk first.",
  ])
  expect((await save(server, text.replace('b: {}', 'c: {}'), saved.version)).status).toBe(200)
  // The session has the same scenario as before, so it is not reset.
  expect((await fetchFrom(server, { key: 'a' })).status).toBe(503)
  expect((await fetchFrom(server, { key: 'a' })).json.choices[0].message.content).toBe('A')
  expect([(await fetchFrom(server, { key: 'b' })).status, (await fetchFrom(server, { key: 'c' })).status]).toEqual([
    401, 200,
  ])
})

test('a file that has changed meanwhile is not overwritten', async () => {
  const { path } = temporaryFile()
  const server = await serveFile(path)
  const { file } = await read(server)
  writeFileSync(path, 'description: Of somebody else.\n')
  const { status, json } = await save(server, TEXT, file.version)
  expect([status, json.error.message]).toEqual([
    409,
    `Not saved: '${path}' has changed on disk since its text was read. Read its text again, and make your changes there.`,
  ])
  expect(readFileSync(path, 'utf8')).toBe('description: Of somebody else.\n')
  expect((await save(server, TEXT, '')).status).toBe(409)
})

test('of two saves of the same version, one is refused', async () => {
  const { path } = temporaryFile()
  const server = await serveFile(path)
  const { version } = (await read(server)).file
  const answers = await Promise.all(['two', 'three'].map((word) => save(server, `description: ${word}\n`, version)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('a text with problems is not saved', async () => {
  const { path } = temporaryFile()
  const server = await serveFile(path)
  const { status, json } = await save(server, 'description: x\nsede: 7\n', (await read(server)).file.version)
  expect([status, json.error.message]).toEqual([400, expect.stringContaining('body:2:1')])
  expect(readFileSync(path, 'utf8')).toBe(TEXT)
})

test('a file that breaks on disk is shown as the terminal shows it, and the last good scenario stays', async () => {
  const { path } = temporaryFile()
  const server = await serveFile(path)
  const broken = 'description: x\nsede: 7\n'
  writeFileSync(path, broken)
  const { text, file } = await read(server)
  expect(file).toMatchObject({ text: broken, problem: expect.stringContaining(`${path}:2:1`) })
  expect(text).toBe('description: One.\nreplies:\n  - say: one\n')
  // It can be mended here.
  expect((await save(server, TEXT, file.version)).status).toBe(200)
  rmSync(path)
  const gone = (await read(server)).file
  expect(gone).toEqual({ path, problem: expect.stringContaining('there is no such file') })
  const refused = await save(server, TEXT, gone.version)
  expect([refused.status, refused.json.error.message]).toEqual([
    409,
    expect.stringMatching(/^Not saved: .*no such file/),
  ])
})

test('a link stays a link, and line ends of Windows stay', async () => {
  const { folder, path } = temporaryFile(TEXT.replaceAll('\n', '\r\n'))
  const link = join(folder, 'link.yaml')
  symlinkSync(path, link)
  const server = await serveFile(link)
  expect((await save(server, TEXT.replace('one', 'two'), (await read(server)).file.version)).status).toBe(200)
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe(TEXT.replace('one', 'two').replaceAll('\n', '\r\n'))
})

test('only the server names the file, and a save needs the access that the control plane needs', async () => {
  const without = await save(await serve(), TEXT, '')
  expect([without.status, without.json.error.message]).toEqual([
    404,
    'This server has no scenario file. Start it with --scenario scenario.yaml.',
  ])
  const { path } = temporaryFile()
  const server = await serveFile(path, { token: 'secret' })
  expect((await save(server, TEXT, '')).status).toBe(401)
  const open = await serveFile(path)
  expect((await save(open, TEXT, '', { origin: 'http://evil.example' })).status).toBe(403)
})
