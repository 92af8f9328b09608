/** The mock answers recorded requests as the real service did. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { listen, type MockServer } from '../../src/node.ts'
import { chunksIn } from '../support/core.ts'
import { hasRecordings, type Json, type Recorded, readRecordings } from '../support/recorded.ts'

/** What of a recording a mock can't answer alike, and why. */
interface Exception {
  readonly reason: string
  readonly concerns: (recorded: Recorded) => boolean
  /** The keys it is about: `choices[].message.audio`. */
  readonly keys: RegExp
}

const isCharged = ({ headers }: Recorded): boolean => 'x-ratelimit-limit-tokens' in headers
const chargeIn = (headers: Readonly<Record<string, string>>): number =>
  Number(headers['x-ratelimit-limit-tokens']) - Number(headers['x-ratelimit-remaining-tokens'])
const isStream = ({ request }: Recorded): boolean => request.stream === true
const calledTools = ({ body }: Recorded): boolean => body.includes('"tool_calls"')

const exceptions: readonly Exception[] = [
  {
    reason: 'only a model knows when to call a tool',
    concerns: calledTools,
    keys: /^choices\[\]\.(message|delta)\.(tool_calls|content)$/,
  },
  {
    reason: 'only a model knows how long it thinks: here it may leave room for the call',
    concerns: ({ request, body }) => request.tool_choice?.type === 'function' && body.includes('"length"'),
    keys: /^choices\[\]\.message\.content$/,
  },
  {
    reason: 'a model that searches counts the text alone, without the frame of the message',
    concerns: (recorded) => /search/.test(recorded.request.model) && !isStream(recorded),
    keys: /^usage\.prompt_tokens$/,
  },
]

interface Case {
  readonly name: string
  readonly recorded: Recorded
  /** Whether a key or header of the recording need not be answered. */
  readonly isExcepted: (key: string) => boolean
}

const cases = readRecordings().map((recorded, index): Case => {
  const own = exceptions.filter(({ concerns }) => concerns(recorded))
  const { model, stream, n, tools, input } = recorded.request
  const kind = [stream && 'stream', n && `n ${n}`, tools && 'tools', Array.isArray(input) && 'list'].filter(Boolean)
  const but = own.length === 0 ? '' : ` (but ${own.map(({ reason }) => reason).join('; ')})`
  return {
    name: `#${index + 1} ${recorded.path} ${model} ${kind.join(' ')}${kind.length > 0 ? ' ' : ''}${recorded.status}${but}`,
    recorded,
    isExcepted: (key) => own.some(({ keys }) => keys.test(key)),
  }
})
const titled = (which: (recorded: Recorded) => boolean): [string, Case][] =>
  cases.filter(({ recorded }) => which(recorded)).map((one) => [one.name, one])

const isError = ({ status }: Recorded): boolean => status >= 400
const isJsonAnswer = (recorded: Recorded): boolean => recorded.status === 200 && !isStream(recorded)
const isEmbeddings = ({ path }: Recorded): boolean => path === '/v1/embeddings'

const suffix = hasRecordings ? '' : ' (skipped: ../shared/recorded is not beside this checkout)'

describe.skipIf(!hasRecordings)(`recorded traffic${suffix}`, () => {
  let server: MockServer
  beforeAll(async () => {
    server = await listen(createMock('openai', { seed: 7 }), { port: 0 })
  })
  afterAll(() => server.close(0))

  const replay = ({ path, request }: Recorded, by = server): Promise<Response> =>
    fetch(by.url.replace(/\/v1$/, path), {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })

  test('there are 56 calls', () => expect(cases).toHaveLength(56))

  test.each(titled(() => true))('the status: %s', async (_, { recorded }) => {
    const response = await replay(recorded)
    expect(response.status, await response.text()).toBe(recorded.status)
  })

  test.each(titled(isError))('the error, all four fields: %s', async (_, { recorded }) => {
    const response = await replay(recorded)
    expect(await response.json()).toEqual(JSON.parse(recorded.body))
  })

  test.each(titled(() => true))('the names and forms of the headers: %s', async (_, { recorded, isExcepted }) => {
    const { headers } = await replay(recorded)
    const names = Object.keys(recorded.headers).filter((name) => !isExcepted(name))
    for (const name of names) {
      const form = forms[name] ?? new RegExp(`^${escaped(recorded.headers[name]!)}$`)
      expect(recorded.headers[name], `${name}, as recorded`).toMatch(form)
      expect(headers.get(name), name).toMatch(form)
    }
  })

  test.each(titled(isCharged))('the charge: %s', async (_, { recorded }) => {
    const mock = await listen(createMock('openai', { clock: 'manual' }), { port: 0 })
    const { headers } = await replay(recorded, mock).finally(() => mock.close(0))
    const beyond = chargeIn(recorded.headers) - chargeIn(Object.fromEntries(headers))
    // Until March 2025, the service added max_tokens, 16 by default, for each choice.
    const { max_tokens = 16, n = 1 } = recorded.request
    const isOld = !isEmbeddings(recorded) && Math.abs(beyond - max_tokens * n) <= 1
    expect(Math.abs(beyond) <= 1 || isOld, `${beyond} more were charged`).toBe(true)
  })

  test.each(titled(({ status }) => status === 404))('only the request id: %s', async (_, { recorded }) => {
    const { headers } = await replay(recorded)
    const ofService = [...headers.keys()].filter((name) => /^x-request-id$|^openai-|^x-ratelimit-/.test(name))
    expect(ofService).toEqual(['x-request-id'])
  })

  test.each(titled(isJsonAnswer))('the keys of the body and their types: %s', async (_, { recorded, isExcepted }) => {
    const answered = await (await replay(recorded)).json()
    expect(missingKeys(JSON.parse(recorded.body), answered, isExcepted)).toEqual([])
  })

  test.each(titled(isJsonAnswer))(
    'the object, the model and the number of choices are the recorded ones: %s',
    async (_, { recorded }) => {
      const expected = JSON.parse(recorded.body)
      const answered = await (await replay(recorded)).json()
      const { object, model, service_tier } = expected
      expect(answered).toMatchObject({ object, model, ...(service_tier !== undefined && { service_tier }) })
      expect(answered.choices?.length).toBe(expected.choices?.length)
      if (expected.id !== undefined) expect(answered.id).toMatch(/^chatcmpl-[0-9A-Za-z]{29}$/)
    },
  )

  test.each(titled((one) => isEmbeddings(one) && isJsonAnswer(one)))('the vectors: %s', async (_, { recorded }) => {
    const sizes = ({ data }: Json): unknown[] => data.map(({ index, embedding }: Json) => [index, embedding.length])
    const answered = await (await replay(recorded)).json()
    expect(sizes(answered)).toEqual(sizes(JSON.parse(recorded.body)))
  })

  test.each(titled(isStream))('the frame of the stream: %s', async (_, { recorded, isExcepted }) => {
    const text = await (await replay(recorded)).text()
    for (const stream of [recorded.body, text]) {
      expect(stream).toMatch(/^data: [^\r]*\n\ndata: \[DONE\]\n\n$/)
      const chunks = chunksIn(stream)
      expect(new Set(chunks.map(({ id, created, object }) => `${id} ${created} ${object}`)).size).toBe(1)
      expect(chunks[0].object).toBe('chat.completion.chunk')
    }
    const [recordedFirst, first] = [chunksIn(recorded.body)[0], chunksIn(text)[0]]
    expect(first.model).toBe(recordedFirst.model)
    expect(missingKeys(recordedFirst, first, isExcepted)).toEqual([])
  })

  test.each(titled(isStream))('the order of the chunks, and their keys: %s', async (_, { recorded, isExcepted }) => {
    const expected = chunksIn(recorded.body)
    const chunks = chunksIn(await (await replay(recorded)).text())
    const usages = (all: Json[]): unknown[] => collapsed(all.map(({ usage }) => kindOf(usage)))
    expect(usages(chunks)).toEqual(usages(expected))
    for (const index of Array.from({ length: recorded.request.n ?? 1 }).keys()) {
      expect(grammarOf(chunks, index)).toEqual(['role', 'content', 'finish'])
      if (!calledTools(recorded))
        expect(['role', 'content', 'finish']).toEqual(expect.arrayContaining(grammarOf(expected, index)))
    }
    for (const one of expected) {
      const like = chunks.find((other) => stepOf(other.choices[0]) === stepOf(one.choices[0]))
      if (like !== undefined) expect(missingKeys(one, like, isExcepted)).toEqual([])
      else expect([calledTools(recorded), stepOf(one.choices[0])]).toEqual([true, 'tool_calls'])
    }
  })

  test.each(titled(isPlainText))('prompt_tokens: %s', async (_, { recorded, isExcepted }) => {
    const answered = promptTokensOf(await (await replay(recorded)).text())
    const isAlike = answered === promptTokensOf(recorded.body)
    expect(isAlike, `${answered} instead of ${promptTokensOf(recorded.body)}`).toBe(!isExcepted('usage.prompt_tokens'))
  })
})

const GO_DURATION = /^(?=\d)(?:\d+h)?(?:\d+m)?(?:\d+(?:\.\d+)?s|\d+ms)?$/
const COUNT = /^\d+$/
/** How the value of a header is written; a header that is not here has the recorded value. */
const forms: Readonly<Record<string, RegExp>> = {
  'x-request-id': /^req_[0-9a-f]{32}$/,
  'openai-processing-ms': COUNT,
  // The mock exposes more than the service does, so that a page can read what a server can.
  'access-control-expose-headers': /x-request-id/i,
  ...Object.fromEntries(
    ['requests', 'tokens'].flatMap((kind) => [
      [`x-ratelimit-limit-${kind}`, COUNT],
      [`x-ratelimit-remaining-${kind}`, COUNT],
      [`x-ratelimit-reset-${kind}`, GO_DURATION],
    ]),
  ),
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Only text in its messages, and nothing else that is written into the prompt; embeddings that were answered. */
function isPlainText(recorded: Recorded): boolean {
  const { request, status } = recorded
  if (status !== 200) return false
  if (isEmbeddings(recorded)) return true
  const writesMore = request.tools !== undefined || request.response_format?.type === 'json_schema'
  const isText = (message: Json): boolean => typeof message.content === 'string' && message.role !== 'tool'
  return !writesMore && request.messages.every(isText) && promptTokensOf(recorded.body) !== undefined
}

function promptTokensOf(body: string): number | undefined {
  const answer = body.startsWith('data: ') ? chunksIn(body).at(-1) : JSON.parse(body)
  return answer.usage?.prompt_tokens
}

/** The recorded keys that an answer lacks, or has with a value of another type. */
function missingKeys(recorded: Json, answered: Json, isExcepted: (key: string) => boolean, path = ''): string[] {
  if (isExcepted(path)) return []
  if (kindOf(recorded) !== kindOf(answered)) {
    return [`${path}: ${kindOf(answered)} instead of ${kindOf(recorded)}`]
  }
  if (Array.isArray(recorded)) {
    if (recorded.length === 0 || answered.length === 0) return []
    return missingKeys(recorded[0], answered[0], isExcepted, `${path}[]`)
  }
  if (kindOf(recorded) !== 'object') return []
  return Object.keys(recorded).flatMap((key) =>
    missingKeys(recorded[key], answered[key], isExcepted, path === '' ? key : `${path}.${key}`),
  )
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** What a chunk does for its choice. */
function stepOf(choice: Json): string {
  if (choice === undefined) return 'usage'
  if (choice.finish_reason !== null) return 'finish'
  return Object.keys(choice.delta)[0] ?? 'nothing'
}

const grammarOf = (chunks: readonly Json[], index: number): string[] =>
  collapsed(chunks.flatMap(({ choices }) => choices.filter((one: Json) => one.index === index)).map(stepOf))

/** Without repetitions of what came just before. */
const collapsed = <Item>(items: readonly Item[]): Item[] => items.filter((item, index) => item !== items[index - 1])
