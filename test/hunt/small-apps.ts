/** Nine small apps: each handles the usual fault of a class, mishandles another one, and has a corrected twin. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Mock, ScenarioInput } from '../../src/index.ts'

export interface SmallApp {
  /** The bug. */
  readonly bug: string
  /** The fault that shows it. */
  readonly fault: string
  readonly scenario?: ScenarioInput
  /** Uses the app once; throws when what it did or showed is wrong. */
  readonly use: (mock: Mock, isFixed: boolean) => Promise<unknown>
}

const ANSWER = 'one two three'
const SORRY = 'Please try again later.'

const send = (
  mock: Mock,
  { model = 'gpt-4o', signal, ...body }: Record<string, unknown> & { signal?: AbortSignal } = {},
) =>
  fetch(`${mock.baseURL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.scenario.exampleKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: ANSWER }], ...body }),
    ...(signal !== undefined && { signal }),
  })

// biome-ignore lint/suspicious/noExplicitAny: apps in plain JavaScript read answers like this
type Answer = any

/** An answer after at most two retries; undefined when there is none. */
async function ask(mock: Mock, more?: Parameters<typeof send>[1]): Promise<Answer> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      const answer = await send(mock, { signal: AbortSignal.timeout(60_000), ...more })
      if (answer.status === 200) return (await answer.json()).choices[0]
      if (answer.status < 500 && answer.status !== 429) return undefined
    } catch {}
    await wait(1000)
  }
  return undefined
}

/** Reads the events of a stream. `hasEnded` says whether its end was reached without an error. */
async function readStream(mock: Mock) {
  let text = ''
  let isFinished = false
  let isDone = false
  let hasEnded = false
  try {
    const answer = await send(mock, { stream: true, signal: AbortSignal.timeout(60_000) })
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      for (const [, data = ''] of chunk.matchAll(/^data: (.*)$/gm)) {
        if (data === '[DONE]') isDone = true
        else {
          const { delta, finish_reason: reason } = JSON.parse(data).choices?.[0] ?? { delta: {} }
          text += delta.content ?? ''
          isFinished ||= reason === 'stop'
        }
      }
    }
    hasEnded = answer.ok
  } catch {}
  return { text, isFinished, isDone, hasEnded }
}

const check = (shown: unknown, ...allowed: unknown[]): void => {
  if (!allowed.includes(shown)) throw new Error(`The user sees: ${shown}`)
}

export const SMALL_APPS: readonly SmallApp[] = [
  {
    bug: 'a quota that is used up is retried for ever',
    fault: 'quota',
    async use(mock, isFixed) {
      for (let tries = 0; tries < 3; ) {
        const answer = await send(mock, { signal: AbortSignal.timeout(60_000) }).catch(() => undefined)
        if (answer?.status !== 429) return
        const { error } = await answer.json()
        if (isFixed || error.code === 'rate_limit_exceeded') tries++
        await wait(1000)
      }
    },
  },
  {
    bug: 'the page of a 503 is shown as an answer',
    fault: '503',
    async use(mock, isFixed) {
      const answer = await send(mock, { signal: AbortSignal.timeout(60_000) }).catch(() => undefined)
      const isError = isFixed ? !answer?.ok : answer === undefined || (answer.status !== 503 && !answer.ok)
      const body = isError ? {} : await answer!.json().catch(() => ({}))
      if (body.error !== undefined) throw new Error(`The user sees: ${body.error.message}`)
    },
  },
  {
    bug: 'a 401 is tried again with the same key without end',
    fault: '401',
    async use(mock, isFixed) {
      for (let tries = 0; tries < 3; tries++) {
        const answer = await send(mock, { signal: AbortSignal.timeout(60_000) }).catch(() => undefined)
        if (answer?.status !== 401) return
        if (!isFixed) tries = 0
      }
    },
  },
  {
    bug: 'a refusal is booked as an answer',
    fault: 'refusal',
    async use(mock, isFixed) {
      const { message, finish_reason: reason } = (await ask(mock)) ?? { message: {} }
      const text = message.content ?? (isFixed ? '' : message.refusal)
      // Nobody can tell an answer in another language from a right one.
      if (reason === 'stop' && /sorry|can't|cannot/i.test(text)) throw new Error(`Booked: ${text}`)
    },
  },
  {
    bug: 'an answer that a content filter ended is taken for a whole one',
    fault: 'unfinished; reason=content_filter',
    async use(mock, isFixed) {
      const { message, finish_reason: reason } = (await ask(mock)) ?? { message: {} }
      const isWhole = isFixed ? reason === 'stop' : reason !== 'length'
      if (isWhole && message.content !== '' && ANSWER.startsWith(message.content ?? ANSWER))
        check(message.content ?? ANSWER, ANSWER)
    },
  },
  {
    bug: 'a stream without [DONE] is said to be stored, and is not',
    fault: 'cut; before=done; end=clean',
    async use(mock, isFixed) {
      const stored: string[] = []
      const { text, isFinished, isDone, hasEnded } = await readStream(mock)
      if (isDone || (isFixed && isFinished)) stored.push(text)
      const shown = hasEnded && isFinished ? 'stored' : SORRY
      if (shown === 'stored' && stored.length === 0) throw new Error('Nothing is stored')
    },
  },
  {
    bug: 'a cut after the finish_reason leads to the answer twice',
    fault: 'cut; before=done',
    async use(mock, isFixed) {
      const first = await readStream(mock)
      if (first.hasEnded || !first.isFinished || isFixed) return
      const second = await readStream(mock)
      if (second.isFinished) throw new Error(`The user sees: ${first.text + second.text}`)
    },
  },
  {
    bug: 'when three models are down, nothing is left to show',
    fault: 'server-error',
    async use(mock, isFixed) {
      const models = ['gpt-4o', 'gpt-4.1', 'gpt-4o-mini']
      let answer: Answer
      for (const model of models) answer ??= await ask(mock, { model })
      if (isFixed) answer ??= { message: { content: SORRY } }
      return answer.message.content
    },
  },
  {
    bug: 'a slow answer is asked for twice, and both are booked',
    fault: 'slow',
    async use(mock, isFixed) {
      let bookings = 0
      const book = async (signal?: AbortSignal) => {
        const answer = await send(mock, signal && { signal }).catch(() => undefined)
        if (answer?.ok && (await answer.text().catch(() => '')) !== '') bookings++
      }
      const patience = AbortSignal.timeout(3000)
      const first = book(
        isFixed ? AbortSignal.any([patience, AbortSignal.timeout(60_000)]) : AbortSignal.timeout(60_000),
      )
      await Promise.race([first, wait(3001)])
      if (bookings === 0 && patience.aborted) await book(AbortSignal.timeout(60_000))
      await first
      if (bookings > 1) throw new Error(`Booked ${bookings} tables`)
    },
  },
]
