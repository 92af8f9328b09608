/** Virtual time of hunted commands: waits for a fault take no time, and all else takes as long as it does. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { command, temporaryFolder } from '../../cli/command.ts'

vi.setConfig({ testTimeout: 120_000 })

const ASK = `
const ask = (signal) => fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST',
  signal,
  headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'plan' }] }),
})
const fail = (why) => { console.error('Error: ' + why); process.exit(1) }
`

/** Hunts a program with one fault. */
function huntIn(
  script: string,
  { file = 'app.mjs', fault = 'hang', args = [] as string[], node = [] as string[] } = {},
) {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, file), script)
  const options = ['--depth', '1', '--faults', fault, '--runs', '2', ...args]
  return command(['hunt', ...options, '--', process.execPath, ...node, file], { cwd })
}

/** A wait for an answer and one of its own, by each way that Node has, with the time that the program sees. */
const WAITS = `${ASK}
const realDate = new Date(), before = [Date.now(), performance.now(), Number(process.hrtime.bigint()) / 1e6]
ask(AbortSignal.timeout(100_000)).catch((error) => error.name).then(async (end) => {
  if (end !== 'TimeoutError') return
  await sleep(3_600_000)
  let beats = 0
  await new Promise((wake) => { const timer = setInterval(() => { if (++beats === 3) wake(clearInterval(timer)) }, 60_000) })
  const after = [Date.now(), performance.now(), Number(process.hrtime.bigint()) / 1e6]
  const minutes = after.map((time, index) => Math.floor((time - before[index]) / 60_000))
  fail('minutes ' + [...minutes, Math.floor((new Date() - realDate) / 60_000)])
})`

test.each([
  ['an ES module', 'app.mjs', `import { setTimeout as sleep } from 'node:timers/promises'`],
  ['CommonJS', 'app.cjs', `const sleep = require('node:util').promisify(setTimeout)`],
])('%s that waits an hour is hunted in seconds, and its clocks agree', async (_, file, head) => {
  const { stdout } = await huntIn(head + WAITS, { file })
  expect(stdout).toContain('| Error: minutes 64,64,64,64\n')
})

test('a slow answer takes the time of the mock, and none of the user', async () => {
  const script = `${ASK}
const before = Date.now()
await ask().then((answer) => answer.text())
if (Date.now() - before >= 5000) fail('slow')`
  const { stdout } = await huntIn(script, { fault: 'slow' })
  expect(stdout).toContain('attempt 1): slow')
})

test('a request that nothing ends is found without waiting for the limit', async () => {
  const script = `import { request } from 'node:http'
const { OPENAI_BASE_URL: url, OPENAI_API_KEY: key } = process.env
const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
await new Promise((end) => {
  const call = request(url + '/chat/completions', { method: 'POST', headers }, (answer) => answer.resume().on('close', end))
  call.end(JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'plan' }] }))
})`
  const { stdout } = await huntIn(script)
  expect(stdout).toContain('FAILS with 1 fault: It hangs: no timer can wake it. Give its client a time-out.\n')
})

// Each of these takes half a second of real time, and would lose to the timer if that leapt.
test.each([
  ['a child process', `import { execFile } from 'node:child_process'`, `execFile('sleep', ['0.5'], end)`],
  [
    'a worker thread',
    `import { Worker } from 'node:worker_threads'`,
    `new Worker('setTimeout(() => {}, 500)', { eval: true }).on('exit', end)`,
  ],
  [
    'another server',
    `import { createServer } from 'node:http'
const slow = createServer((_, answer) => { const end = Date.now() + 120; while (Date.now() < end); answer.end() }).listen(0)`,
    `fetch('http://127.0.0.1:' + slow.address().port).then(() => { slow.close(); end() })`,
  ],
  ['cryptography', `import { pbkdf2 } from 'node:crypto'`, `pbkdf2('', '', 1e6, 64, 'sha512', end)`],
])('%s is waited for after a fault', async (_, head, work) => {
  const script = `${head}
${ASK}
await ask().catch(() => {})
const first = await Promise.race([
  new Promise((end) => { setTimeout(end, 5000, 'timer').unref() }),
  new Promise((done) => { const end = () => done('work'); ${work} }),
])
if (first === 'timer') fail('the timer was first')`
  expect(await huntIn(script, { fault: 'server-error' })).toMatchObject({ code: 0 })
})

test('a test of node --test is hunted in virtual time', async () => {
  const script = `import test from 'node:test'
${ASK}
test('an answer', async () => {
  const before = Date.now()
  const answer = await ask(AbortSignal.timeout(100_000)).catch(() => undefined)
  if (answer === undefined && Date.now() - before >= 100_000) throw new Error("time-out")
})`
  const { stdout } = await huntIn(script, { node: ['--test'] })
  expect(stdout).toContain('attempt 1): hang')
  expect(stdout).not.toContain('did not end')
})

test('with --real-time a wait takes its time, and the token says so', async () => {
  const script = `${ASK} if (!(await ask()).ok) setTimeout(() => fail('late'), 60_000)`
  const { stdout } = await huntIn(script, { fault: 'server-error', args: ['--real-time', '--run-timeout', '2s'] })
  expect(stdout).toContain('It did not end within 2 s.')
  expect(stdout).toMatch(/--replay \S+,real-time=true /)
})

test('a command that ends itself or never ends its work is ended', async () => {
  const killed = await huntIn(`${ASK} if (!(await ask()).ok) process.kill(process.pid, 'SIGKILL')`, {
    fault: 'server-error',
  })
  expect(killed.stdout).toContain('It was ended by SIGKILL.')
  const busy = await huntIn(`${ASK} if (!(await ask()).ok) for (;;);`, {
    fault: 'server-error',
    args: ['--run-timeout', '2s'],
  })
  expect(busy.stdout).toContain('It did not end within 2 s.')
})

test('timers of another form, which a version of Node may have, are refused with the remedy', () => {
  const preload = `const real = globalThis.setTimeout
globalThis.setTimeout = (...args) => { const timer = real(...args); delete timer._idleStart; return timer }`
  const imports = [
    '--import',
    `data:text/javascript,${encodeURIComponent(preload)}`,
    '--import',
    './dist/hunt/child-time.js',
  ]
  const env = { ...process.env, API_MOCK_HUNT_TIME: '1:1' }
  const { status, stderr } = spawnSync(process.execPath, [...imports, '-e', ''], { env, encoding: 'utf8' })
  expect(status).toBe(1)
  expect(stderr).toMatch(/The timers of Node v\S+ are not known, so time cannot leap\. Use --real-time\./)
})
