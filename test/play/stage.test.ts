/** What a hunt takes over of the process: timers of every kind, work in other threads, errors that nobody handles. */
import { request } from 'node:https'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { HuntError, hunt } from '../../src/hunt.ts'
import { createMock, isMockError, type Mock } from '../../src/index.ts'
import { Stage } from '../../src/play/stage.ts'

const clientOf = (mock: Mock): OpenAI => new OpenAI({ apiKey: mock.scenario.exampleKey, baseURL: mock.baseURL })

const ask = (mock: Mock, content = 'Hello') =>
  clientOf(mock).chat.completions.create({ model: 'echo-1', messages: [{ role: 'user', content }] })

const survive = async (mock: Mock) => ask(mock).catch(() => undefined)

/** The app fails when its call fails and its work does not end before a time-out of ten virtual minutes. */
const endsBeforeTimeOut = (work: () => Promise<unknown>) =>
  hunt(
    'default',
    async (mock) => {
      await survive(mock)
      let timer: NodeJS.Timeout | undefined
      const tooLate = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error('too late')), 600_000)
      })
      await Promise.race([work(), tooLate])
      clearTimeout(timer)
    },
    { depth: 1, faults: ['bad-request'] },
  )

test.each([
  ['zlib', async () => promisify(gunzip)(await promisify(gzip)(Buffer.alloc(5_000_000, 'text')))],
  ['DecompressionStream', async () => unzip(await promisify(gzip)(Buffer.alloc(1_000_000, 'text')))],
  ['crypto.subtle', () => crypto.subtle.digest('SHA-256', new Uint8Array(20_000_000))],
  ['many turns of setImmediate', () => turns(200)],
])('a time-out does not end before %s', async (_, work) => {
  await expect(endsBeforeTimeOut(work)).resolves.toMatchObject({ runs: 5 })
})

const unzip = (zipped: Uint8Array<ArrayBuffer>): Promise<string> =>
  new Response(new Blob([zipped]).stream().pipeThrough(new DecompressionStream('gzip'))).text()

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('a wait of node:timers/promises takes no time, imported by name too', async () => {
  const { runs } = await hunt('default', async (mock) => {
    await wait(3_600_000)
    await survive(mock)
  })
  expect(runs).toBeGreaterThan(10)
})

test('AbortSignal.timeout follows the virtual time', async () => {
  const { timeout } = AbortSignal
  const waited = new Set<number>()
  const app = async (mock: Mock) => {
    const startedAt = Date.now()
    await clientOf(mock)
      .chat.completions.create({ model: 'echo-1', messages: [] }, { signal: AbortSignal.timeout(90_000) })
      .catch(() => undefined)
    waited.add(Date.now() - startedAt)
  }
  await hunt('default', app, { depth: 1, faults: ['hang'] })
  expect([...waited]).toEqual([0, 90_000])
  expect(AbortSignal.timeout).toBe(timeout)
})

test('a client of node:https that waits a minute for an answer leaves', async () => {
  const app = (mock: Mock) =>
    new Promise<void>((resolve) => {
      const headers = { authorization: `Bearer ${mock.scenario.exampleKey}`, 'content-type': 'application/json' }
      const call = request('https://api.openai.com/v1/chat/completions', { method: 'POST', headers })
      const timer = setTimeout(() => call.destroy(), 60_000)
      const end = () => {
        clearTimeout(timer)
        resolve()
      }
      call.on('error', end).on('response', (response) => response.on('error', end).on('end', end).resume())
      call.end(JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hello' }] }))
    })
  expect((await hunt('default', app, { depth: 1 })).calls).toEqual(['POST chat "Hello"'])
})

test('timers and calls that an app leaves behind do not reach the next run', async () => {
  const app = async (mock: Mock) => {
    if ((await survive(mock)) === undefined) void survive(mock)
    setInterval(() => void ask(mock, `late at ${Date.now()}`), 1000)
  }
  await expect(hunt('default', app, { depth: 1 })).resolves.toMatchObject({ calls: ['POST chat "Hello"'] })
})

test('every run starts at the same time, so a date in a prompt does not change', async () => {
  const app = async (mock: Mock) => {
    await wait(5)
    await ask(mock, `It is ${Date.now()}`).catch(() => undefined)
  }
  await expect(hunt('default', app, { depth: 1, faults: ['bad-request'] })).resolves.toMatchObject({ runs: 5 })
})

test.each([
  ['a rejection', (mock: Mock) => void ask(mock)],
  ['an error of a timer', (mock: Mock) => void setTimeout(() => ask(mock).catch(thrown), 10)],
])('%s that nobody handles is a failure of the run', async (_, begin) => {
  const listeners = process.listeners('unhandledRejection')
  const app = async (mock: Mock) => {
    begin(mock)
    await wait(1000)
  }
  const error = await hunt('default', app, { depth: 1, faults: ['bad-request'] }).catch((one) => one)
  expect(error).toBeInstanceOf(HuntError)
  expect(error.message).toContain('FAILS with 1 fault: An error was not handled: 400')
  expect(process.listeners('unhandledRejection')).toEqual(listeners)
})

test.each([
  ['a rejection', () => void Promise.reject(new Error('left behind'))],
  ['a function that nothing awaits', () => void failLater(Promise.resolve())],
  ['a call that nothing awaits', (mock: Mock) => void failLater(survive(mock))],
])('%s that fails after the app has returned is a failure of the run', async (_, leave) => {
  const app = async (mock: Mock) => {
    const answer = await ask(mock).catch(() => undefined)
    if (answer === undefined) leave(mock)
  }
  const error = await hunt('default', app, { depth: 1, faults: ['bad-request'] }).catch((one) => one)
  expect(error.message).toContain('FAILS with 1 fault: An error was not handled: left behind')
})

async function failLater(work: Promise<unknown>): Promise<never> {
  await work
  throw new Error('left behind')
}

const thrown = (error: unknown): void =>
  void setTimeout(() => {
    throw error
  }, 1)

test('runs under faults print nothing, and a spy of the test still sees them', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const { warn } = console
  const printed: unknown[] = []
  console.warn = (text) => printed.push(text)
  const app = async (mock: Mock) => {
    await survive(mock)
    console.warn('ended')
    console.log('ended')
  }
  const { runs } = await hunt('default', app, { depth: 1 })
  expect(printed).toEqual(['ended', 'ended'])
  expect(log).toHaveBeenCalledTimes(runs + 2)
  console.warn = warn
  log.mockRestore()
})

test('what a failing run printed is in its finding, and the message shows the last lines', async () => {
  const app = async (mock: Mock) => {
    await ask(mock).catch(() => {
      for (let line = 1; line <= 12; line++) console.log('line %d of', line, { lines: 12 })
      throw new Error('no answer')
    })
  }
  const error: HuntError = await hunt('default', app, { depth: 1, faults: ['server-error'] }).catch((reason) => reason)
  const printed = Array.from({ length: 12 }, (_, index) => `line ${index + 1} of { lines: 12 }`)
  expect(error.findings[0]!.output).toEqual(printed)
  const shown = printed.slice(2).map((line) => `  | ${line}\n`)
  expect(`${error.message}\n`).toMatch(
    /^FAILS with 1 fault: no answer\n {2}call 1 .*\n {2}An outage: .*\n {2}\| line 3 of/,
  )
  expect(error.message.replace(/^ {2}Replay: .*$/m, '').endsWith(shown.join(''))).toBe(true)
})

test('a run may make 1,000 calls', async () => {
  const mock = createMock('default')
  const stage = new Stage(mock)
  const app = async () => {
    for (let call = 0; call < 1000; call++) await fetch(`${mock.baseURL}/embeddings`, { method: 'POST', body: '' })
  }
  expect(await stage.run(app, { isQuiet: true })).toEqual({})
  stage.close()
})

test.each([
  ['setImmediate', () => new Promise((resolve) => setImmediate(resolve))],
  ['promisify(setImmediate)', () => promisify(setImmediate)()],
  ['setImmediate of node:timers/promises', () => nextTurn()],
])('an app that loops on %s fails after 100,000 turns, and its loop ends with the run', async (_, wait) => {
  const stage = new Stage(createMock('default'))
  let turns = 0
  const app = async () => {
    for (; ; turns++) await wait()
  }
  const { error } = await stage.run(app, { isQuiet: true })
  expect((error as Error).message).toMatch(/^It used 100,000 turns of the event loop and had not ended: it loops on/)
  const turnsAtEnd = turns
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect([turns - turnsAtEnd, turns > 90_000 && turns < 150_000]).toEqual([0, true])
  stage.close()
})

test('a hunt that its signal stops gives the address back', async () => {
  const test = new AbortController()
  const app = async (mock: Mock) => {
    await survive(mock)
    test.abort(new Error('the test timed out'))
    await new Promise(() => {})
  }
  await expect(hunt('default', app, { signal: test.signal })).rejects.toThrow('the test timed out')
  await expect(hunt('default', survive, { depth: 1, faults: ['hang'] })).resolves.toMatchObject({ runs: 2 })
})

test('a second hunt is refused, and the message says what to do', async () => {
  const first = hunt('default', survive, { depth: 1, faults: ['bad-request'] })
  const error = await hunt('default', survive).catch((one) => one)
  expect(isMockError(error, 'already-intercepted')).toBe(true)
  expect(error.message).toContain('give it the signal of the test, hunt(scenario, app, { signal })')
  await first
})

test('a faked Date without fake timers is refused', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  await expect(hunt('default', survive)).rejects.toThrow('Date is faked and setTimeout is not. Fake both')
  vi.useRealTimers()
})

test("a test's own fake timers lose the timers of the app, and keep their own", async () => {
  vi.useFakeTimers()
  const own = setTimeout(() => {}, 10 ** 9)
  const app = async (mock: Mock) => {
    await survive(mock)
    setTimeout(() => {}, 1000)
  }
  await hunt('default', app, { depth: 1, faults: ['bad-request'] })
  expect(vi.getTimerCount()).toBe(1)
  clearTimeout(own)
  vi.useRealTimers()
})
