/** The fault stale-connection, over every transport: the call it applies to is answered, the next one meets a reset. */
import { Agent, type ClientRequest, request } from 'node:http'
import OpenAI from 'openai'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { HELLO, requestText, serve, stillAnswers, Wire } from '../support/http.ts'
import { IN_PROCESS_URL, inProcess, transports } from '../support/transports.ts'

const STALE = { 'x-mock-fault': 'stale-connection' }
const HEADERS = { authorization: 'Bearer sk-test', 'content-type': 'application/json' }

/** A client that keeps one connection open, and the error code or the status of each of its calls. */
function pool(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return (
    headers: Record<string, string> = {},
  ): Promise<{ readonly result: number | string; readonly reused: boolean }> =>
    new Promise((resolve) => {
      const call: ClientRequest = request(`${url}/chat/completions`, {
        method: 'POST',
        agent,
        headers: { ...HEADERS, ...headers },
      })
      const done = (result: number | string): void => resolve({ result, reused: call.reusedSocket })
      call.on('response', (response) => response.resume().on('end', () => done(response.statusCode!)))
      call.on('error', ({ code }: NodeJS.ErrnoException) => done(code ?? 'no code'))
      call.end(JSON.stringify(HELLO))
    })
}

/** Fetch uses a connection again one turn of the event loop after its answer. */
const freeConnection = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

describe.each(transports.filter((transport) => transport !== inProcess))('over $name', (transport) => {
  test('a client without a retry gets ECONNRESET for its next call on the connection, which is not recorded', async () => {
    const mock = createMock()
    await using opened = await transport.open(mock)
    const call = pool(opened.baseUrl)
    expect(await call(STALE)).toEqual({ result: 200, reused: false })
    expect(await call()).toEqual({ result: 'ECONNRESET', reused: true })
    expect(await call()).toEqual({ result: 200, reused: false })
    expect(mock.journal.map(({ reason }) => reason.name)).toEqual(['stale-connection (header)', 'echo'])
    expect(mock.journal[0]!.outcome).toBe('complete')
  })

  test('a stream is sent whole before its connection goes stale', async () => {
    const mock = createMock()
    await using opened = await transport.open(mock)
    const send = (headers: Record<string, string>) =>
      fetch(`${opened.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { ...HEADERS, ...headers },
        body: JSON.stringify({ ...HELLO, stream: true }),
      }).then((response) => response.text())
    expect(await send(STALE)).toContain('data: [DONE]')
    await freeConnection()
    await expect(send({})).rejects.toThrow()
    expect(await send({})).toContain('data: [DONE]')
  })

  test('a client that asks to close the connection gets an error: the connection cannot go stale', async () => {
    const mock = createMock()
    await using opened = await transport.open(mock)
    const call = pool(opened.baseUrl)
    expect((await call({ ...STALE, connection: 'close' })).result).toBe(400)
    mock.inject('stale-connection')
    expect((await call({ connection: 'close' })).result).toBe(200)
    expect(mock.journal.at(-1)!.notes).toEqual([
      "Fault 'stale-connection' (injected) can't happen here: the client asked to close the connection after this answer.",
    ])
  })

  test('the official client sends the call again on a new connection', async () => {
    const mock = createMock()
    await using opened = await transport.open(mock)
    let calls = 0
    const client = new OpenAI({
      apiKey: 'sk-test',
      baseURL: opened.baseUrl,
      maxRetries: 1,
      fetch: (url, init) => {
        calls++
        return fetch(url, init)
      },
    })
    const ask = (headers = {}) =>
      client.chat.completions.create({ model: 'echo-1', messages: [{ role: 'user', content: 'Hi!' }] }, { headers })
    await ask(STALE)
    await freeConnection()
    expect((await ask()).choices[0]!.message.content).toBe('Hi!')
    expect(calls).toBe(3)
    expect(mock.journal).toHaveLength(2)
  })
})

test('in process the fault is refused by name', async () => {
  const mock = createMock('default', { baseURL: IN_PROCESS_URL })
  await using opened = await inProcess.open(mock)
  const response = await fetch(`${opened.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { ...HEADERS, ...STALE },
    body: JSON.stringify(HELLO),
  })
  expect(response.status).toBe(400)
  expect((await response.json()).error).toMatchObject({
    code: 'mock_impossible_fault',
    message: expect.stringMatching(
      /^Fault 'stale-connection' \(header\) can't happen here: fetch hides the connection/,
    ),
  })
})

test('calls that are on their way already, one behind the other, are answered', async () => {
  const server = await serve()
  const wire = await Wire.open(server)
  const first = requestText({ body: JSON.stringify(HELLO), headers: ['X-Mock-Fault: stale-connection'] })
  await wire.send(first + requestText())
  expect((await wire.answer())!.status).toBe(200)
  expect((await wire.answer())!.status).toBe(200)
  await wire.send(requestText())
  await wire.closed()
  expect(server.mock.journal).toHaveLength(2)
  await stillAnswers(server)
})
