/**
 * Attack: a name that is taken for a path leaves its folder: the files of the page, the scenario over HTTP, the target
 * of a call, the file that a cassette is written to.
 * Defence: the control plane takes names of built-in scenarios or their text, and no file; the page's files are those of
 * one folder; calls have two fixed paths; a cassette is written beside its place and moved there, through no link.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CassetteFile } from '../../src/record/cassette-file.ts'
import { errorIn, fetchFrom, serve, stillAnswers } from '../support/http.ts'
import { attack } from './attacker.ts'

test.each([
  '../../etc/passwd',
  '/etc/passwd',
  './scenarios/flaky.yaml',
  'flaky.yaml',
  '..\\..\\secrets.json',
  'file:///etc/passwd',
  'x.YML',
  '..%5C..%5Csecrets',
  '%2e%2e%2fsecrets',
  'secrets.yaml\u0000',
  'flaky\u0000.yaml',
])('the name of a scenario never reads a file of the server: %j', async (scenario) => {
  const server = await serve()
  const answer = await fetchFrom(server, { path: '/_mock/scenario', method: 'PUT', body: { scenario } })
  expect([400, 404]).toContain(answer.status)
  expect(errorIn(answer).message).toMatch(/got the file|Unknown scenario/)
  expect(server.mock.scenario.name).toBe('default')
  await stillAnswers(server)
})

const OUTSIDE = ['package.json', 'node.ts', 'server/listen.ts', 'etc/passwd', '.git/config']
const WAYS_UP = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '..\\',
  '..%5c',
  '..%5C..%5C',
  '%252e%252e/',
  '%c0%ae%c0%ae/',
  '/',
  '%2f',
  '....//',
  '..;/',
]

test.each(WAYS_UP)('the page serves files of its folder only: %s is not found', async (up) => {
  const server = await serve()
  for (const file of OUTSIDE) {
    for (const depth of [1, 2, 3]) {
      const answer = await attack(server, { path: `/_mock/page/${up.repeat(depth)}${file}` })
      expect([400, 403, 404]).toContain(answer.status)
      errorIn(answer)
    }
  }
  await stillAnswers(server)
})

test.each(['%00', '', '.', '.git/config', 'main.js%00', 'main.js/..', 'page.html/../../index.ts'])(
  "'%s' is no file of the page",
  async (path) => {
    expect([400, 403, 404]).toContain((await attack(await serve(), { path: `/_mock/page/${path}` })).status)
  },
)

test.each([
  '/v1/../_mock/journal',
  '/v1/..%2f_mock/journal',
  '/v1/models/../../_mock/journal',
  '/v1/..%5C_mock/journal',
])('%s does not reach the control plane', async (path) => {
  const answer = await attack(await serve(), { path })
  expect([401, 404]).toContain(answer.status)
  expect(answer.json).not.toHaveProperty('entries')
})

/** A folder with a file to keep, and a link to it where the cassette is to be. */
function folderWithLink(target = 'precious.yaml') {
  const folder = mkdtempSync(join(tmpdir(), 'security-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'precious.yaml'), 'mine')
  symlinkSync(target, join(folder, 'cassette.yaml'))
  return { folder, link: join(folder, 'cassette.yaml'), precious: join(folder, 'precious.yaml') }
}

test('with --force, a symbolic link in place of the cassette is replaced and its target is unchanged', async () => {
  const { link, precious } = folderWithLink()
  const file = await CassetteFile.open(link, true)
  await file.save(() => 'recorded')
  expect([readFileSync(link, 'utf8'), readFileSync(precious, 'utf8')]).toEqual(['recorded', 'mine'])
})

test('without --force, a symbolic link in place of the cassette is kept', async () => {
  const { link, precious } = folderWithLink()
  await expect(CassetteFile.open(link, false)).rejects.toThrow('it already exists')
  expect(readFileSync(precious, 'utf8')).toBe('mine')
})

test('a dangling symbolic link does not create its target', async () => {
  const { folder, link } = folderWithLink('not-there.yaml')
  const file = await CassetteFile.open(link, false)
  await expect(file.save(() => 'recorded')).rejects.toThrow('it already exists')
  expect(readdirSync(folder).sort()).toEqual(['cassette.yaml', 'precious.yaml'])
})
