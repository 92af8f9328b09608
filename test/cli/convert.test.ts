/** The command convert, as its users run it. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runCommandLine } from '../../src/cli/args/command-line.ts'
import { command, start, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 60_000 })

const fixture = (name: string): string => resolve(import.meta.dirname, '../record/convert/fixtures', name)

test('convert writes a scenario that check accepts and start replays', async () => {
  const cwd = temporaryFolder()
  copyFileSync(fixture('chat.vcr.yaml'), join(cwd, 'chat.yaml'))
  const converted = await command(['convert', 'chat.yaml', '--out', 'scenario.yaml'], { cwd })
  expect(converted).toMatchObject({ code: 0, stdout: '' })
  expect(converted.stderr).toMatch(
    /^chat\.yaml: interactions\[6\] \(GET .*\n.*\nchat\.yaml \(VCR\): converted 7 of 9 interactions\.\nWrote 6 rules\. Run it: npx api-mock --scenario scenario\.yaml\n$/,
  )
  expect((await command(['check', '--strict', 'scenario.yaml'], { cwd })).stdout).toBe('ok scenario.yaml\n')
  const { url } = await start(['--scenario', 'scenario.yaml'], { cwd })
  const answer = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }] }),
  })
  expect(await answer.text()).toContain("It's a plain hello.")

  const again = await command(['convert', 'chat.yaml', '--out', 'scenario.yaml'], { cwd })
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toBe(
    "api-mock: Failed to write 'scenario.yaml': it already exists. Choose another name, or overwrite it with --force.\n",
  )
})

test('convert prints one scenario for all files of a folder, without what --redact names', async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'all/deeper'), { recursive: true })
  copyFileSync(fixture('polly.har'), join(cwd, 'all/deeper/recording.har'))
  copyFileSync(fixture('aimock.json'), join(cwd, 'all/fixtures.json'))
  writeFileSync(join(cwd, 'all/notes.txt'), 'no recording')
  const { code, stdout, stderr } = await command(['convert', 'all', '--redact', 'unzipped', '--redact', '/Unzipped/'], {
    cwd,
  })
  expect(code).toBe(0)
  writeFileSync(join(cwd, 'out.yaml'), stdout)
  expect((await command(['check', 'out.yaml'], { cwd })).stdout).toMatch(/^ok out\.yaml/)
  expect(stdout).toContain('[redacted] in chunks.')
  expect(stdout).not.toContain('Unzipped')
  expect(stderr).toContain('(HAR): converted 3 of 3 calls.')
  expect(stderr).toContain('(aimock): converted 14 of 19 fixtures.')
})

test('other files of a folder are left out with the reason', async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'all'))
  copyFileSync(fixture('polly.har'), join(cwd, 'all/recording.har'))
  writeFileSync(join(cwd, 'all/package.json'), '{"name": "app"}')
  writeFileSync(join(cwd, 'all/broken.yaml'), 'a: [1')
  const { code, stdout, stderr } = await command(['convert', 'all'], { cwd })
  expect(code).toBe(0)
  expect(stdout).toContain('Converted from recording.har.')
  expect(stderr).toMatch(/Failed to convert '.*package\.json': expected .*, got a map of "name"\./)
  expect(stderr).toMatch(/Failed to convert '.*broken\.yaml': it is neither JSON nor YAML/)
  expect(stderr).toContain('(HAR): converted 3 of 3 calls.')
  rmSync(join(cwd, 'all/recording.har'))
  const none = await command(['convert', 'all'], { cwd })
  expect(none).toMatchObject({ code: 1, stdout: '' })
  expect(none.stderr).toContain('Nothing could be converted.')
})

/** The same within this process, which is quicker. */
const refusalOf = (...args: string[]): Promise<string> =>
  runCommandLine(['convert', ...args]).then(
    () => 'nothing was refused',
    (error: Error) => error.message,
  )

test('what cannot be converted is refused with the reason, and no file is written', async () => {
  const folder = temporaryFolder()
  const path = (name: string, text?: string): string => {
    const file = join(folder, name)
    if (text !== undefined) writeFileSync(file, text)
    return file
  }
  expect(await refusalOf()).toContain('Missing <files..>, as in: api-mock convert cassettes/chat.yaml')
  expect(await refusalOf(path('none.har'))).toContain('there is no such file')
  expect(await refusalOf(folder)).toContain('the folder has no .har, .yaml, .yml or .json file.')
  expect(await refusalOf(path('a.yaml', 'a: [1\nb: 2'))).toMatch(/it is neither JSON nor YAML: line \d+, column \d+: /)
  expect(await refusalOf(path('b.json', '{"openapi": "3.1.0"}'))).toContain('got a map of "openapi".')
  expect(await refusalOf(path('b.json'), '--ignore', 'a[]')).toContain(
    "--ignore: expected a path such as metadata.trace_id or messages[*].name, or a /pattern/, got 'a[]'.",
  )
  const empty = path('c.json', '{"interactions": [{"request": {"method": "GET", "uri": "x"}, "response": {}}]}')
  const ended = await command(['convert', empty, '--out', path('out.yaml')])
  expect(ended).toMatchObject({ code: 1, stdout: '' })
  expect(ended.stderr).toContain('Nothing could be converted.')
  expect(existsSync(path('out.yaml'))).toBe(false)
  expect(readFileSync(empty, 'utf8')).toContain('interactions')
})
