/** Four replicas behind Debian's haproxy and nginx, with the files of docs/deploy: the state of each key stays exact. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { answersOf, contractScenario, differingCalls, expectedAnswers } from '../support/contract.ts'
import {
  BALANCERS,
  type BalancerName,
  type MockProcess,
  pause,
  runProgram,
  startBalancer,
  startMocks,
} from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'api-mock-fleet-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function startFleet(balancer: BalancerName, scenario: string) {
  const replicas = await startMocks(4, ['--scenario', scenario])
  const front = await startBalancer(balancer, replicas)
  const targets = replicas.map(({ origin }) => origin).join(',')
  const close = async (): Promise<void> => {
    await front[Symbol.asyncDispose]()
    for (const { running } of replicas) await running.stop('SIGKILL')
  }
  return { origin: front.origin, baseUrl: `${front.origin}/v1`, replicas, targets, [Symbol.asyncDispose]: close }
}

const chat = (baseUrl: string, key: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hello' }] }),
  })

const keysOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `sk-key-${index}`)

interface Served {
  readonly caller: string
  readonly session?: string
  readonly replica: string
}

/** The calls of all replicas, as the fleet's report has them. */
async function journalOf(targets: string): Promise<Served[]> {
  const file = join(folder, 'journal.jsonl')
  await runProgram(['fleet', 'report', '--targets', targets, '--journal-file', file])
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

describe.each(Object.keys(BALANCERS) as BalancerName[])("behind Debian's %s", (balancer) => {
  test('200 keys get exactly what their limits allow, over four replicas', async () => {
    await using fleet = await startFleet(balancer, 'rate-limited')
    const keys = keysOf(200)
    const statuses = new Map(keys.map((key) => [key, [] as number[]]))
    await Promise.all(
      keys.map((key) =>
        Promise.all(
          Array.from({ length: 5 }, async () => {
            const response = await chat(fleet.baseUrl, key)
            await response.text()
            statuses.get(key)!.push(response.status)
          }),
        ),
      ),
    )
    const wrong = [...statuses].filter(([, found]) => found.sort().join() !== '200,200,200,429,429')
    expect(wrong).toEqual([])

    const { code, stdout } = await runProgram(['fleet', 'report', '--targets', fleet.targets])
    expect(code).toBe(0)
    expect(stdout).toContain('4 replicas, 4 answered: 1000 calls (600 x 200, 400 x 429)')
    expect(stdout).not.toContain('several replicas')
    const counts = fleet.replicas.map(({ origin }) => Number(new RegExp(`${origin}  (\\d+) call`).exec(stdout)![1]))
    expect(Math.min(...counts)).toBeGreaterThan(50)
  })

  test('a session goes to one replica, whichever key it has and wherever it is named', async () => {
    await using fleet = await startFleet(balancer, 'default')
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      await chat(fleet.baseUrl, 'sk-a', { 'x-mock-session': name }).then((response) => response.text())
      await chat(fleet.baseUrl, 'sk-b', { 'x-mock-session': name }).then((response) => response.text())
      await chat(`${fleet.origin}/s/${name}/v1`, 'sk-c').then((response) => response.text())
    }
    const served = await journalOf(fleet.targets)
    const places = new Set(served.map(({ session, replica }) => `${session} ${replica}`))
    expect(served).toHaveLength(15)
    expect(places.size).toBe(5)
    expect((await fetch(`${fleet.origin}/_mock/journal`)).status).toBe(403)
  })

  test('the calls of the contract get the same bytes as from one process', async () => {
    await using fleet = await startFleet(balancer, 'default')
    const file = fileOf('contract.json', contractScenario())
    const { code, stdout } = await runProgram(['fleet', 'apply', '--targets', fleet.targets, '--scenario', file])
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Applied to all 4 replicas.') })
    expect(differingCalls(await answersOf(fleet.baseUrl), await expectedAnswers())).toEqual([])
  })

  test('when a replica is killed under load its keys move, and the others are untouched', async () => {
    await using fleet = await startFleet(balancer, 'default')
    const keys = keysOf(60)
    const attempts = new Map(keys.map((key) => [key, [] as number[]]))
    /** One more call of each key; an attempt of 0 is a call without an answer of the mock. */
    const round = (): Promise<unknown> =>
      Promise.all(
        keys.map(async (key) => {
          const response = await chat(fleet.baseUrl, key, { 'x-mock-explain': '1' }).catch(() => undefined)
          await response?.text().catch(() => '')
          attempts.get(key)!.push(Number(response?.headers.get('x-mock-attempt') ?? 0))
        }),
      )
    for (let count = 0; count < 5; count++) await round()
    const [killed] = fleet.replicas as [MockProcess]
    const served = await journalOf(fleet.targets)
    const lost = new Set(served.filter(({ replica }) => replica === killed.origin).map(({ caller }) => caller))

    const during = round()
    await killed.running.stop('SIGKILL')
    await during
    const isAnswered = (): boolean => [...attempts.values()].every((found) => found.at(-1)! > 0)
    for (let count = 0; count < 100 && (count < 3 || !isAnswered()); count++) {
      await round()
      await pause(100)
    }
    for (let count = 0; count < 3; count++) await round()

    const counted = (found: readonly number[]): boolean => found.every((attempt, index) => attempt === index + 1)
    const moved = [...attempts.values()].filter((found) => !counted(found))
    expect(moved).toHaveLength(lost.size)
    expect(lost.size).toBeGreaterThan(0)
    for (const found of moved) {
      expect(counted(found.slice(0, 5))).toBe(true)
      // They begin again, at a replica that did not know them. The call during the kill may have been answered before.
      const after = found.slice(found[5] === 6 ? 6 : 5).filter((attempt) => attempt > 0)
      expect(counted(after), String(found)).toBe(true)
    }

    const { code, stdout } = await runProgram(['fleet', 'report', '--targets', fleet.targets])
    expect(code).toBe(1)
    expect(stdout).toContain('4 replicas, 3 answered')
    expect(stdout).toContain(`${killed.origin}  no answer (connection refused)`)
    expect(stdout).toContain('The calls of replicas that did not answer are missing from this report.')
    const refused = await runProgram(['fleet', 'apply', '--targets', fleet.targets, '--scenario', 'flaky'])
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain('Nothing was changed on any replica.')
  })

  test('a scenario is changed under load without mixed answers for a key', async () => {
    const saying = (text: string): string =>
      fileOf(`${text}.yaml`, `description: Says ${text}.\nreplies:\n  - say: ${text}\n`)
    await using fleet = await startFleet(balancer, saying('old'))
    const answers = new Map(keysOf(40).map((key) => [key, [] as string[]]))
    let isOver = false
    const load = Promise.all(
      [...answers].map(async ([key, found]) => {
        for (let count = 0; count < 3000 && !isOver; count++) {
          const response = await chat(fleet.baseUrl, key)
          const { choices } = (await response.json()) as { choices: [{ message: { content: string } }] }
          found.push(choices[0].message.content)
        }
      }),
    )
    const { code } = await runProgram(['fleet', 'apply', '--targets', fleet.targets, '--scenario', saying('new')])
    const counts = [...answers.values()].map(({ length }) => length)
    while ([...answers.values()].some(({ length }, index) => length < counts[index]! + 2)) await pause(20)
    isOver = true
    await load
    expect(code).toBe(0)
    for (const [key, found] of answers) {
      expect(found.join(' '), key).toMatch(/^(?:old )*(?:new ?)+$/)
    }
    expect([...answers.values()].flat()).toContain('old')
  })
})
