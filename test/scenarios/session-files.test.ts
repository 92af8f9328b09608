/** Scenario files that keys name: loaded relative to the file that names them, and reloaded with it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type ReloadEvent, reloadText } from '../../src/cli/output/log-entries.ts'
import { watchScenario } from '../../src/cli/watch-scenario.ts'
import { createMock } from '../../src/index.ts'
import { loadScenario } from '../../src/node.ts'
import { fetchFrom, serve } from '../support/http.ts'

/** Writes files to a folder of the test; returns its path. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sessions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'teams'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const MAIN = 'keys: { sk-a: { scenario: teams/team-a.yaml }, sk-b: { scenario: rate-limited, session: b }, sk-*: {} }'

test('a key names a file beside the scenario, whose name is the session, or a built-in scenario', async () => {
  const folder = folderWith({ 'main.yaml': MAIN, 'teams/team-a.yaml': 'replies: [{ say: A }]' })
  const { mock, ...server } = await serve(await loadScenario(join(folder, 'main.yaml')))
  expect((await fetchFrom(server, { key: 'sk-a' })).json.choices[0].message.content).toBe('A')
  expect((await fetchFrom(server, { key: 'sk-b' })).headers.get('x-ratelimit-limit-requests')).toBe('3')
  expect(mock.journal.map(({ session }) => session)).toEqual(['team-a', 'b'])
  expect(mock.scenario.exampleKey).toBe('sk-local')
})

test('a problem of a file of a session names both files', async () => {
  const folder = folderWith({ 'main.yaml': MAIN, 'teams/team-a.yaml': 'repliez: []' })
  const [main, own] = [join(folder, 'main.yaml'), join(folder, 'teams/team-a.yaml')]
  await expect(loadScenario(main)).rejects.toThrow(
    `Scenario '${main}' has 1 problem:\n  ${main}:1:27  keys['sk-a'].scenario: Scenario '${own}' has 1 problem:\n  ${own}:1:1  repliez: unknown field`,
  )
})

test.each([
  ['teams/none.yaml', 'there is no such file'],
  ['main.yaml', 'It can have no sessions or scenarios for its keys'],
  ['teams/shared.yaml', 'It can have no limits.shared'],
  ['no-such', "Unknown scenario 'no-such'"],
  ['teams/no name.yaml', 'Name the session beside it'],
])('the scenario %s of a key is refused: %s', async (name, message) => {
  const folder = folderWith({
    'main.yaml': `keys: { sk-a: { scenario: ${name} } }`,
    'teams/shared.yaml': 'limits: { requests: 1 per day, shared: "redis://127.0.0.1" }',
    'teams/no name.yaml': '{ seed: 1 }',
  })
  await expect(loadScenario(join(folder, 'main.yaml'))).rejects.toThrow(message)
})

test('two scenarios for one session, and settings without effect, are refused', async () => {
  const folder = folderWith({
    'main.yaml':
      'keys: { a: { scenario: flaky, session: s }, b: { scenario: outage, session: s }, c: { scenario: flaky, fault: 500 } }',
  })
  await expect(loadScenario(join(folder, 'main.yaml'))).rejects.toThrow(
    /main\.yaml:1:60 {2}keys.b.scenario: the session 's' has another scenario already.\n {2}.*main\.yaml:1:97 {2}keys.c.scenario: 'fault' beside it has no effect/,
  )
})

test('a scenario in code has a scenario in the place of a file', () => {
  expect(() => createMock({ keys: { a: { scenario: './a.yaml' } } })).toThrow('Only a scenario file can name a file')
  expect(() => createMock({ keys: { a: { scenario: { seed: 1 } } } })).toThrow('Name the session beside it')
  // @ts-expect-error a wrong field
  expect(() => createMock({ keys: { a: { session: 'a', scenario: { sead: 1 } } } })).toThrow(
    "keys.a.scenario.sead: unknown field 'sead'. Did you mean 'seed'?",
  )
  const mock = createMock({
    keys: { a: { session: 'a', scenario: { replies: [{ when: { user: /x/ }, say: () => 'hi' }] } } },
  })
  expect(mock.scenario.name).toBe('in code')
})

test('a session whose file has changed is reset, and the others are not', async () => {
  const main = `limits: { requests: 5 per day }\n${MAIN}`
  const folder = folderWith({ 'main.yaml': main, 'teams/team-a.yaml': 'replies: [{ say: A }]' })
  const scenario = join(folder, 'main.yaml')
  const { mock, ...server } = await serve(await loadScenario(scenario))
  const reloads: ReloadEvent[] = []
  const watch = watchScenario(mock, { scenario, seed: undefined }, (reload) => void reloads.push(reload))
  onTestFinished(() => watch.close())
  const reloaded = async (number: number): Promise<ReloadEvent> => {
    while (reloads.length < number) await new Promise((resolve) => setTimeout(resolve, 20))
    return reloads[number - 1]!
  }
  const attempts = async () => {
    for (const key of ['sk-a', 'sk-b', 'sk-c']) await fetchFrom(server, { key })
    return mock.journal.slice(-3).map(({ attempt }) => attempt)
  }
  expect(await attempts()).toEqual([1, 1, 1])
  await new Promise((resolve) => setTimeout(resolve, 500))
  writeFileSync(join(folder, 'teams/team-a.yaml'), 'replies: [{ say: B }]')
  expect(await reloaded(1)).toMatchObject({ event: 'reloaded', changes: ['session team-a changed'] })
  expect(await attempts()).toEqual([1, 2, 2])
  writeFileSync(join(folder, 'teams/team-a.yaml'), 'nonsense: [')
  expect(await reloaded(2)).toMatchObject({ event: 'refused' })
  expect(await attempts()).toEqual([2, 3, 3])
  writeFileSync(join(folder, 'teams/team-a.yaml'), 'replies: [{ say: B }]')
  expect(reloadText(await reloaded(3))).toBe(
    `${join(folder, 'teams/team-a.yaml')} was saved without a change. Nothing was reset.`,
  )
  writeFileSync(scenario, main.replace('5 per day', '50 per day'))
  expect(await reloaded(4)).toMatchObject({ event: 'reloaded', changes: ['limits changed'] })
  expect(await attempts()).toEqual([3, 4, 1])
  expect(reloadText(await reloaded(4))).toMatch(/Sessions whose scenario changed were reset\.$/)
})
