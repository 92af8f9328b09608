/** What the page of the browser test can do. It is bundled for the browser; the test calls it as `lab`. */
import { setupWorker } from 'msw/browser'
import OpenAI from 'openai'
import type * as api from '../../src/index.ts'
import { CONTRACT_SCENARIO, CONTRACT_SEED, type ContractCall } from '../transports/calls.ts'

/** An answer as the page saw it. */
export interface Seen {
  /** 0 when there was none. */
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The body as it came, a character for each byte. */
  readonly pieces: readonly string[]
  /** What the mock's journal said of the call when the first piece was there. */
  readonly outcomeAtFirst: string | undefined
  /** The name of the error that ended it; undefined when it came to its end. */
  readonly error: string | undefined
}

/** msw 3 calls the second option onUnhandledFrame; each version ignores the other's name. */
const START_OPTIONS: object = { quiet: true, onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' }

export function makeLab(createMock: typeof api.createMock) {
  const worker = setupWorker()
  let mock: api.Mock | undefined

  return {
    startWorker: () => worker.start(START_OPTIONS),

    /** Puts a fresh mock behind the worker. */
    use(...settings: Parameters<typeof createMock>): void {
      mock = createMock(...settings)
      worker.resetHandlers(...mock.handlers)
    },

    /** Serves the scenario of the contract from the worker: it is built here, because its patterns cannot be cloned. */
    useContract(baseUrl: string): void {
      this.use(CONTRACT_SCENARIO, { seed: CONTRACT_SEED, baseURL: baseUrl })
    },

    outcomes: () => mock?.journal.map(({ outcome }) => outcome),

    /** Sends a call and reads the answer to its end, or leaves after so many pieces. */
    async send(baseUrl: string, call: ContractCall, leaveAfter?: number): Promise<Seen> {
      const leaving = new AbortController()
      const { method, path, headers, body = null } = call
      const pieces: string[] = []
      let response: Response | undefined
      let outcomeAtFirst: string | undefined
      let error: string | undefined
      try {
        response = await fetch(baseUrl + path, { method, headers, body, signal: leaving.signal })
        for await (const piece of response.body ?? []) {
          outcomeAtFirst ??= mock?.journal.at(-1)?.outcome
          pieces.push(Array.from(piece, (byte) => String.fromCharCode(byte)).join(''))
          if (pieces.length === leaveAfter) leaving.abort()
        }
      } catch (thrown) {
        error = (thrown as Error).name
      }
      const { status = 0 } = response ?? {}
      return { status, headers: [...(response?.headers ?? [])], pieces, outcomeAtFirst, error }
    },

    askOfficially: (baseURL: string) => askOfficially(baseURL),
  }
}

export type Lab = ReturnType<typeof makeLab>

/** What the official client makes of an answer and a stream of either dialect, and of a vector; the same in a page and in Node. */
export async function askOfficially(baseURL: string) {
  const client = new OpenAI({ baseURL, apiKey: 'sk-official', maxRetries: 0, dangerouslyAllowBrowser: true })
  const question = { model: 'gpt-4o-mini', messages: [{ role: 'user' as const, content: 'Grüße, 世界! 👋' }] }
  const input = { model: 'gpt-4o-mini', input: 'Grüße, 世界! 👋' }
  const chunks: OpenAI.ChatCompletionChunk[] = []
  const events: OpenAI.Responses.ResponseStreamEvent[] = []
  for await (const chunk of await client.chat.completions.create({ ...question, stream: true })) chunks.push(chunk)
  for await (const event of await client.responses.create({ ...input, stream: true })) events.push(event)
  return {
    completion: await client.chat.completions.create(question),
    chunks,
    response: await client.responses.create(input),
    events,
    embedding: await client.embeddings.create({
      model: 'text-embedding-3-small',
      input: 'the cat sat',
      dimensions: 64,
    }),
  }
}

declare global {
  var lab: Lab
}
