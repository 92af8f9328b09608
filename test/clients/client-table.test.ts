/**
 * What three clients make of each fault of a tool call, and of a stale connection.
 *
 * Nothing is taken from their documents: they run, and the table in docs/faults.md is what was seen. After a change of a
 * client or the mock, update it:
 *
 *   npm run test:clients -- client-table -u
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createOpenAI } from '@ai-sdk/openai'
import { type AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { tool as langchainTool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, RetryError, ToolLoopAgent, tool } from 'ai'
import OpenAI from 'openai'
import { zodFunction } from 'openai/helpers/zod'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { toolCallFaults } from '../../src/core/protocol/faults/tool-call-faults.ts'
import { createMock, type FaultName, type ScenarioInput } from '../../src/index.ts'
import { listen } from '../../src/node.ts'
import { GENEROUS_MS, type Place, type Placed, placed } from './placed.ts'

// It would warn of settings that a provider does not know.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

const PAGE = resolve(import.meta.dirname, '../../docs/faults.md')
const PLACE = /(<!-- clients -->\n)[\s\S]*?(\n<!-- \/clients -->)/

const MODEL = 'gpt-4o-mini'
const PROMPT = 'How is the weather?'
const DESCRIPTION = 'The weather of a city'
const ARGUMENTS = z.object({ city: z.string(), days: z.number().int() })
type Arguments = z.infer<typeof ARGUMENTS>

const callOf = (city: string) => ({ name: 'get_weather', arguments: { city, days: 3 } })
const scenarioWith = (...cities: readonly string[]): ScenarioInput => ({
  description: 'An agent with one tool.',
  validation: 'strict',
  replies: [{ when: { user: 'weather' }, call: cities.map(callOf) }],
})

interface Trial {
  readonly fault: string
  readonly cities: readonly string[]
}

const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'not-object': ['; as=array', '; as=string'],
  'wrong-tool-call-id': ['', '; id=changing'],
}
const TRIALS: readonly Trial[] = toolCallFaults.flatMap(({ name }) =>
  (OPTIONS[name] ?? ['']).map((options) => ({
    fault: name + options,
    // Without an earlier call, an id is repeated within the answer.
    cities: name + options === 'wrong-tool-call-id' ? ['Oslo', 'Rome'] : ['Oslo'],
  })),
)

type Settings = Pick<Placed, 'baseURL' | 'apiKey'>

interface Client {
  /** Its package and the part of it that is used. */
  readonly name: string
  readonly package: string
  /** Lets an agent answer the prompt. Returns a sentence on the calls that the client reports apart. */
  agent(settings: Settings, streamed: boolean, run: (given: Arguments) => string): Promise<string | undefined>
  /** Makes one call, with the client's own number of retries or none. */
  ask(settings: Settings, retries: { readonly maxRetries?: 0 }): Promise<unknown>
}

const CLIENTS: readonly Client[] = [
  {
    name: '`runTools` with `zodFunction`',
    package: 'openai',
    async agent(settings, stream, run) {
      const { completions } = new OpenAI({ ...settings, maxRetries: 0 }).chat
      const weather = zodFunction({
        name: 'get_weather',
        description: DESCRIPTION,
        parameters: ARGUMENTS,
        function: run,
      })
      const request = { model: MODEL, messages: [{ role: 'user' as const, content: PROMPT }], tools: [weather] }
      await (stream ? completions.runTools({ ...request, stream }) : completions.runTools(request)).done()
      return undefined
    },
    ask: (settings, retries) =>
      new OpenAI({ ...settings, ...retries }).chat.completions.create({
        model: MODEL,
        messages: [{ role: 'user', content: 'Hello!' }],
      }),
  },
  {
    name: '`ToolLoopAgent`',
    package: 'ai',
    async agent(settings, streamed, execute) {
      const get_weather = tool({ description: DESCRIPTION, inputSchema: ARGUMENTS, execute })
      const model = createOpenAI(settings).chat(MODEL)
      const agent = new ToolLoopAgent({ model, tools: { get_weather }, maxRetries: 0 })
      if (streamed) await (await agent.stream({ prompt: PROMPT })).steps
      else await agent.generate({ prompt: PROMPT })
      return undefined
    },
    ask: (settings, retries) =>
      generateText({ model: createOpenAI(settings).chat(MODEL), prompt: 'Hello!', ...retries }),
  },
  {
    name: '`ChatOpenAI.bindTools`',
    package: '@langchain/openai',
    async agent({ apiKey, baseURL }, streamed, run) {
      const weather = langchainTool(run, { name: 'get_weather', description: DESCRIPTION, schema: ARGUMENTS })
      const chat = new ChatOpenAI({ model: MODEL, apiKey, maxRetries: 0, configuration: { baseURL } })
      const model = chat.bindTools([weather])
      const messages: BaseMessage[] = [new HumanMessage(PROMPT)]
      for (;;) {
        const answer = streamed ? await joined(await model.stream(messages)) : await model.invoke(messages)
        if (answer.invalid_tool_calls?.length) return 'lists the call in `invalid_tool_calls`'
        if (!answer.tool_calls?.length) return undefined
        messages.push(answer)
        for (const call of answer.tool_calls) messages.push(await weather.invoke(call))
      }
    },
    ask: ({ apiKey, baseURL }, retries) =>
      new ChatOpenAI({ model: MODEL, apiKey, configuration: { baseURL }, ...retries }).invoke('Hello!'),
  },
]

async function joined(chunks: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined
  for await (const chunk of chunks) whole = whole === undefined ? chunk : whole.concat(chunk)
  return whole!
}

/** What an agent did with a wrong tool call, as a cell of the table says it. */
async function observe(client: Client, { fault, cities }: Trial, streamed: boolean, opened: Placed): Promise<string> {
  const { mock } = opened
  mock.use(scenarioWith(...cities))
  mock.reset()
  const [name, ...options] = fault.split('; ')
  const given = Object.fromEntries(options.map((option) => option.split('=')))
  mock.inject(name as FaultName, { ...given, times: name === 'tool-loop' ? 100 : 1 })
  const runs: Arguments[] = []
  const said = await client
    .agent(opened, streamed, (run) => {
      runs.push(run)
      return `rain in ${run.city}`
    })
    .catch(describe)
  expect(mock.journal[0]!.reason.name).toBe(`${name} (injected)`)
  const ran = runs.length === 0 ? undefined : describeRuns(runs)
  return [ran, said, describeHistory(opened, runs)].filter(Boolean).join('; ')
}

function describeRuns(runs: readonly Arguments[]): string {
  const [first] = runs
  const all = new Set(runs.map((run) => JSON.stringify(run)))
  if (runs.length === 1) return `runs the tool with \`${JSON.stringify(first)}\``
  const times = runs.length === 2 ? 'twice' : `${runs.length} times`
  return `runs the tool ${times}${all.size > 1 ? `, for ${runs.map(({ city }) => city).join(' and ')}` : ''}`
}

/** What is wrong with the messages that the client sends back to the model. */
function describeHistory(opened: Placed, runs: readonly Arguments[]): string {
  const bodies = opened.bodies()
  if (bodies.length < 2) return ''
  // biome-ignore lint/suspicious/noExplicitAny: the body of a request
  const messages = bodies[1]!.messages as any[]
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls)
  const results = messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []))
  const found: string[] = []
  if (results.some((result) => !result.startsWith('rain in'))) found.push('sends the model the error')
  if (new Set(calls.map(({ id }) => id)).size < calls.length) found.push('sends both calls back with one id')
  const sent = calls.map((call) => JSON.parse(call.function.arguments).city)
  if (calls.length === runs.length && runs.some(({ city }, index) => city !== sent[index]))
    found.push(`as calls for ${sent.join(' and ')}`)
  return found.join(', ')
}

/** The class of what was thrown; in the AI SDK it is the name. */
function describe(thrown: unknown): string {
  const error = (RetryError.isInstance(thrown) ? thrown.lastError : thrown) as Error
  return `throws \`${error.name === 'Error' ? error.constructor.name : error.name}\``
}

async function rowOf(trial: Trial, opened: Placed): Promise<string> {
  const cells: string[] = []
  const canBeWhole = !trial.fault.endsWith('changing')
  for (const client of CLIENTS) {
    const streamed = await observe(client, trial, true, opened)
    const whole = canBeWhole ? await observe(client, trial, false, opened) : streamed
    cells.push(whole === streamed ? whole : `${whole}. Streamed: ${streamed}`)
  }
  return `| \`${trial.fault}\` | ${cells.join(' | ')} |`
}

/** What a client makes of a connection that is reset when it is used again. */
async function staleRow(what: string, retries: { readonly maxRetries?: 0 }): Promise<string> {
  const cells: string[] = []
  for (const client of CLIENTS) {
    const mock = createMock()
    // Each client gets a server, so that no stale connection is left from the one before.
    const server = await listen(mock, { port: 0 })
    onTestFinished(() => server.close(0))
    const settings = { baseURL: server.url, apiKey: 'sk-client' }
    mock.inject('stale-connection')
    await client.ask(settings, retries)
    // Fetch uses a connection again one turn of the event loop after its answer.
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    cells.push(await client.ask(settings, retries).then(() => 'sends the call again and gets an answer', describe))
    expect(mock.journal).toHaveLength(cells.at(-1)!.startsWith('sends') ? 2 : 1)
  }
  return `| ${what} | ${cells.join(' | ')} |`
}

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, `node_modules/${name}/package.json`), 'utf8')).version

async function rowsAt(place: Place): Promise<readonly string[]> {
  // Clients complain of broken JSON on the console, too.
  for (const method of ['warn', 'error'] as const) vi.spyOn(console, method).mockImplementation(() => {})
  const opened = await placed(place)
  const rows: string[] = []
  for (const trial of TRIALS) rows.push(await rowOf(trial, opened))
  return rows
}

test('the table of docs/faults.md is what the clients do', { timeout: GENEROUS_MS }, async () => {
  const rows = await rowsAt('over HTTP')
  const staleRows = [
    await staleRow('`stale-connection`, then a call', {}),
    await staleRow('the same with `maxRetries: 0`', { maxRetries: 0 }),
  ]
  // Last, because calls to servers fail while calls are intercepted.
  expect(await rowsAt('in process')).toEqual(rows)

  const heads = CLIENTS.map(({ name, package: from }) => `${from} ${versionOf(from)}, ${name}`)
  const table = [
    `| fault | ${heads.join(' | ')} |`,
    `| --- |${' --- |'.repeat(heads.length)}`,
    ...rows,
    ...staleRows,
  ].join('\n')
  const page = readFileSync(PAGE, 'utf8')
  expect(page).toMatch(PLACE)
  await expect(page.replace(PLACE, (_, start: string, end: string) => start + table + end)).toMatchFileSnapshot(PAGE)
})
