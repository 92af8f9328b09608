/** Checks that a failure in any step of a call harms no later call; one in the bookkeeping does not even change the answer. */
import { expect, onTestFinished, vi } from 'vitest'
import { type Run, recordedRuns, withSteps, wrapSteps } from './failing-steps.ts'

/** Only to end what hangs. */
const HANGING_MS = 10_000

wrapSteps()
const { createMock } = await import('../../src/index.ts')
const { intercept, listen } = await import('../../src/node.ts')
const { buildMockReport } = await import('../../src/engine/mock-report.ts')
const { engineOf } = await import('../../src/engine/mock.ts')

type Mock = ReturnType<typeof createMock>

const KEY = 'sk-test-key-of-a-client'
const SCENARIO = {
  limits: { concurrent: 1, requests: '500 per hour', tokens: '100000 per hour' },
  states: { first: { lasts: '20 calls', next: 'second' }, second: {} },
  replies: [{ when: { user: '/secret/' }, say: ['One.', 'Two.', 'Three.'] }],
  pace: { firstToken: '1ms' },
} as const

const chat = (content: string, more: object = {}) => ({
  path: '/chat/completions',
  body: { model: 'echo-1', messages: [{ role: 'user', content }], ...more },
})
const CALLS = {
  'an answer': chat(`My secret is ${KEY}.`),
  'a stream': chat('A secret.', { stream: true }),
  'an unmatched chat': chat('Hello!'),
  /** So long that the results of its computations are kept for the call. */
  'a long chat': chat('Hello! '.repeat(3000)),
  embeddings: { path: '/embeddings', body: { model: 'hash-1', input: 'Hello!' } },
}
type Request = (typeof CALLS)[keyof typeof CALLS]

const TRANSPORTS = {
  'over HTTP': async (mock: Mock) => {
    const server = await listen(mock, { port: 0 })
    onTestFinished(() => server.close(0))
    return server.url
  },
  'in process': async (mock: Mock) => {
    const interception = intercept(mock)
    onTestFinished(() => interception.close())
    return mock.baseURL
  },
} as const

/** The status and the text of an answer; the status is 0 when there was none. */
async function ask(url: string, { path, body }: Request): Promise<string> {
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(HANGING_MS),
    })
    return `${response.status} ${await response.text()}`
  } catch (error) {
    return `0 ${error}`
  }
}

/** The same, once the journal shows that the call has ended. */
async function askToEnd(mock: Mock, url: string, request: Request): Promise<string> {
  const answer = await ask(url, request)
  const hasEnded = () => mock.journal.every(({ outcome }) => outcome !== 'open')
  const isOver = await vi.waitUntil(hasEnded, { timeout: HANGING_MS, interval: 1 }).catch(() => false)
  return isOver ? answer : `without an end: ${answer}`
}

/** What is wrong after a call in which a step failed. */
async function findHarm(mock: Mock, url: string, request: Request, run: Run, normal: readonly string[]) {
  mock.reset()
  const harm: string[] = []
  const answer = await withSteps(run, () => askToEnd(mock, url, request))
  const isNormal = answer === normal[0]
  // The players use the functions of plans, too.
  if (!isNormal && run.isDecided && !run.step.startsWith('core/protocol/plan/')) harm.push(`the answer was ${answer}`)
  if (!isNormal && !/^(500|0)/.test(answer)) harm.push(`another answer: ${answer}`)
  const next = await askToEnd(mock, url, request)
  // An effect that failed may have been an attempt, which seeds the answer.
  if (!next.startsWith(normal[0]!.slice(0, 4))) harm.push(`the next answer was ${next}`)
  const numbers = mock.journal.map(({ number }) => number)
  if (numbers.some((number, index) => number !== numbers[0]! + index) || numbers.length < (isNormal ? 2 : 1))
    harm.push(`the journal has the numbers ${numbers}`)
  const busy = mock.limitUsage.flatMap(({ limits }) => limits.filter(({ kind, used }) => kind === 'concurrent' && used))
  if (busy.length > 0) harm.push('a slot is taken')
  if (buildMockReport(engineOf(mock).view).calls !== numbers.length) harm.push('the report lacks calls')
  mock.reset()
  if (mock.journal.length > 0) harm.push('the journal is not empty after reset')
  const again = await askToEnd(mock, url, request)
  if (again !== normal[0]) harm.push(`after reset the answer was ${again}`)
  return harm.map((text) => `${run.step} (run ${run.time}, ${run.isDecided ? 'decided' : 'not decided'}): ${text}`)
}

/** Lets every step of a call fail once, and compares the calls after it with those of a mock without a failure. */
export async function checkEveryStep(name: keyof typeof CALLS, transport: keyof typeof TRANSPORTS): Promise<void> {
  const request = CALLS[name]
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const mock = createMock(SCENARIO)
  const url = await TRANSPORTS[transport](mock)
  const normal = [await askToEnd(mock, url, request), await askToEnd(mock, url, request)]
  mock.reset()
  await withSteps(undefined, () => askToEnd(mock, url, request))
  const runs = recordedRuns()
  expect(runs.length).toBeGreaterThan(60)
  expect(runs.filter(({ isDecided }) => isDecided).length).toBeGreaterThan(10)
  const harm: string[] = []
  for (const run of runs) harm.push(...(await findHarm(mock, url, request, run, normal)))
  expect(harm).toEqual([])
}
