/** What the tests of clients share: the places a mock answers in, and the scenario that it plays. */
import { onTestFinished } from 'vitest'
import { createMock, type JournalEntry, type Mock, type ScenarioInput } from '../../src/index.ts'
import { intercept, listen } from '../../src/node.ts'

export const PLACES = ['over HTTP', 'in process'] as const
export type Place = (typeof PLACES)[number]

const IN_PROCESS_URL = 'https://api.example.com/v1'

/** Time-outs here are only to end a test that hangs. */
export const GENEROUS_MS = 120_000

/** One tool that a rule calls, once or twice at a time, and a refusal; the rest is echoed. All the service's checks hold. */
const SCENARIO: ScenarioInput = {
  description: 'A weather tool, a refusal, an echo.',
  validation: 'strict',
  replies: [
    {
      when: { user: /weather in (?<one>\w+) and (?<two>\w+)/i, tool: 'get_weather' },
      call: [
        { name: 'get_weather', arguments: { city: '{{one}}' } },
        { name: 'get_weather', arguments: { city: '{{two}}' } },
      ],
    },
    {
      when: { user: /weather in (?<city>\w+)/i, tool: 'get_weather' },
      call: { name: 'get_weather', arguments: { city: '{{city}}' } },
    },
    { when: { user: 'secret' }, refuse: 'I cannot help with that.' },
  ],
}

/** Where a client finds the mock, and what the mock saw of it. */
export interface Placed {
  readonly mock: Mock
  /** Ends in `/v1`. */
  readonly baseURL: string
  readonly apiKey: string
  /** The statuses of all answers so far. */
  statuses(): number[]
  /** What was asked so far, oldest first. */
  bodies(): NonNullable<JournalEntry['body']>[]
}

/** Plays the scenario until the test is over: on a port, or in this process, where calls to anything else fail. */
export async function placed(place: Place, scenario: Partial<ScenarioInput> = {}): Promise<Placed> {
  const mock = createMock({ ...SCENARIO, ...scenario }, { baseURL: IN_PROCESS_URL })
  const seen = {
    mock,
    apiKey: 'sk-client',
    statuses: () => mock.journal.map(({ status }) => status),
    bodies: () => mock.journal.map(({ body }) => body ?? {}),
  }
  if (place === 'over HTTP') {
    const server = await listen(mock, { port: 0 })
    onTestFinished(() => server.close(0))
    return { ...seen, baseURL: server.url }
  }
  const interception = intercept(mock, { onUnhandledRequest: 'error' })
  onTestFinished(() => interception.close())
  return { ...seen, baseURL: IN_PROCESS_URL }
}
