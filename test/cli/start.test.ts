/** The server as the command line starts it: what it shows, what it logs, how it ends. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { callArrived, chat, command, start, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

test('start shows the base URL, key, scenario and control plane, and logs each finished call', async () => {
  const { server, url, origin } = await start()
  const answer = await chat(url, 'Hello', { authorization: 'Bearer sk-abcdefghijklmnop-wxyz' })
  expect(answer.status).toBe(200)
  await server.shows(/^POST \/v1\/chat\/completions sk-abcde\*{4}wxyz 200 \w.* \d+ ms$/m)
  expect(server.stdout).toContain(`API key   sk-`)
  expect(server.stdout).toMatch(/Scenario {2}default: \w.+\n/)
  expect(server.stdout).toContain(`${origin}/_mock/`)
  expect(server.stdout).not.toContain('sk-abcdefghijklmnop-wxyz')
})

test('the command start can be named, and bounds the size of a request', async () => {
  const { url } = await start(['start', '--max-body-size', '200'])
  expect((await chat(url)).status).toBe(200)
  expect((await chat(url, 'Hello'.repeat(40))).status).toBe(413)
})

test('completion prints the script of a shell, and help has each example on a line of its own', async () => {
  expect((await command(['completion', 'zsh'])).stdout).toMatch(/^#compdef api-mock\n/)
  expect((await command(['hunt', '--help'])).stdout).toMatch(
    /^ {2}# only these faults.*\n {2}api-mock hunt --faults .* -- npm test$/m,
  )
})

test('the example call works when pasted into a shell', async () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'quotes.yaml'),
    `description: Awkward names.
keys: { "it's $HOME": {} }
models: { "vectors": { endpoint: embeddings }, "chat's \\"own\\"": { endpoint: chat } }
`,
  )
  const { server } = await start(['--scenario', 'quotes.yaml'], { cwd: folder })
  const [, line] = await server.shows(/\n(curl [\s\S]+?)\n\n/)
  const { stdout } = await promisify(execFile)('bash', ['-c', `${line} -s --noproxy '*'`])
  expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion', model: 'chat\'s "own"' })
})

test('the example call of a cassette is its first recorded request that is short', async () => {
  const folder = temporaryFolder()
  const recorded = (content: string) => ({
    when: { request: { model: 'm-1', messages: [{ role: 'user', content }] } },
    answer: { body: JSON.stringify({ content: `About ${content}` }) },
  })
  const replies = [recorded('long '.repeat(1000)), recorded("Peru's capital"), recorded('Rome')]
  writeFileSync(join(folder, 'cassette.yaml'), JSON.stringify({ replies }))
  const { server } = await start(['--scenario', './cassette.yaml'], { cwd: folder })
  const [, line] = await server.shows(/\n(curl [\s\S]+?)\n\n/)
  expect(server.stdout).toMatch(/Scenario {2}\.\/cassette\.yaml\n/)
  const { stdout } = await promisify(execFile)('bash', ['-c', `${line} -s --noproxy '*'`])
  expect(JSON.parse(stdout)).toEqual({ content: "About Peru's capital" })
})

test('a scenario with only embedding models shows an embeddings call', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'vectors.yaml'), 'description: Vectors.\nmodels: { hash-1: { endpoint: embeddings } }\n')
  const { server, url } = await start(['--scenario', './vectors.yaml'], { cwd: folder })
  await server.shows(/"input":"Hello"/)
  expect(server.stdout).toContain(`curl ${url}/embeddings`)
})

test('the log names the fault of a call, with its notes on the next line', async () => {
  const { server, url } = await start()
  await chat(url, 'Hello', { 'x-mock-fault': 'rate-limit' })
  await server.shows(/sk\*{4}st 429 fault rate-limit.* \d+ ms\n/)
  await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hi' }], 'odd\u001b[2J': 1 }),
  })
  const [note] = await server.shows(/\n {2}.*odd.*\n/)
  expect(note).not.toContain('\u001b')
})

test('the log shows a client that disconnected', async () => {
  const { server, url } = await start()
  const left = new AbortController()
  const call = chatUntil(url, left.signal)
  await callArrived(new URL(url).origin)
  left.abort()
  await expect(call).rejects.toThrow()
  await server.shows(/ --- fault hang.* \d+ ms client-left\n/)
})

const chatUntil = (url: string, signal: AbortSignal) =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    signal,
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json', 'x-mock-fault': 'hang' },
    body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hi' }] }),
  })

test('the JSON log has one object per line, without bodies', async () => {
  const { server, url, origin } = await start(['--log', 'json', '--seed', '007'])
  await chat(url, 'a secret')
  await server.shows(/"event":"call".*\n/)
  server.signal('SIGTERM')
  const { stdout, code } = await server.ended
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events).toMatchObject([
    { event: 'listening', url, controlUrl: `${origin}/_mock`, scenario: 'default', seed: '007' },
    { event: 'call', method: 'POST', path: '/v1/chat/completions', status: 200, outcome: 'complete', notes: [] },
    { event: 'stopping' },
  ])
  expect(stdout).not.toContain('a secret')
  expect(code).toBe(0)
})

test('with --speed, retry headers are in real time, and the banner shows the speed', async () => {
  const { server, url } = await start(['--scenario', 'rate-limited', '--speed', '100'])
  await server.shows(/Speed +100 times real time/)
  const refused = await chat(url, 'Hello', { 'x-mock-fault': 'rate-limit; retry-after=60' })
  expect(refused.headers.get('retry-after-ms')).toBe('600')
})

test('with --log none only the banner is printed', async () => {
  const { server, url } = await start(['--log', 'none'])
  await chat(url)
  server.signal('SIGTERM')
  expect((await server.ended).stdout).not.toMatch(/^POST/m)
})

test('without a terminal there are no colours', async () => {
  const { server, url } = await start()
  await chat(url)
  await server.shows(/^POST/m)
  expect(server.stdout).not.toContain('\u001b')
})

test('beyond loopback a token is generated and shown, and the control plane requires it', async () => {
  const { server, origin } = await start(['--host', '0.0.0.0'])
  const [, token] = await server.shows(/Token +([0-9a-f]{32}) /)
  expect((await fetch(`${origin}/_mock/journal`)).status).toBe(401)
  expect((await fetch(`${origin}/_mock/journal`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
})

test('a given token is required on loopback too, and not shown', async () => {
  const { server, origin } = await start([], { env: { API_MOCK_TOKEN: 'open-sesame' } })
  await server.shows(/Token +required by the control plane/)
  expect((await fetch(`${origin}/_mock/journal`)).status).toBe(401)
  const headers = { authorization: 'Bearer open-sesame' }
  expect((await fetch(`${origin}/_mock/journal`, { headers })).status).toBe(200)
  expect(server.stdout).not.toContain('open-sesame')
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s lets the call in flight finish, and exits with 0', async (signal) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'slow.yaml'), 'description: Slow.\npace: { firstToken: 800ms }\n')
  const { server, url, origin } = await start(['--scenario', 'slow.yaml'], {
    cwd: folder,
    env: { npm_command: 'exec' },
  })
  await fetch(`${origin}/_mock/health`)
  const call = chat(url)
  await callArrived(origin)
  server.signal(signal)
  // As npx does, which hands on the Ctrl-C that the terminal has sent already.
  server.signal(signal)
  await server.shows(/Stopping\. Waiting up to 2 s for 1 call\./)
  const answer = await call
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ object: 'chat.completion' })
  const { code, stdout, stderr } = await server.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/POST \/v1\/chat\/completions sk\*{4}st 200 echo \d+ ms\n/)
})

test('a second Ctrl-C exits at once with code 0', async () => {
  const { server, url, origin } = await start([], { env: { npm_command: '' } })
  const call = chat(url, 'Hello', { 'x-mock-fault': 'hang' }).catch((error: Error) => error)
  await callArrived(origin)
  server.signal('SIGINT')
  await server.shows(/Stopping/)
  server.signal('SIGINT')
  const { code, signal } = await server.ended
  expect({ code, signal }).toEqual({ code: 0, signal: null })
  expect(await call).toBeInstanceOf(Error)
})

test("the user's own msw handlers answer beside the mock", async () => {
  const folder = temporaryFolder()
  const msw = import.meta.resolve('msw')
  writeFileSync(
    join(folder, 'handlers.mjs'),
    `import { http, HttpResponse } from '${msw}'
export const handlers = [http.get('*/files', () => HttpResponse.json({ mine: true }))]
`,
  )
  const { url } = await start(['--handlers', 'handlers.mjs'], { cwd: folder })
  expect(await (await fetch(`${url}/files`)).json()).toEqual({ mine: true })
  expect((await chat(url)).status).toBe(200)
})

test('a port in use gives one message that suggests another port', async () => {
  const { origin } = await start()
  const { port } = new URL(origin)
  const { code, stderr, stdout } = await command(['--port', port])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(new RegExp(`^api-mock: Port ${port} on 127\\.0\\.0\\.1 is in use.*--port \\d+.*\\n$`))
})
