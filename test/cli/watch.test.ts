/** `--watch`: a scenario file that is edited while the server runs. */
import { renameSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Command, chat, command, start, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 60_000 })

const saying = (say: string, more = ''): string => `description: Says it.\n${more}replies: [{ say: ${say} }]\n`
const said = async (url: string): Promise<string> => {
  const { choices } = (await (await chat(url)).json()) as { choices: { message: { content: string } }[] }
  return choices[0]!.message.content
}

/** A server that watches a file, and the way to write it as editors do: a new one in the place of the old. */
async function watching(text: string, args: readonly string[] = []) {
  const cwd = temporaryFolder()
  const file = join(cwd, 'scenario.yaml')
  writeFileSync(file, text)
  const save = (next: string): void => {
    writeFileSync(`${file}~`, next)
    renameSync(`${file}~`, file)
  }
  const { server, url, origin } = await start(['--scenario', 'scenario.yaml', '--watch', ...args], { cwd })
  return { server, url, origin, file, save }
}

test('a changed file is applied, and one line says what changed', async () => {
  const { server, url, origin, file, save } = await watching(saying('one', 'seed: 7\n'))
  expect(await said(url)).toBe('one')
  save(saying('two', 'seed: 8\n'))
  await server.shows(
    /^Reloaded scenario\.yaml: seed 7 -> 8, replies changed\. Sessions whose scenario changed were reset\.$/m,
  )
  expect(await said(url)).toBe('two')
  writeFileSync(file, saying('three', 'seed: 8\n'))
  await server.shows(/Reloaded scenario\.yaml: replies changed\./)
  const { source } = (await (await fetch(`${origin}/_mock/scenario`)).json()) as { source: object }
  expect(source).toMatchObject({ seed: 8, replies: [{ say: 'three' }] })
  server.signal('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' })
})

test('a file with problems is not applied: each problem has its line and column, and the last good scenario stays', async () => {
  const { server, url, save } = await watching(saying('one'))
  save('description: Bad.\nsede: 7\npace: { firstToken: fast }\n')
  await server.shows(/scenario\.yaml:2:1 [\s\S]*scenario\.yaml:3:\d+ [\s\S]*\nThe last good scenario stays active\.\n/)
  expect(await said(url)).toBe('one')
  save(saying('one'))
  await server.shows(/scenario\.yaml was saved without a change\. Nothing was reset\./)
  save(saying('two'))
  await server.shows(/Reloaded/)
  expect(await said(url)).toBe('two')
})

test('a scenario that this server cannot use is refused, and the last good one stays', async () => {
  const { server, url, save } = await watching(saying('one'), ['--speed', '10'])
  save(saying('two', 'limits: { requests: 9 per minute, shared: "redis://127.0.0.1:6379" }\n'))
  await server.shows(/limits\.shared needs real time[\s\S]*\nThe last good scenario stays active\.\n/)
  expect(await said(url)).toBe('one')
})

test('the scenario of a deleted file stays active until the file is written again', async () => {
  const { server, url, file } = await watching(saying('one'))
  unlinkSync(file)
  await server.shows(/scenario\.yaml does not exist any more\. The last good scenario stays active\./)
  expect(await said(url)).toBe('one')
  writeFileSync(file, saying('two'))
  await server.shows(/Reloaded/)
  expect(await said(url)).toBe('two')
})

test('a reload resets all sessions; a changed comment does not', async () => {
  const limits = 'limits: { requests: 1 per hour }\n'
  const { server, url, save } = await watching(saying('one', limits))
  const status = async (): Promise<number> => (await chat(url)).status
  expect([await status(), await status()]).toEqual([200, 429])
  save(saying('two', limits))
  await server.shows(/Reloaded/)
  expect([await status(), await status()]).toEqual([200, 429])
  save(`# A comment.\n${saying('two', limits)}`)
  await server.shows(/saved without a change/)
  expect(await status()).toBe(429)
})

test('--seed survives a reload, and warnings are repeated', async () => {
  const { server, origin, save } = await watching(
    `${saying('one', 'seed: 1\n')}faults: [{ fault: 500, chance: 0 }]\n`,
    ['--seed', '9'],
  )
  await server.shows(/^Warning: scenario\.yaml:4:10 {2}faults\[0\]: never applies: its chance is 0\./m)
  save(`${saying('one', 'seed: 2\n')}faults: [{ fault: 500, chance: 0 }]\n`)
  await server.shows(/seed 1 -> 2 \(--seed 9 stays\)[\s\S]*\nWarning: scenario\.yaml:4:10/)
  expect((await (await fetch(`${origin}/_mock/health`)).json()) as object).toMatchObject({ scenario: 'scenario.yaml' })
})

test('the JSON log has an event for each change', async () => {
  const { server, file, save } = await watching(saying('one'), ['--log', 'json'])
  save(saying('two'))
  await server.shows(/"event":"scenario-reloaded".*\n/)
  save('description: Bad.\nsede: 7\n')
  await server.shows(/"event":"scenario-refused".*\n/)
  unlinkSync(file)
  await server.shows(/"event":"scenario-missing".*\n/)
  const events = server.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events).toMatchObject([
    { event: 'listening' },
    { event: 'scenario-reloaded', file: 'scenario.yaml', changes: ['replies changed'], warnings: [] },
    { event: 'scenario-refused', problems: [{ path: ['sede'], line: 2, column: 1 }] },
    { event: 'scenario-missing' },
  ])
})

test('run --watch logs reloads to stderr and ends with its command', async () => {
  const cwd = temporaryFolder()
  const file = join(cwd, 'scenario.yaml')
  writeFileSync(file, saying('one'))
  const script = `const ask = async () => {
      const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hi' }] }),
      })
      return (await answer.json()).choices[0].message.content
    }
    console.log('ready')
    while (await ask() !== 'two') await new Promise((wake) => setTimeout(wake, 20))`
  const args = ['run', '--scenario', 'scenario.yaml', '--watch', '--', process.execPath, '--input-type=module']
  const run = new Command([...args, '-e', script], { cwd })
  await run.shows(/ready/)
  writeFileSync(file, saying('two'))
  const { code, stderr } = await run.ended
  expect(code).toBe(0)
  expect(stderr).toMatch(
    /^api-mock: Reloaded scenario\.yaml: replies changed\. Sessions whose scenario changed were reset\.\napi-mock: \d/,
  )
})

test('--watch of an unknown scenario says that it is unknown', async () => {
  const { code, stderr } = await command(['--scenario', 'flakey', '--watch'])
  expect(code).toBe(1)
  expect(stderr).toContain("Unknown scenario 'flakey'")
})

test('--watch refuses a built-in scenario', async () => {
  for (const args of [['--watch'], ['--scenario', 'flaky', '--watch'], ['run', '--watch', '--', 'true']]) {
    const { code, stdout, stderr } = await command(args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^api-mock: --watch: expected a scenario file, got the built-in scenario '(?:default|flaky)', which never changes\./,
    )
  }
})
