/** Built-in properties of a hunt: what each finds, what it survives, and what the app is told of its run. */
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import {
  boundedCalls,
  boundedTime,
  type HuntCheck,
  HuntError,
  type HuntedFunction,
  type HuntOptions,
  hunt,
  once,
  wholeOrError,
} from '../../src/hunt.ts'
import type { Mock, ScenarioInput } from '../../src/index.ts'

const clientOf = (mock: Mock, maxRetries = 0): OpenAI =>
  new OpenAI({ apiKey: mock.scenario.exampleKey, baseURL: mock.baseURL, maxRetries })

const PROMPT = 'one two three'
const SORRY = 'Please try again later.'

const ask = async (mock: Mock, content = PROMPT, maxRetries = 0) => {
  const messages = [{ role: 'user' as const, content }]
  const { choices } = await clientOf(mock, maxRetries).chat.completions.create({ model: 'gpt-4o', messages })
  return choices[0]!
}

/** Reads a stream to its end, and says if it was finished. */
async function read(mock: Mock) {
  let text = ''
  let reason: unknown
  const messages = [{ role: 'user' as const, content: PROMPT }]
  const stream = await clientOf(mock).chat.completions.create({ model: 'gpt-4o', messages, stream: true })
  for await (const { choices } of stream) {
    text += choices[0]?.delta.content ?? ''
    reason ??= choices[0]?.finish_reason
  }
  return { text, reason }
}

async function messageOf(app: HuntedFunction, check: readonly HuntCheck[], options: HuntOptions = {}, scenario = {}) {
  const error = await hunt(scenario as ScenarioInput, app, { depth: 1, ...options, check }).catch((thrown) => thrown)
  if (error instanceof HuntError) return error.message
  throw error instanceof Error ? error : new Error('expected a HuntError, got none')
}

describe('wholeOrError', () => {
  test.each<[string, HuntedFunction]>([
    [
      'throws when it gets none',
      async (mock) => {
        const { message, finish_reason: reason } = await ask(mock)
        if (reason !== 'stop') throw new Error('The answer is not complete.')
        return message.content
      },
    ],
    [
      'shows a text when it gets none',
      async (mock) => {
        const { text, reason } = await read(mock).catch(() => ({ text: '', reason: 'error' }))
        return reason === 'stop' ? `Answer: ${text}` : SORRY
      },
    ],
    [
      'shows nothing when it gets none',
      async (mock) => {
        const { text, reason } = await read(mock).catch(() => ({ text: '', reason: 'error' }))
        return reason === 'stop' ? text : ''
      },
    ],
    [
      'shows the beginning with a note',
      async (mock) => {
        let text = ''
        const messages = [{ role: 'user' as const, content: PROMPT }]
        try {
          const stream = await clientOf(mock).chat.completions.create({ model: 'gpt-4o', messages, stream: true })
          let isFinished = false
          for await (const { choices } of stream) {
            text += choices[0]?.delta.content ?? ''
            isFinished ||= choices[0]?.finish_reason === 'stop'
          }
          return isFinished ? text : `${text}\n[interrupted]`
        } catch {
          return `${text}\n[interrupted]`
        }
      },
    ],
    [
      'returns the finish_reason with the beginning',
      async (mock) => {
        const { message, finish_reason: reason } = await ask(mock)
        return { text: message.content, reason }
      },
    ],
    [
      'retries, and falls back to another model',
      async (mock) => {
        const whole = async () => {
          const { message, finish_reason: reason } = await ask(mock)
          if (reason !== 'stop' || !message.content) throw new Error('The answer is not complete.')
          return message.content
        }
        return whole()
          .catch(whole)
          .catch(() => 'one')
      },
    ],
  ])('an app survives that %s', async (_, app) => {
    await hunt('default', app, { check: [wholeOrError()] })
  })

  test('the beginning of an answer in the place of the whole is found, whole or streamed, as text or in an object', async () => {
    const whole: HuntedFunction = async (mock) => (await ask(mock)).message.content
    expect((await messageOf(whole, [wholeOrError()])).split('\n')).toEqual([
      'FAILS with 1 fault: wholeOrError(): expected the whole answer "one two three" or an error, got "one tw": request 1 of the run (POST chat, gpt-4o, attempt 1) was broken by the fault unfinished.',
      '  call 1 (POST chat "one two three", attempt 1): unfinished (also with unfinished; reason=content_filter)',
      expect.stringMatching(/^ {2}Replay: /),
    ])
    const streamed: HuntedFunction = async (mock) => ({ answers: [`Answer: ${(await read(mock)).text}`] })
    const message = await messageOf(streamed, [wholeOrError()])
    expect(message.match(/^FAILS/gm)).toHaveLength(1)
    expect(message).toMatch(/attempt 1\): early-end or unfinished$/m)
  })

  test('so is one of several answers that are the same', async () => {
    const app: HuntedFunction = async (mock) => {
      const answers = await Promise.all(['first', 'second'].map((content) => ask(mock, content)))
      return answers.map(({ message }) => message.content?.trim()).join('\n')
    }
    const scenario = { replies: [{ say: 'A summary (of it).' }] }
    const message = await messageOf(app, [wholeOrError()], { faults: ['unfinished'] }, scenario)
    expect(message).toContain('(POST chat "first", attempt 1): unfinished')
    expect(message).toContain('also call 2 (POST chat "second", attempt 1): unfinished')
  })

  test('so is one that is shown when a stream breaks off', async () => {
    const app: HuntedFunction = async (mock) => {
      let text = ''
      const messages = [{ role: 'user' as const, content: PROMPT }]
      try {
        const stream = await clientOf(mock).chat.completions.create({ model: 'gpt-4o', messages, stream: true })
        for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
      } catch {
        if (text === '') return SORRY
      }
      return text
    }
    expect(await messageOf(app, [wholeOrError()], { faults: ['cut'] })).toContain(' was broken by the fault cut.')
  })

  test('an app that crashes, hangs or whose own assertion fails is found all the same', async () => {
    const crashes: HuntedFunction = async (mock) => {
      const headers = { authorization: `Bearer ${mock.scenario.exampleKey}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: PROMPT }] })
      const answer = await fetch(`${mock.baseURL}/chat/completions`, { method: 'POST', headers, body })
      return (await answer.json()).choices[0].message.content
    }
    expect(await messageOf(crashes, [wholeOrError()], { faults: ['server-error'] })).toMatch(
      /^FAILS .*Cannot read prop/,
    )
    const hangs: HuntedFunction = (mock) => ask(mock).catch(() => new Promise(() => {}))
    expect(await messageOf(hangs, [wholeOrError()], { faults: ['server-error'] })).toMatch(/^FAILS .*It hangs/)
    const asserts: HuntedFunction = async (mock) => {
      const answer = await ask(mock).catch(() => undefined)
      expect(answer).toBeDefined()
      return answer
    }
    expect(await messageOf(asserts, [wholeOrError()], { faults: ['server-error'] })).toMatch(/^FAILS .*to be defined/)
  })

  test('an app that shows no answer cannot be checked, and the message says so', async () => {
    const app: HuntedFunction = async (mock) => void (await ask(mock))
    await expect(hunt('default', app, { check: [wholeOrError()] })).rejects.toThrow(
      'wholeOrError(): expected the app to return or print an answer of the model, so that there is something to check',
    )
  })
})

test('a side effect that a retry repeats is found, with the calls that came before it', async () => {
  const app: HuntedFunction = async (mock, { did }) => {
    const order = async () => {
      did('charge')
      await ask(mock)
    }
    await order()
      .catch(order)
      .catch(() => {})
  }
  expect(await messageOf(app, [once('charge')], { faults: ['server-error'] })).toMatch(
    /^FAILS with 1 fault: once\('charge'\): expected charge at most once, got it 2 times: after 0 calls, after 1 call\.\n {2}call 1 \(POST chat "one two three", attempt 1\)/,
  )
  await hunt('default', app, { depth: 1, faults: ['server-error'], check: [once('refund'), once('char')] })
})

test('each of several orders may be charged once', async () => {
  const app: HuntedFunction = async (mock, { did }) => {
    for (const order of ['order-1', 'order-2']) {
      did('charge', order)
      await ask(mock, order).catch(() => did('charge', 'order-1'))
    }
  }
  expect(await messageOf(app, [once('charge')], { faults: ['server-error'] })).toContain(
    'expected charge order-1 at most once, got it 2 times: after 0 calls, after 1 call.',
  )
})

test('too many calls are found, and the first one too many is named', async () => {
  const app: HuntedFunction = async (mock) => void (await ask(mock, PROMPT, 3).catch(() => {}))
  expect(await messageOf(app, [boundedCalls(3)], { faults: ['server-error'] })).toContain(
    'FAILS with 1 fault: boundedCalls(3): expected at most 3 calls, got 4. The first one too many is request 4 of the run (POST chat, gpt-4o, attempt 4).',
  )
  await hunt('default', app, { depth: 1, check: [boundedCalls(4)] })
})

test('a run that takes too much virtual time is found, with its longest call', async () => {
  const app: HuntedFunction = async (mock) => void (await ask(mock).catch(() => {}))
  expect(await messageOf(app, [boundedTime('60s')], { faults: ['hang', 'slow'] })).toMatch(
    /^FAILS with 1 fault: boundedTime\('60s'\): expected at most 60s, got 10m.*s\. Its longest call is request 1 of the run \(POST chat, gpt-4o, attempt 1\), with 10m.*s\.\n.*: hang\n/,
  )
})

test('the app is told the faults of its run, so a test can expect a fallback', async () => {
  const seen = new Set<string>()
  const app: HuntedFunction = async (mock, { faults }) => {
    for (const { text } of faults) seen.add(text)
    const answer = await ask(mock).then(
      ({ message }) => message.content,
      () => SORRY,
    )
    const isBroken = faults.some((fault) => fault.class === 'server-error')
    expect(answer).toBe(isBroken ? SORRY : PROMPT)
    expect(faults.map(({ isOutage }) => isOutage)).toEqual(faults.map(({ text }) => !text.includes('attempt 1')))
  }
  await hunt('default', app, { faults: ['server-error'] })
  expect([...seen][0]).toBe('call 1 (POST chat "one two three", attempt 1): server-error; retryAfter=0s')
})

test('a property that does not hold without faults is named before the hunt', async () => {
  const app: HuntedFunction = (mock) => ask(mock).then(() => ask(mock, 'again'))
  await expect(hunt('default', app, { check: [boundedCalls(1)] })).rejects.toThrow(
    'the function fails without faults. Make it pass first.\n  boundedCalls(1): expected at most 1 call, got 2.',
  )
})

test('a wrong property is refused', async () => {
  expect(() => once('to charge')).toThrow(
    "once: expected the side effect to be a name without spaces, got 'to charge'.",
  )
  expect(() => boundedCalls(0)).toThrow('boundedCalls: expected the limit to be a whole number from 1, got 0.')
  expect(() => boundedTime('soon')).toThrow("boundedTime: expected the limit to be a duration such as 60s, got 'soon'.")
  const check = [wholeOrError] as unknown as HuntCheck[]
  await expect(hunt('default', async () => {}, { check })).rejects.toThrow(
    'expected check to be a list of properties such as [wholeOrError()]',
  )
})
