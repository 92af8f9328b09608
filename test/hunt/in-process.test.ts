/** Hunts in process, with the official client: what is found, what is survived, and what cannot be hunted. */
import { setTimeout as wait } from 'node:timers/promises'
import OpenAI from 'openai'
import { afterEach, expect, test, vi } from 'vitest'
import { FunctionPlayer } from '../../src/hunt/function-player.ts'
import type { FaultSet } from '../../src/hunt/search/fault-set.ts'
import { HuntError, hunt } from '../../src/hunt.ts'
import { createMock, isMockError, type JournalEntry, type Mock, type ReplyRequest } from '../../src/index.ts'
import { intercept } from '../../src/node.ts'
import type { Played } from '../../src/play/played-run.ts'

afterEach(() => void vi.useRealTimers())

const clientOf = (mock: Mock): OpenAI => new OpenAI({ apiKey: mock.scenario.exampleKey, baseURL: mock.baseURL })

const ask = (client: OpenAI, content: string) =>
  client.chat.completions.create({ model: 'echo-1', messages: [{ role: 'user', content }] })

async function findingsOf(run: Promise<unknown>): Promise<HuntError> {
  const error = await run.then(
    () => new Error('expected a HuntError, got none'),
    (thrown) => thrown,
  )
  if (error instanceof HuntError) return error
  throw error
}

/** The last line of each block of a message. */
const REPLAY = expect.stringMatching(/^ {2}Replay: { replay: '\w+:(?:\d|every):[\w:=-]+' }$/)

/** The words of an answer as they arrive; shown even if the stream breaks off. */
async function showStream(client: OpenAI): Promise<string> {
  let shown = ''
  const messages = [{ role: 'user' as const, content: 'one two three' }]
  for await (const chunk of await client.chat.completions.create({ model: 'echo-1', messages, stream: true })) {
    shown += chunk.choices[0]?.delta.content ?? ''
  }
  return shown
}

test('an app that handles every failure survives any two faults', async () => {
  const { calls, runs, pruned } = await hunt(
    'default',
    async (mock) => {
      const client = clientOf(mock)
      await ask(client, 'plan').catch(() => undefined)
      await ask(client, 'answer').catch(() => undefined)
    },
    { faults: ['server-error', 'bad-request', 'hang'] },
  )
  expect(calls).toEqual(['POST chat "plan"', 'POST chat "answer"'])
  expect(runs).toBeGreaterThan(20)
  expect(pruned.knownRun).toBeGreaterThan(0)
})

test('the report says which wrong answers nothing showed, and how much was covered', async () => {
  const faults = ['bad-request', 'wrong-answer'] as const
  const carelessly = async (mock: Mock) => {
    const answer = await ask(clientOf(mock), 'plan').catch(() => undefined)
    return answer === undefined ? 'no plan' : 'done'
  }
  const careless = await hunt('default', carelessly, { depth: 1, faults })
  expect(careless.table.rows[0]!.cells.map(({ outcome }) => outcome)).toEqual(['survived', 'unnoticed'])
  expect(careless.coverage).toMatchObject({ percent: 50, changedAnswers: { noticed: 0, unnoticed: 2, unclear: 0 } })
  const carefully = async (mock: Mock) => {
    const answer = await ask(clientOf(mock), 'plan').catch(() => undefined)
    return answer?.choices[0]?.message.content === 'plan' ? 'done' : 'no plan'
  }
  const careful = await hunt('default', carefully, { depth: 1, faults })
  expect(careful.coverage).toMatchObject({ percent: 100, changedAnswers: { noticed: 2, unnoticed: 0, unclear: 0 } })
})

test('an agent that runs any tool and carries on as usual did not notice a wrong tool', async () => {
  const scenario = {
    replies: [
      { when: { toolResult: 'booked' }, say: 'Your table is booked.' },
      { when: { user: 'table' }, call: { name: 'book_table', arguments: { people: 2 } } },
    ],
  }
  const agent = (answerOf: (name: string) => string) => async (mock: Mock) => {
    const tools = [{ type: 'function' as const, function: { name: 'book_table' } }]
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'A table for two' }]
    for (;;) {
      const { choices } = await clientOf(mock).chat.completions.create({ model: 'echo-1', messages, tools })
      messages.push(choices[0]!.message)
      const calls = choices[0]!.message.tool_calls ?? []
      if (calls.length === 0) return
      for (const call of calls) {
        const content = answerOf('function' in call ? call.function.name : '')
        messages.push({ role: 'tool', tool_call_id: call.id, content })
      }
    }
  }
  const wrongToolsOf = async (answerOf: (name: string) => string) => {
    const faults = ['bad-request', 'wrong-answer'] as const
    const { report } = await findingsOf(hunt(scenario, agent(answerOf), { depth: 1, faults }))
    return report.table.rows[0]!.cells[1]!.answers
  }
  expect((await wrongToolsOf(() => 'booked'))?.unnoticed).toContain('undeclared-tool')
  const checking = await wrongToolsOf((name) => (name === 'book_table' ? 'booked' : 'There is no such tool'))
  expect(checking?.noticed).toContain('undeclared-tool')
})

test('wrong answers are not judged while a test spies on the console', async () => {
  const spy = vi.spyOn(console, 'log')
  const app = async (mock: Mock) => void (await ask(clientOf(mock), 'plan'))
  const faults = ['bad-request', 'wrong-answer'] as const
  const error = await findingsOf(hunt('default', app, { depth: 1, faults }))
  spy.mockRestore()
  expect(error.report.coverage.changedAnswers).toEqual({ noticed: 0, unnoticed: 0, unclear: 2 })
})

test('a function that hides its errors may hide wrong answers, which is not judged', async () => {
  const faults = ['bad-request', 'wrong-answer'] as const
  const app = async (mock: Mock) => void (await ask(clientOf(mock), 'plan').catch(() => undefined))
  const { coverage } = await hunt('default', app, { depth: 1, faults })
  expect(coverage).toMatchObject({ percent: 100, changedAnswers: { noticed: 0, unnoticed: 0, unclear: 2 } })
})

test('a scenario with reply functions is hunted like any other', async () => {
  const scenario = { replies: [{ say: ({ user, attempt }: ReplyRequest) => `${user} ${attempt}` }] }
  const said = new Set<unknown>()
  const app = async (mock: Mock) => {
    const { choices } = await ask(clientOf(mock), 'plan')
    said.add(choices[0]?.message.content)
  }
  const { findings } = await findingsOf(hunt(scenario, app, { depth: 1, faults: ['server-error'] }))
  expect(said).toEqual(new Set(['plan 1', 'plan 2']))
  expect(findings.map(({ scenario: { replies } }) => replies)).toEqual([scenario.replies])
})

test('a fallback that is not protected is found with two faults', async () => {
  const app = async (mock: Mock) => {
    const client = clientOf(mock)
    await ask(client, 'the large model').catch(() => ask(client, 'the small model'))
  }
  const { message, findings } = await findingsOf(hunt('default', app, { faults: ['bad-request'] }))
  expect(findings.map(({ faults }) => faults.length)).toEqual([2])
  expect(message).toMatch(/^FAILS with 2 faults: 400 /)
  expect(message).toContain('call 1 (POST chat "the large model", attempt 1): bad-request (invalid-request)')
  expect(message).toContain('call 2 (POST chat "the small model", attempt 1): bad-request (invalid-request)')
})

test('faults of different classes on the same attempt are one entry of the message', async () => {
  const app = async (mock: Mock) => void (await ask(clientOf(mock).withOptions({ maxRetries: 0 }), 'Hello'))
  const faults = ['bad-request', 'broken-connection', 'wrong-answer'] as const
  const { message, findings, report } = await findingsOf(hunt('default', app, { depth: 1, faults }))
  expect(findings).toHaveLength(2)
  expect(message.split('\n').slice(1)).toEqual([
    '  call 1 (POST chat "Hello", attempt 1): bad-request or broken-connection',
    REPLAY,
  ])
  const [row] = report.table.rows
  expect(row!.cells.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'unnoticed'])
})

test('a cut stream that is shown as complete is found', async () => {
  const app = async (mock: Mock) => {
    if ((await showStream(clientOf(mock))) !== 'one two three') throw new Error('half an answer was shown')
  }
  const { findings } = await findingsOf(hunt('default', app, { depth: 1, faults: ['early-end'] }))
  expect(findings[0]?.error).toEqual(new Error('half an answer was shown'))
})

test('an answer whose finish_reason is not checked is found, whole and streamed', async () => {
  const whole = async (mock: Mock) => {
    const { choices } = await ask(clientOf(mock), 'one two three')
    if (choices[0]!.message.content !== 'one two three') throw new Error('half an answer was shown')
  }
  const streamed = async (mock: Mock) => {
    if ((await showStream(clientOf(mock))) !== 'one two three') throw new Error('half an answer was shown')
  }
  for (const app of [whole, streamed]) {
    const { message } = await findingsOf(hunt('default', app, { depth: 1, faults: ['unfinished'] }))
    expect(message).toMatch(
      /^FAILS with 1 fault: half an answer was shown\n.*, attempt 1\): unfinished \(also with unfinished; reason=content_filter\)\n {2}Replay: .*$/,
    )
  }
})

test('each place to cut a stream is tried, with each way to end', async () => {
  const app = async (mock: Mock) => {
    const shown = await showStream(clientOf(mock)).catch(() => 'an error')
    if (!['one two three', 'an error'].includes(shown)) throw new Error('half an answer was shown')
  }
  const { message, report } = await findingsOf(hunt('default', app, { only: 'cuts' }))
  expect(message.split('\n')).toEqual([
    'FAILS with 1 fault: half an answer was shown',
    '  call 1 (POST chat "one two three", attempt 1): cut; after=0; end=clean',
    '  with end=clean, 4 of 6 cuts fail, from after=0 to after=3',
    REPLAY,
    // The client has no time-out for the time between two events.
    expect.stringMatching(/^FAILS with 1 fault: It hangs: no timer or call can wake it\. Add a time-out to the read\./),
    '  call 1 (POST chat "one two three", attempt 1): cut; after=0; end=stall',
    '  with end=stall, 7 of 7 cuts fail, from after=0 to after=6',
    REPLAY,
  ])
  expect(report.table.classes).toEqual(['reset', 'fin', 'clean', 'stall'])
  expect(report.table.rows[0]!.cells.map(({ outcome }) => outcome)).toEqual([
    ...['survived', 'survived', 'failed', 'failed'],
  ])
  const whole = async (mock: Mock) => void (await ask(clientOf(mock), 'Hello'))
  await expect(hunt('default', whole, { only: 'cuts' })).rejects.toThrow(
    'streams no answer, so there is nothing to cut',
  )
  await expect(hunt('default', whole, { bytes: true })).rejects.toThrow("The option bytes needs only: 'cuts'.")
})

test('other faults of the same class are tried once something is found, and the message names them', async () => {
  const app = async (mock: Mock) => {
    const client = clientOf(mock).withOptions({ maxRetries: 0 })
    await ask(client, 'Hello').catch((error) => {
      if (error.status !== 403) throw error
    })
  }
  const { message, findings } = await findingsOf(hunt('default', app, { depth: 1, faults: ['bad-request'] }))
  expect(message).toContain('attempt 1): bad-request (invalid-request; also with 401, 404, 422; not with 403)')
  expect(findings[0]!.refinements).toEqual([{ fails: ['401', '404', '422'], passes: ['403'] }])
})

test('a finding has a scenario that reproduces it', async () => {
  const app = async (mock: Mock) => void (await ask(clientOf(mock), 'Hello'))
  const { findings } = await findingsOf(hunt('default', app, { depth: 1, faults: ['bad-request'] }))
  const mock = createMock(findings[0]!.scenario)
  using _ = intercept(mock)
  await expect(app(mock)).rejects.toThrow('400')
})

test('a finding has a token that replays it, until the app is fixed or makes other calls', async () => {
  const plan = (answer: string) => async (mock: Mock) => {
    const client = clientOf(mock).withOptions({ maxRetries: 0 })
    // Only a fault of the first call leads to the second.
    await ask(client, 'plan').catch(() => ask(client, answer))
  }
  const { causes, findings } = await findingsOf(hunt('default', plan('again'), { faults: ['bad-request'] }))
  const [{ token, faults }] = findings as [(typeof findings)[0]]
  expect(faults).toHaveLength(2)
  expect(causes[0]!.message).toContain(`Replay: { replay: '${token}' }`)
  const replayed = await findingsOf(hunt('default', plan('again'), { replay: token }))
  expect(replayed.message).toBe(causes[0]!.message.replaceAll('bad-request (invalid-request)', 'invalid-request'))
  const fixed = (mock: Mock) => plan('again')(mock).catch(() => undefined)
  expect(await hunt('default', fixed, { replay: token })).toMatchObject({
    runs: 1,
    calls: ['POST chat "plan"', 'POST chat "again"'],
  })
  const changed = await hunt('default', plan('once more'), { replay: token }).catch((thrown) => thrown)
  expect(isMockError(changed, 'not-reached')).toBe(true)
  expect(changed.message).toMatch(/^Failed to replay: the function made no call \w+\. Its requests have changed/)
  const broken = () => hunt('default', () => Promise.reject(new Error('no such file')), { replay: token })
  await expect(broken()).rejects.toThrow('Failed to replay: the function fails without faults. Make it pass first.')
  await expect(hunt('default', fixed, { replay: 'cut' })).rejects.toThrow(
    "hunt: The option replay: expected a token that a hunt printed, got 'cut'.",
  )
})

test('a fault on an attempt that the app no longer makes is not reached', async () => {
  const asking = (times: number) => async (mock: Mock) => {
    const client = clientOf(mock).withOptions({ maxRetries: 0 })
    await ask(client, 'plan').catch(() => undefined)
    for (let time = 1; time < times; time++) await ask(client, 'plan')
  }
  const { findings } = await findingsOf(hunt('default', asking(2), { depth: 1, faults: ['bad-request'] }))
  const { token } = findings.find(({ faults }) => faults[0]!.attempt === 2)!
  const error = await hunt('default', asking(1), { replay: token }).catch((thrown) => thrown)
  expect(isMockError(error, 'not-reached')).toBe(true)
  expect(error.message).toContain('the function made none of the attempts that these faults hit. Hunt again.')
})

test('a call without an answer takes its 10 minutes of virtual time, three times', async () => {
  let waited = 0
  const app = async (mock: Mock) => {
    const startedAt = Date.now()
    await ask(clientOf(mock), 'Hello').catch(() => undefined)
    waited = Math.max(waited, Date.now() - startedAt)
  }
  await hunt('default', app, { depth: 1, faults: ['hang'] })
  expect(waited).toBeGreaterThan(3 * 600_000)
})

test("a test's own fake timers are used as they are", async () => {
  vi.useFakeTimers()
  await hunt('default', (mock) => ask(clientOf(mock), 'Hello').catch(() => undefined), { depth: 1 })
  expect(vi.isFakeTimers()).toBe(true)
})

test('timers are real again after a hunt', async () => {
  const { setTimeout } = globalThis
  await hunt('default', (mock) => ask(clientOf(mock), 'Hello').catch(() => undefined), { depth: 1, faults: ['hang'] })
  expect(globalThis.setTimeout).toBe(setTimeout)
})

test('an app that also waits for real time is followed', async () => {
  const app = async (mock: Mock) => {
    await wait(2)
    await ask(clientOf(mock), 'Hello').catch(() => undefined)
  }
  expect((await hunt('default', app, { depth: 1 })).calls).toEqual(['POST chat "Hello"'])
})

test('an app that never ends under a fault is found', async () => {
  const app = async (mock: Mock) => {
    await ask(clientOf(mock), 'Hello').catch(() => new Promise(() => {}))
  }
  const { message } = await findingsOf(hunt('default', app, { depth: 1, faults: ['cut'] }))
  expect(message).toContain('It hangs: no timer or call can wake it.')
})

test('an app that retries for ever is found', async () => {
  const app = async (mock: Mock) => {
    for (;;) {
      const answer = await ask(clientOf(mock), 'Hello').catch(() => undefined)
      if (answer !== undefined) return
      await new Promise((resolve) => setTimeout(resolve, 3_600_000))
    }
  }
  const { message } = await findingsOf(hunt('default', app, { depth: 1, faults: ['cut'] }))
  expect(message).toContain('It had not ended after a day of virtual time.')
})

test('an app that polls for ever is found after 10,000 timers', async () => {
  const app = async (mock: Mock) => {
    const answer = await ask(clientOf(mock), 'Hello').catch(() => undefined)
    while (answer === undefined) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { message } = await findingsOf(hunt('default', app, { depth: 1, faults: ['cut'] }))
  expect(message).toContain('It used 10,000 timers and had not ended.')
})

test('an app that retries at once and without end is found', async () => {
  const app = async (mock: Mock) => {
    const headers = { authorization: `Bearer ${mock.scenario.exampleKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hello' }] })
    const send = () => fetch(`${mock.baseURL}/chat/completions`, { method: 'POST', headers, body })
    while (
      (await send()
        .then((answer) => answer.text())
        .catch(() => '')) === ''
    );
  }
  const { message, findings } = await findingsOf(hunt('default', app, { depth: 1, faults: ['cut'] }))
  expect(findings.map(({ failures, tries }) => [failures, tries])).toEqual([[2, 2]])
  expect(message).toContain('It made more than 1,000 calls, the limit of a run. Limit its retries')
})

test('a hunt that ends with sets of faults left is not a success', async () => {
  const app = async (mock: Mock) => void (await ask(clientOf(mock), 'Hello').catch(() => undefined))
  await expect(hunt('default', app, { runs: 3 })).rejects.toThrow('survived 3 runs, and sets of faults are left')
})

test('a hunt makes at most 10,000 runs by default', async () => {
  // An app with one long stream: its 3,000 events can be cut at 12,003 places. Its runs are made up, because they take no time then.
  const timeline = Array.from({ length: 3000 }, () => ({ type: 'send', bytes: 1 }))
  const runOf = (faults: FaultSet): Played => {
    const reason = { by: 'fault', name: faults.length > 0 ? 'cut (faults[0])' : '' }
    const call = { request: 'call-1', attempt: 1, method: 'POST', endpoint: 'chat', model: 'echo-1', status: 200 }
    return {
      isPassed: true,
      entries: [{ ...call, body: { stream: true }, reason, timeline } as unknown as JournalEntry],
    }
  }
  const play = vi.spyOn(FunctionPlayer.prototype, 'play').mockImplementation(async (faults) => runOf(faults))
  try {
    const made = hunt('default', async () => {}, { only: 'cuts' })
    await expect(made).rejects.toThrow('survived 10000 runs, and sets of faults are left')
    expect(play.mock.calls.filter(([faults]) => faults.length > 0)).toHaveLength(10_000)
  } finally {
    play.mockRestore()
  }
})

test('a function that fails without faults is not hunted', async () => {
  const run = hunt('default', () => Promise.reject(new Error('no such file')))
  await expect(run).rejects.toThrow(
    'Failed to hunt: the function fails without faults. No call reached the mock. ' +
      'Give its client the address mock.baseURL.\n  no such file',
  )
  const later = hunt('default', async (mock) => {
    await ask(clientOf(mock), 'Hello')
    throw new Error('no such file')
  })
  await expect(later).rejects.toThrow('the function fails without faults. Make it pass first.\n  no such file')
})

test('a function that does not wait for its calls is not hunted', async () => {
  const forgotten = async (mock: Mock) => void ask(clientOf(mock), 'Hello')
  const error = await hunt('default', forgotten).catch((thrown) => thrown)
  expect(isMockError(error, 'call-in-flight')).toBe(true)
  expect(error.message).toBe('Failed to hunt: the function ended while call 1 was in flight. Await it.')
  const second = async (mock: Mock) => {
    await ask(clientOf(mock), 'plan')
    void showStream(clientOf(mock))
  }
  await expect(hunt('default', second)).rejects.toThrow('while call 2 was in flight')
})

test('a function may cancel a call, and may stop reading a stream', async () => {
  const app = async (mock: Mock) => {
    const stopping = new AbortController()
    const client = clientOf(mock).withOptions({ maxRetries: 0 })
    const first = [{ role: 'user' as const, content: 'one' }]
    const create = client.chat.completions.create({ model: 'echo-1', messages: first }, { signal: stopping.signal })
    const failed = create.catch(() => undefined)
    await wait(5)
    stopping.abort()
    await failed
    const messages = [{ role: 'user' as const, content: 'one two three' }]
    const stream = await client.chat.completions
      .create({ model: 'echo-1', messages, stream: true })
      .catch(() => undefined)
    await stream?.[Symbol.asyncIterator]()
      .next()
      .catch(() => undefined)
  }
  await expect(hunt('slow', app, { depth: 1, faults: ['bad-request'] })).resolves.toMatchObject({
    calls: ['POST chat "one"', 'POST chat "one two three"'],
  })
})

test('a run that does not meet an expectation of the scenario fails', async () => {
  const app = async (mock: Mock) => {
    const client = clientOf(mock).withOptions({ maxRetries: 0 })
    await ask(client, 'Hello').catch(() => ask(client, 'Hello'))
  }
  const options = { depth: 1, faults: ['server-error'] } as const
  const { message } = await findingsOf(hunt({ expect: { calls: '<= 1' } }, app, { ...options }))
  expect(message).toMatch(/^FAILS with 1 fault: It did not meet an expectation: calls/)
})

test('a function without calls is not hunted', async () => {
  await expect(hunt('default', async () => {})).rejects.toThrow('made no call to the mock')
})

test('a function that makes other calls each time is not hunted, and the difference is named', async () => {
  let count = 0
  const run = hunt('default', (mock) => ask(clientOf(mock), `It is ${++count} o'clock`))
  const error = await run.catch((thrown) => thrown)
  expect(isMockError(error, 'not-repeatable')).toBe(true)
  expect(error.message).toBe(
    'Failed to hunt: the function must make the same calls each time, and call 1 changed at ' +
      "request.messages[0].content: 'It is 1 o'clock', then 'It is 2 o'clock'. To hunt all the same, ignore what may " +
      "change (ignore: ['messages[0].content']), or tell calls apart by their order (identity: 'coarse').",
  )
})

test.each([{ ignore: ['messages[0].content'] }, { ignore: [String.raw`/\d+/`] }, { identity: 'coarse' as const }])(
  'a function whose prompt has the time is hunted with %j, and its scenario reproduces what was found',
  async (options) => {
    let count = 0
    // It tries again with the time of then, so the second try is another request.
    const tell = (client: OpenAI) => ask(client, `It is ${++count} o'clock`)
    const app = async (mock: Mock) => {
      const client = clientOf(mock).withOptions({ maxRetries: 0 })
      await tell(client).catch(() => tell(client))
    }
    const { findings, message } = await findingsOf(hunt('default', app, { ...options, faults: ['server-error'] }))
    expect(findings.map(({ faults }) => faults.map(({ attempt }) => attempt))).toEqual([['every']])
    expect(message).toContain(
      options.identity === 'coarse' ? ', from here on): server-error' : ', every attempt): server',
    )
    const mock = createMock(findings[0]!.scenario)
    using _ = intercept(mock)
    await expect(app(mock)).rejects.toThrow('500')
  },
)

test('options are checked', async () => {
  // @ts-expect-error the option is called depth
  await expect(hunt('default', async () => {}, { deph: 1 })).rejects.toThrow("Did you mean 'depth'?")
  await expect(hunt('default', async () => {}, { ignore: ['messages.0.'] })).rejects.toThrow(
    'each of ignore to be a path such',
  )
  await expect(hunt('default', async () => {}, { ignore: ['/(/'] })).rejects.toThrow(
    'each of ignore to be a valid pattern',
  )
  await expect(hunt('default', async () => {}, { depth: 9 })).rejects.toThrow('a whole number from 1 to 5')
  await expect(hunt('default', async () => {}, { faults: [] })).rejects.toThrow(
    'faults to be a list of at least one class',
  )
  // @ts-expect-error the class is called cut
  await expect(hunt('default', async () => {}, { faults: ['cuts'] })).rejects.toThrow("got 'cuts'. Did you mean 'cut'?")
})

test('findings from one place of the app are one block, in which the classes, the calls and the larger sets stand', async () => {
  const app = async (mock: Mock) => {
    const client = clientOf(mock).withOptions({ maxRetries: 0 })
    const give = (content: string) => ask(client, content).catch(() => undefined)
    const answers = [await give('plan'), await give('answer')]
    if (answers.includes(undefined)) throw new Error('an answer is missing')
  }
  const { message } = await findingsOf(hunt('default', app, { faults: ['server-error', 'bad-request'] }))
  expect(message.split('\n')).toEqual([
    'FAILS with 1 fault: an answer is missing',
    '  call 1 (POST chat "plan", attempt 1): server-error or bad-request',
    '  also call 2 (POST chat "answer", attempt 1): server-error or bad-request',
    REPLAY,
  ])
})

test('causes that only outages show come last, are named as such, and can be left out', async () => {
  const app = async (mock: Mock) => {
    const { choices } = await ask(clientOf(mock), 'Hello')
    if (choices[0]!.finish_reason !== 'stop') throw new Error('half an answer')
  }
  const faults = ['server-error', 'unfinished'] as const
  const { message } = await findingsOf(hunt('default', app, { depth: 1, faults }))
  expect(message.split('\n')).toEqual([
    'FAILS with 1 fault: half an answer',
    '  call 1 (POST chat "Hello", attempt 1): unfinished (also with unfinished; reason=content_filter)',
    REPLAY,
    expect.stringMatching(/^FAILS with 1 fault: 500 /),
    '  call 1 (POST chat "Hello", every attempt): server-error; retryAfter=0s (also with 502, 503, 504, 408, 409)',
    expect.stringMatching(/^ {2}An outage: the service never comes back\. .*\(skipOutages: true\)\.$/),
    REPLAY,
  ])
  const { findings } = await findingsOf(hunt('default', app, { depth: 1, faults, skipOutages: true }))
  expect(findings.map(({ cause }) => cause)).toHaveLength(1)
})

test('a call that only a fault leads to and that the echo answered is marked, with the rule to add', async () => {
  const scenario = { replies: [{ when: { user: 'large' }, say: 'a plan' }] }
  const app = async (mock: Mock) => {
    const client = clientOf(mock).withOptions({ maxRetries: 0 })
    const { choices } = await ask(client, 'large').catch(() => ask(client, 'small'))
    if (choices[0]!.message.content !== 'a plan') throw new Error('not a plan')
  }
  const { message } = await findingsOf(hunt(scenario, app, { depth: 1, faults: ['server-error'] }))
  expect(message).toContain(
    '  call 2 (POST chat "small") was answered by the echo, because no rule of the scenario matches it. ' +
      'If the model would say something else, add a rule: { when: { user: "small" }, say: ... }',
  )
})

test('like calls are told apart by what differs', async () => {
  const app = async (mock: Mock) => {
    const client = clientOf(mock).withOptions({ maxRetries: 0 })
    for (const model of ['gpt-4o', 'gpt-4o-mini'])
      await client.chat.completions
        .create({ model, messages: [{ role: 'user', content: 'Hello' }] })
        .catch(() => undefined)
  }
  expect((await hunt('default', app, { depth: 1, faults: ['bad-request'] })).calls).toEqual([
    `POST chat "Hello", model: 'gpt-4o'`,
    `POST chat "Hello", model: 'gpt-4o-mini'`,
  ])
})
