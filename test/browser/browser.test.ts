/**
 * The mock in a real browser: behind msw's service worker, and as a server that a page calls from another origin.
 *
 *   npm run build && npx vitest run --config test/browser/vitest.config.ts
 *
 * It needs a Chromium, at /usr/bin/chromium or where the variable CHROMIUM says.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'
import { type Answer, send } from '../support/send.ts'
import {
  brokenCalls,
  CONTRACT_SCENARIO,
  CONTRACT_SEED,
  type ContractCall,
  contractCall,
  unreadableCalls,
  wholeCalls,
} from '../transports/calls.ts'
import { brokenResponseCalls, responseCalls } from '../transports/response-calls.ts'
import { launchChromium } from './chromium.ts'
import { askOfficially, type Seen } from './page.ts'
import { bundle, serveSite } from './site.ts'

// The real service's own address: what the page asks there never leaves the browser.
const REAL_URL = 'https://api.openai.com/v1'
const ENTRY_POINT = resolve(import.meta.dirname, '../../dist/browser.js')
const PAGE = `
  import { createMock } from 'llm-api-mock'
  import { makeLab } from './test/browser/page.ts'
  globalThis.lab = makeLab(createMock)`

let browser: Browser
let site: Awaited<ReturnType<typeof serveSite>>
/** A page with the mock behind the service worker. */
let worked: Page
/** A page of another browser profile, with no worker. */
let bare: Page

beforeAll(async () => {
  if (!existsSync(ENTRY_POINT)) throw new Error('The package is not built. Run `npm run build` first.')
  site = await serveSite(await bundle(PAGE))
  browser = await launchChromium()
  worked = await openPage()
  bare = await openPage()
  await worked.evaluate(() => lab.startWorker())
})

afterAll(async () => {
  await browser?.close()
  site?.close()
})

/** The site's page in a profile of its own. */
async function openPage(): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  page.on('pageerror', (error) => console.error(error))
  await page.goto(site.url)
  await page.waitForFunction(() => 'lab' in globalThis, undefined, { timeout: 10_000 })
  return page
}

const sendIn = (page: Page, baseUrl: string, call: ContractCall, leaveAfter?: number): Promise<Seen> =>
  page.evaluate(([url, what, after]) => lab.send(url, what, after), [baseUrl, call, leaveAfter] as const)

const question = { model: 'echo-1', messages: [{ role: 'user', content: 'one two three four five six seven eight' }] }
const chat = contractCall('a chat', { body: question })
const stream = contractCall('a stream', { body: { ...question, stream: true } })
/** A stream that takes a second. */
const paced = { description: 'A stream one can watch.', pace: { perToken: '100ms' } } as const

const broken = [...brokenCalls, ...brokenResponseCalls]

/** The scenario of the contract, served over HTTP. */
const serveContract = () => listen(createMock(CONTRACT_SCENARIO, { seed: CONTRACT_SEED }), { port: 0 })

/** What calls get over HTTP without a browser. */
async function answersOverHttp(calls: readonly ContractCall[]): Promise<Answer[]> {
  await using server = await serveContract()
  const answers: Answer[] = []
  for (const call of calls) answers.push(await send(server.url, call))
  return answers
}

/** The part of an answer that every page may see. */
const visible = ({ status, bytes, isBroken }: Answer) => ({ status, bytes, isBroken })
const seenAs = ({ status, pieces, error }: Seen) => ({ status, bytes: pieces.join(''), isBroken: error !== undefined })

test('behind the service worker every call gets the status, headers and bytes it gets over HTTP', async () => {
  const calls = [...wholeCalls, ...responseCalls, ...unreadableCalls]
  const expected = await answersOverHttp(calls)
  await worked.evaluate((url) => lab.useContract(url), REAL_URL)
  for (const [index, call] of calls.entries()) {
    const seen = await sendIn(worked, REAL_URL, call)
    expect(seenAs(seen), call.name).toEqual(visible(expected[index]!))
    const headers = Object.fromEntries(seen.headers)
    delete headers['transfer-encoding']
    expect(headers, call.name).toEqual(Object.fromEntries(expected[index]!.headers))
  }
})

test('a page of another origin gets the status and bytes from the server that any client gets', async () => {
  // A browser does not send a method that the preflight does not allow.
  const calls = [...wholeCalls, ...responseCalls, ...unreadableCalls, ...broken].filter(
    ({ method }) => method !== 'PUT',
  )
  const expected = await answersOverHttp(calls)
  await using server = await serveContract()
  for (const [index, call] of calls.entries()) {
    const seen = seenAs(await sendIn(bare, server.url, call))
    const right = visible(expected[index]!)
    // What a page has not read when the connection breaks is lost to it, so of a broken answer it may have the beginning.
    if (right.isBroken) expect(right.bytes.startsWith(seen.bytes), call.name).toBe(true)
    expect(right.isBroken ? { ...seen, bytes: right.bytes } : seen, call.name).toEqual(right)
  }
})

// How fast a page reads is not in the mock's hands, and what it has not read when a stream breaks is lost to it.
test('behind the service worker a broken answer breaks where it does over HTTP', { retry: 2 }, async () => {
  const expected = await answersOverHttp(broken)
  await worked.evaluate((url) => lab.useContract(url), REAL_URL)
  for (const [index, call] of broken.entries()) {
    const seen = await sendIn(worked, REAL_URL, call)
    expect(seenAs(seen), call.name).toEqual(visible(expected[index]!))
  }
  expect(await worked.evaluate(() => lab.outcomes())).toEqual(broken.map(() => 'cut'))
})

test('behind the service worker, a page reads a stream piece by piece while it is still being sent', async () => {
  await worked.evaluate(([url, scenario]) => lab.use(scenario, { baseURL: url }), [REAL_URL, paced] as const)
  const seen = await sendIn(worked, REAL_URL, stream)
  expect(seen).toMatchObject({ status: 200, outcomeAtFirst: 'open', error: undefined })
  expect(seen.pieces.length).toBeGreaterThan(5)
  expect(seen.pieces.at(-1)).toContain('data: [DONE]')
  expect(await worked.evaluate(() => lab.outcomes())).toEqual(['complete'])
})

test('behind the service worker, the mock notices a page that leaves a stream', async () => {
  await worked.evaluate(([url, scenario]) => lab.use(scenario, { baseURL: url }), [REAL_URL, paced] as const)
  const seen = await sendIn(worked, REAL_URL, stream, 3)
  expect(seen).toMatchObject({ status: 200, error: 'AbortError' })
  expect(seen.pieces).toHaveLength(3)
  await expect.poll(() => worked.evaluate(() => lab.outcomes())).toEqual(['client-left'])
})

test('the server notices a page that leaves a stream', async () => {
  const mock = createMock(paced)
  await using server = await listen(mock, { port: 0 })
  const seen = await sendIn(bare, server.url, stream, 3)
  expect(seen).toMatchObject({ status: 200, error: 'AbortError' })
  await expect
    .poll(() => mock.journal.map(({ method, outcome }) => [method, outcome]))
    .toEqual([
      ['OPTIONS', 'complete'],
      ['POST', 'client-left'],
    ])
})

test('with 3 requests per minute, the fourth call of a key gets a 429 with retry-after', async () => {
  await worked.evaluate((url) => lab.use('rate-limited', { baseURL: url }), REAL_URL)
  await using server = await listen(createMock('rate-limited'), { port: 0 })
  // The limit refills while the calls go out, so the wait in the message differs by what passed between them.
  const withoutWait = (text: string): string => text.replace(/in [\d.]+m?s\b/, 'in a while')
  for (const status of [200, 200, 200, 429]) {
    const overHttp = await send(server.url, chat)
    const seen = await sendIn(worked, REAL_URL, chat)
    expect([overHttp.status, seen.status]).toEqual([status, status])
    expect(withoutWait(seen.pieces.join(''))).toBe(withoutWait(overHttp.bytes))
    const { 'retry-after': retryAfter, 'x-ratelimit-limit-requests': limit } = Object.fromEntries(seen.headers)
    expect([limit, retryAfter]).toEqual(['3', status === 429 ? '20' : undefined])
  }
})

test('a page of another origin sends a preflight, and may read every header that clients use', async () => {
  const mock = createMock('rate-limited')
  await using server = await listen(mock, { port: 0 })
  const explained = { ...chat, headers: { ...chat.headers, 'x-mock-explain': '1' } }
  const seen: Seen[] = []
  for (let call = 0; call < 4; call++) seen.push(await sendIn(bare, server.url, explained))
  expect(seen.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  expect(mock.journal.map(({ method }) => method)).toEqual(['OPTIONS', 'POST', 'POST', 'POST', 'POST'])
  expect(seen[3]!.headers.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'content-type',
      'openai-processing-ms',
      'retry-after',
      'retry-after-ms',
      'x-mock-reason',
      'x-ratelimit-remaining-requests',
      'x-request-id',
    ]),
  )
})

test('the official client gets the same in a page, behind the worker and from another origin, as in Node', async () => {
  await using server = await listen(createMock(), { port: 0 })
  await using another = await listen(createMock(), { port: 0 })
  const expected = JSON.parse(JSON.stringify(await askOfficially(server.url)))
  await worked.evaluate((url) => lab.use('default', { baseURL: url }), REAL_URL)
  expect(await worked.evaluate((url) => lab.askOfficially(url), REAL_URL)).toEqual(expected)
  expect(await bare.evaluate((url) => lab.askOfficially(url), another.url)).toEqual(expected)
})

test('the browser entry point bundles without Node modules, and the tokenizer tables load only when needed', async () => {
  const files = await bundle("export * from 'llm-api-mock'", { external: ['msw'] })
  const sizes = [...files].map(([path, text]) => ({ path, bytes: text.length, gzipped: gzipSync(text).length }))
  for (const { path, bytes, gzipped } of sizes) {
    console.log(`${path}: ${(bytes / 1000).toFixed()} kB, ${(gzipped / 1000).toFixed()} kB gzipped`)
  }
  for (const [path, text] of files) expect(text, path).not.toMatch(/["'`]node:/)
  expect(files.size).toBeGreaterThan(2)
  const { bytes = 0 } = sizes.find(({ path }) => path === '/main.js') ?? {}
  expect(bytes).toBeGreaterThan(10_000)
  // With the word lists of the embeddings and the makers of JSON Schema values; the tables of tokens alone would be megabytes.
  expect(bytes).toBeLessThan(715_000)
})

test('a browser cannot import the Node entry point', async () => {
  await expect(bundle("import 'llm-api-mock/node'")).rejects.toThrow(/llm-api-mock\/node/)
})
