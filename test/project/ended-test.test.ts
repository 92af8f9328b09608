/** The words that a test with useMock ends with, in a test runner of this file: no runner lets a test of it fail here. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { loadScenario } from '../../src/node.ts'
import { type TestRunner, useMockWith } from '../../src/testing/test-mock.ts'
import '../../src/vitest.ts'
import { ask } from '../support/stepping.ts'

const printed: string[] = []
beforeEach(() => {
  printed.length = 0
  for (const method of ['error', 'warn'] as const)
    vi.spyOn(console, method).mockImplementation((text) => void printed.push(`${method}: ${text}`))
})
afterEach(() => vi.restoreAllMocks())

const REPLIES = { replies: [{ when: { user: 'weather' }, say: 'Sunny.' }] }

const FORMAT = { type: 'json_schema', json_schema: { name: 'weather', schema: { type: 'object' } } }

/** A mock in a runner, and a function that begins a test and returns the one that ends it. */
function useRunner(isConcurrent = false) {
  let begin: Parameters<TestRunner<string>['beforeEach']>[0]
  const runner: TestRunner<string> = {
    beforeAll: () => {},
    beforeEach: (run) => {
      begin = run
    },
    afterAll: () => {},
    nameOf: (name) => name,
  }
  const mock = useMockWith(runner)(REPLIES)
  return { mock, begin: (name: string) => begin(name, isConcurrent) }
}

test('a failed test prints its calls: number, prompt, status, the decider, notes and near misses', async () => {
  const { mock, begin } = useRunner()
  const end = begin('asks')
  const messages = [{ role: 'user', content: 'weather as JSON' }]
  await ask(mock, { body: { model: 'echo-1', messages, response_format: FORMAT } })
  await ask(mock, { user: 'Hello!', headers: { 'x-mock-fault': 'overloaded' } })
  await ask(mock, { user: 'Hello!' })
  end(true)
  expect(printed.join('\n')).toMatchInlineSnapshot(`
    "error: The mock got 3 calls in the test 'asks':
      #1 POST /v1/chat/completions 'weather as JSON' -> 200 reply replies[0]
        the answer of replies[0] is not valid against the schema of the request: it is not JSON
      #2 POST /v1/chat/completions 'Hello!' -> 503 fault overloaded (header)
      #3 POST /v1/chat/completions 'Hello!' -> 200 echo
        replies[0] nearly matched: expected user 'weather', got 'Hello!'"
  `)
})

test('calls are counted from 1 in each test, and a test that passes prints nothing', async () => {
  const { mock, begin } = useRunner()
  for (const name of ['one', 'two']) {
    const end = begin(name)
    await ask(mock, { user: 'weather' })
    expect(mock.journal.map(({ number }) => number)).toEqual([1])
    end(false)
  }
  expect(printed).toEqual([])
})

test('a failed test without calls names the address of the mock', () => {
  useRunner().begin('asks nobody')(true)
  expect(printed).toEqual(["error: The mock got no calls to https://api.openai.com/v1 in the test 'asks nobody'."])
})

test('a failed test prints its last 20 calls', async () => {
  const { mock, begin } = useRunner()
  const end = begin('asks much')
  for (let call = 0; call < 23; call++) await ask(mock, { user: 'weather' })
  end(true)
  const lines = printed[0]!.split('\n')
  expect(lines.slice(0, 2)).toEqual(["error: The mock got 23 calls in the test 'asks much':", '  ... 3 earlier calls'])
  expect(lines).toHaveLength(22)
})

test('a concurrent test that fails prints the calls of its own key', async () => {
  const { mock, begin } = useRunner(true)
  const end = begin('beside others')
  await ask(mock, { user: 'weather', key: mock.keyOf('beside others') })
  await ask(mock, { user: 'weather', key: mock.keyOf('another') })
  end(true)
  expect(printed[0]).toContain("The mock got 1 call in the test 'beside others':")
})

test('a test warns of injected faults that applied to no call, also if it passes', async () => {
  const { mock, begin } = useRunner()
  const end = begin('injects')
  mock.inject('overloaded', { times: 2 })
  mock.inject('rate-limit', { endpoint: 'embeddings', skip: 2 })
  mock.inject('hang', { session: 'other' })
  await ask(mock, { user: 'weather' })
  end(false)
  expect(printed).toEqual([
    "warn: Warning: the injected fault rate-limit (endpoint 'embeddings', skip 2) and the injected fault hang (session 'other') never applied to a call in the test 'injects'.",
  ])
})

const UNUSED = `description: Never used.
replies:
  - when: { user: rain, turn: 2 }
    say: Wet.
faults:
  - fault: server-error
    when: { user: hail }
    attempt: 1
    every: 2
states:
  up: {}
  down:
    faults:
      - fault: overloaded
        when: { endpoint: chat }
`

test('the matchers name the conditions of what was never used, and its line in the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'api-mock-unused-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'unused.yaml'), UNUSED)
  const scenario = await loadScenario(join(folder, 'unused.yaml'))
  const { mock, begin } = useRunner()
  begin('loads a file')
  mock.use(scenario)
  mock.inject('hang')
  expect(() => expect(mock).toHaveUsedEveryReply()).toThrow(
    "Expected every reply rule to match a call, but 1 of 1 did not:\n  replies[0] (line 3, when turn 2, user 'rain')",
  )
  expect(() => expect(mock).toHaveUsedEveryFault()).toThrow(
    "Expected every fault to apply to a call, but 3 did not:\n  faults[0] (server-error, line 6, when user 'hail', attempt 1, every 2)\n  states.down.faults[0] (overloaded, line 14, when endpoint 'chat')\n  the injected fault hang",
  )
  mock.use({ faults: [{ fault: 500 }] })
  expect(() => expect(mock).toHaveUsedEveryFault()).toThrow('faults[0] (500)')
  await ask(mock)
  expect(mock).toHaveUsedEveryFault()
  expect(() => expect(mock).not.toHaveUsedEveryFault()).toThrow('Expected a fault that applied to no call, got none')
})
