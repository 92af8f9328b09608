/** What is sent to the servers: four kinds of calls, each with the check that an answer is what was asked for. */

/** So many different calls of each kind, in turn: as in an app's tests, texts come again, but not always the same one. */
const VARIANTS = 64
const DIMENSIONS = 1536
const LIMIT_MS = 10_000

/** Seven tokens: with the role, the finish and [DONE] a stream has ten events. */
export const STREAM_TEXT = 'One two three four five six seven'
export const STREAM_EVENTS = 10

export interface Workload {
  /** Below the base URL. */
  readonly path: string
  readonly bodies: readonly string[]
  /** How many keys take turns; one by default. */
  readonly keys?: number
  /** What is wrong with an answer; undefined when it is right. */
  problem(text: string): string | undefined
}

/** The headers of a call, with the key whose turn it is. */
export const headersOf = ({ keys = 1 }: Workload, index: number) => ({
  ...HEADERS,
  authorization: `Bearer sk-bench${index % keys === 0 ? '' : `-${index % keys}`}`,
})

export const HEADERS = { authorization: 'Bearer sk-bench', 'content-type': 'application/json' }

export const workloads = {
  chat: {
    path: '/chat/completions',
    bodies: variants((number) => ({ model: 'echo-1', messages: [{ role: 'user', content: greeting(number) }] })),
    problem(text) {
      const content = JSON.parse(text).choices?.[0]?.message?.content
      return typeof content === 'string' && content !== '' ? undefined : 'has no text'
    },
  },
  stream: {
    path: '/chat/completions',
    bodies: variants((number) => ({
      model: 'echo-1',
      stream: true,
      user: `user-${number}`,
      messages: [{ role: 'user', content: STREAM_TEXT }],
    })),
    problem(text) {
      const events = text.split('\n\n').filter((event) => event.startsWith('data: '))
      if (events.length !== STREAM_EVENTS) return `has ${events.length} events, not ${STREAM_EVENTS}`
      return events.at(-1) === 'data: [DONE]' ? undefined : 'does not end with [DONE]'
    },
  },
  float: embeddings('float', (vector) =>
    Array.isArray(vector) && vector.length === DIMENSIONS ? undefined : `is no list of ${DIMENSIONS} numbers`,
  ),
  base64: embeddings('base64', (vector) =>
    typeof vector === 'string' && Buffer.from(vector, 'base64').length === DIMENSIONS * 4
      ? undefined
      : `is not ${DIMENSIONS} float32s in base64`,
  ),
} satisfies Record<string, Workload>

export type WorkloadName = keyof typeof workloads

/** Sends one call of the kind, and says what is wrong with its answer; undefined when it is right. */
export async function problemWith(url: string, { path, bodies, problem }: Workload): Promise<string | undefined> {
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    const response = await fetch(url + path, { method: 'POST', headers: HEADERS, body: bodies[0]!, signal })
    const text = await response.text()
    if (response.status !== 200) return `status ${response.status}: ${text.slice(0, 200)}`
    const wrong = problem(text)
    return wrong === undefined ? undefined : `the answer ${wrong}`
  } catch (error) {
    return signal.aborted ? `no answer within ${LIMIT_MS} ms` : `no whole answer: ${(error as Error).message}`
  }
}

function embeddings(format: string, problemOf: (vector: unknown) => string | undefined): Workload {
  return {
    path: '/embeddings',
    bodies: variants((number) => ({ model: 'hash-1', input: greeting(number), encoding_format: format })),
    problem: (text) => {
      const wrong = problemOf(JSON.parse(text).data?.[0]?.embedding)
      return wrong === undefined ? undefined : `has an embedding that ${wrong}`
    },
  }
}

function greeting(number: number): string {
  return `Hello there, number ${number}!`
}

function variants(bodyOf: (number: number) => object): readonly string[] {
  return Array.from({ length: VARIANTS }, (_, number) => JSON.stringify(bodyOf(number)))
}
