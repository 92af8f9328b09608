/** `api-mock hunt`, as its users run it: what it finds, how that is repeated, and what it refuses to hunt. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Command, command, type Ended, pause, temporaryFolder } from '../../cli/command.ts'

vi.setConfig({ testTimeout: 120_000 })

const CALL = `
const ask = (content, name = 'gpt-4o') => fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'content-type': 'application/json' },
  body: JSON.stringify({ model: name, messages: [{ role: 'user', content }] }),
});
`
/** Retries once, and fails when both attempts do. */
const RETRIES = `${CALL}
let answer = await ask('plan');
if (!answer.ok) answer = await ask('plan');
if (!answer.ok) { console.log('\\u001b[31mno plan\\u001b[0m'); process.exit(7) }
`

/** A folder with the program of a user, and what runs commands in it. */
function project(script: string) {
  const cwd = temporaryFolder()
  const save = (text: string): void => writeFileSync(join(cwd, 'app.mjs'), text)
  save(script)
  const app = ['--', process.execPath, 'app.mjs']
  return {
    cwd,
    save,
    run: (...args: string[]): Promise<Ended> => command([...args, ...app], { cwd }),
    runWith: (env: Readonly<Record<string, string>>, ...args: string[]) => command([...args, ...app], { cwd, env }),
    start: (...args: string[]) => new Command([...args, ...app], { cwd }),
    files: () => readdirSync(join(cwd, '.api-mock/hunt')).sort(),
  }
}

const ONE = ['hunt', '--depth', '1', '--faults', 'server-error']

test('a failure is shown, saved and repeated, and is reported as fixed once it is', async () => {
  const { cwd, save, run, files } = project(RETRIES)
  const { code, stdout } = await run(...ONE)
  expect(code).toBe(1)
  expect(stdout).toContain('FAILS with 1 fault: It ended with exit code 7.\n')
  expect(stdout).toContain(
    '  call 1 (POST chat "plan", every attempt): server-error; retryAfter=0s (also with 502, 503, 504, 408, 409)\n  An outage: the service never comes back. If your app then shows a clear error, let the test accept it, or skip outages (--skip-outages).\n  | no plan\n',
  )
  expect(stdout).toMatch(/server-error {2}FAILED\n/)
  expect(stdout).toMatch(/Tried 12 sets of faults on 1 call in .* s: 1 cause, 1 failing set\.\n/)

  const [file, ...others] = files()
  expect(others).toEqual([])
  expect(readFileSync(join(cwd, '.api-mock/hunt', file!), 'utf8')).toMatch(/^# Found by api-mock\. .*\n# FAILS with/)
  expect((await run('run', '--scenario', `.api-mock/hunt/${file}`)).code).toBe(7)
  const [, token] = /--replay (\S+)/.exec(stdout)!
  const failed = await run('hunt', '--replay', token!)
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringMatching(/^STILL FAILS with 1 fault: .*exit code 7/)])

  await run(...ONE)
  expect(files()).toEqual([file])
  save(RETRIES.replace('process.exit(7)', ''))
  expect(await run('hunt', '--replay', token!)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^FIXED/) })
  const all = await run('hunt', '--replay-all')
  expect([all.code, all.stdout]).toEqual([0, `FIXED       .api-mock/hunt/${file}\n`])

  save(RETRIES.replaceAll("'plan'", "'another plan'"))
  const changed = await run('hunt', '--replay-all')
  expect([changed.code, changed.stdout]).toEqual([1, expect.stringMatching(/^NOT REACHED .*Delete the file/)])
})

test('a cause has one file with all its faults, so one that still fails is not reported as fixed', async () => {
  const failsAt = (statuses: string) => `${CALL}
const { status } = await ask('plan').catch(() => ({ status: 0 }))
if ([${statuses}].includes(status)) process.exit(1)`
  const { cwd, run, save, files } = project(failsAt('400, 500'))
  const { stdout } = await run('hunt', '--depth', '1', '--faults', 'server-error,bad-request')
  expect(stdout).toContain('attempt 1): server-error or bad-request\n')
  expect(stdout).toContain(': 1 cause, 2 failing sets.')
  const [file, ...others] = files()
  expect(others).toEqual([])
  expect(stdout).toContain(`  Reproduce: npx api-mock run --scenario .api-mock/hunt/${file} -- `)
  const text = readFileSync(join(cwd, '.api-mock/hunt', file!), 'utf8')
  expect(text).toMatch(/^# Command: .*node.* app\.mjs$/m)
  expect(text).toMatch(/^# Token: \w+:1:server-error:retryAfter=0s\n# Token: \w+:1:invalid-request\n/m)
  save(failsAt('400'))
  const { code, stdout: replayed } = await run('hunt', '--replay-all')
  expect([code, replayed]).toEqual([
    1,
    `STILL FAILS .api-mock/hunt/${file}: with invalid-request: It ended with exit code 1.\n`,
  ])
  save(failsAt(''))
  expect((await run('hunt', '--replay-all')).stdout).toMatch(/^FIXED /)
})

test('--replay-all runs the files of its own command only', async () => {
  const { cwd, run, files } = project(RETRIES)
  writeFileSync(join(cwd, 'other.mjs'), RETRIES)
  const other = (...args: string[]) => command([...args, '--', process.execPath, 'other.mjs'], { cwd })
  await run(...ONE)
  expect(await other('hunt', '--replay-all')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--replay-all: expected scenarios of this command in .api-mock/hunt, got none.'),
  })
  const [own] = files()
  await other(...ONE)
  expect(files()).toHaveLength(2)
  const { stdout } = await run('hunt', '--replay-all')
  expect(stdout).toBe(`STILL FAILS .api-mock/hunt/${own}: It ended with exit code 7.\n`)
})

test('--bisect gives git bisect 125 when a replay cannot tell', async () => {
  const { cwd, run, save } = project(RETRIES)
  const { stdout } = await run(...ONE)
  const [, token] = /--replay (\S+)/.exec(stdout)!
  const bisect = async (...args: string[]) => (await run('hunt', ...args, '--bisect')).code
  expect(await bisect('--replay', token!)).toBe(1)
  expect(await bisect('--replay-all')).toBe(1)
  save(RETRIES.replace('process.exit(7)', ''))
  expect([await bisect('--replay', token!), await bisect('--replay-all')]).toEqual([0, 0])
  save(RETRIES.replaceAll("'plan'", "'another plan'"))
  expect([await bisect('--replay', token!), await bisect('--replay-all')]).toEqual([125, 125])
  save('throw new Error("broken build")')
  expect([await bisect('--replay', token!), await bisect('--replay-all')]).toEqual([125, 125])
  const missing = ['hunt', '--replay', token!, '--bisect', '--', 'no-such-command-here']
  expect(await command(missing, { cwd })).toMatchObject({
    code: 125,
    stderr: expect.stringContaining('command not found'),
  })
  expect(await bisect()).toBe(125)
})

test('a repeated side effect, too many calls and half an answer are found by options, and replayed', async () => {
  const { cwd, run, save, files } = project(`${CALL}
import { appendFileSync } from 'node:fs'
for (let tries = 0; tries < 3; tries++) {
  appendFileSync(process.env.API_MOCK_DID, 'charge order-7\\n')
  const answer = await ask('one two three')
  if (!answer.ok) continue
  const { choices: [{ message, finish_reason: reason }] } = await answer.json()
  console.log('Answer: ' + message.content)
  process.exit(0)
}
console.error('no answer')
process.exit(3)`)
  const hunt = (faults: string, ...args: string[]) => run('hunt', '--depth', '1', '--faults', faults, ...args)
  const charged = await hunt('server-error', '--once', 'charge', '--skip-outages')
  expect(charged.stdout).toMatch(
    /^FAILS with 1 fault: --once charge: expected charge order-7 at most once, got it 2 times\.\n/,
  )
  // api-mock run does not check properties.
  expect(charged.stdout).not.toContain('Reproduce:')
  const [, token] = /--replay (\S+)/.exec(charged.stdout)!
  expect(token).toContain(',once=charge')
  expect((await run('hunt', '--replay', token!)).stdout).toMatch(/^STILL FAILS .*--once charge/)
  expect((await run('hunt', '--replay-all')).stdout).toMatch(/^STILL FAILS .*: --once charge: expected/)
  expect(readFileSync(join(cwd, '.api-mock/hunt', files()[0]!), 'utf8')).toMatch(/\n# Token: .*,once=charge\n/)

  expect((await hunt('server-error', '--max-calls', '2', '--skip-outages')).stdout).not.toContain('--max-calls')
  const many = await hunt('server-error', '--max-calls', '2', '--whole-or-error')
  expect(many.stdout).toMatch(/^FAILS with 1 fault: --max-calls 2: expected at most 2 calls, got 3\./)
  const half = await hunt('unfinished,hang', '--whole-or-error', '--run-timeout', '3s')
  expect(half.stdout).toContain(
    'FAILS with 1 fault: --whole-or-error: expected the whole answer "one two three" or an error, got "one tw": request 1 ',
  )
  expect(half.stdout).toContain('FAILS with 1 fault: It did not end within 3 s.')
  expect(half.stdout).not.toContain('showed only the beginning')
  expect((await hunt('unfinished')).stdout).toMatch(
    /\nWarning: in \d+ runs?, the command showed only the beginning of an answer, and passed\. --whole-or-error makes this a failure\.\n/,
  )
  // The file knows its scenario.
  for (const file of files()) rmSync(join(cwd, '.api-mock/hunt', file))
  writeFileSync(join(cwd, 'scripted.yaml'), 'replies: [{ say: four five six }]\n')
  await hunt('unfinished', '--whole-or-error', '--scenario', 'scripted.yaml')
  expect((await run('hunt', '--replay-all')).stdout).toMatch(
    /^STILL FAILS .*: expected the whole answer "four five six"/,
  )
  save(`${CALL} await ask('plan')`)
  expect(await hunt('server-error', '--whole-or-error')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--whole-or-error: expected the app to return or print an answer of the model'),
  })
})

test('a run that does not meet an expectation fails, and the message names one that failed', async () => {
  const { cwd, run } = project(`${CALL} if (!(await ask('plan')).ok) await ask('again')`)
  // Too few calls to judge a p99.
  writeFileSync(join(cwd, 'strict.yaml'), 'expect: { p99: < 2s, calls: <= 1 }\n')
  const { stdout } = await run(...ONE, '--scenario', 'strict.yaml')
  expect(stdout).toMatch(/^FAILS with 1 fault: It did not meet an expectation: calls/)
})

test('a mistake that is found with --fail-on conduct is repeated by each line that the hunt prints', async () => {
  const early = `${CALL} if ((await ask('plan')).status === 429) await ask('plan')`
  const { cwd, run, save } = project(early)
  const { stdout } = await run(
    'hunt',
    '--depth',
    '1',
    '--faults',
    'rate-limit',
    '--fail-on',
    'conduct',
    '--run-timeout',
    '30s',
  )
  expect(stdout).toMatch(/^FAILS with 1 fault: Its client made a mistake: /)
  const [, options] = /npx api-mock (run .*) -- /.exec(stdout)!
  expect(options).toContain('--conduct strict')
  expect((await run(...options!.split(' '))).code).toBe(1)
  const [, token] = /--replay (\S+)/.exec(stdout)!
  expect(token).toContain(',fail-on=conduct,run-timeout=30s')
  expect((await run('hunt', '--replay', token!)).stdout).toMatch(/^STILL FAILS .*\n(?:.*\n)*.*,fail-on=conduct,/)
  expect((await run('hunt', '--replay-all')).stdout).toMatch(/^STILL FAILS /)
  const file = join(cwd, options!.replace(/.* /, ''))
  expect(readFileSync(file, 'utf8')).toMatch(/\n# Token: .*,fail-on=conduct,run-timeout=30s\n/)
  save(`${CALL} await ask('plan')`)
  expect((await run('hunt', '--replay-all')).stdout).toMatch(/^FIXED /)
})

test('a command that survives is reported with what was tried', async () => {
  const { code, stdout } = await project(`${CALL} await ask('plan').catch(() => {})`).run(
    'hunt',
    '--faults',
    'server-error,bad-request',
    '--jobs',
    '2',
    '--report',
    'json',
  )
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    failures: [],
    calls: ['POST chat "plan"'],
    runs: 11,
    table: { rows: [{ cells: [{ outcome: 'survived' }, { outcome: 'survived' }] }] },
    warnings: [],
  })
})

test('a fault under which the command does not end is found, and its processes are ended', async () => {
  const script = `${CALL} if (!(await ask('plan')).ok) await new Promise((wake) => setTimeout(wake, 1e6))`
  const { stdout } = await project(script).run(...ONE, '--run-timeout', '5s', '--report', 'github')
  expect(stdout).toMatch(/^::error title=api-mock hunt::FAILS with 1 fault: It did not end within 5 s\./)
})

test.each([
  [
    'fails',
    `${CALL} await ask('plan'); console.log('no database'); process.exit(1)`,
    /fails without faults\. Make it pass first\.\n {2}It ended with exit code 1\.\n {2}\| no database\n/,
  ],
  ['makes no call', '', /made no call to the mock\. Does it read OPENAI_BASE_URL/],
  [
    'makes other calls each time',
    `${CALL} await ask('It is ' + process.hrtime())`,
    /must make the same calls each time, and call 1 changed at request\.messages\[0\]\.content/,
  ],
  [
    'does not end',
    `${CALL} await ask('plan'); setInterval(() => {}, 1e6)`,
    /fails without faults\. Make it pass first\.\n {2}It did not end within 5 s\./,
  ],
])('a command that %s without faults is not hunted', async (_, script, message) => {
  const { code, stdout, stderr } = await project(script).run(
    'hunt',
    ...(script.includes('setInterval') ? ['--run-timeout', '5s'] : []),
  )
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(message)
})

test('processes that the command leaves are ended, and mentioned', async () => {
  const script = `import { spawn } from 'node:child_process'
${CALL} await ask('plan').catch(() => {})
spawn('sleep', ['300'], { stdio: 'inherit' }).unref(); process.exit()`
  const { code, stdout } = await project(script).run(...ONE)
  expect(code).toBe(0)
  expect(stdout).toContain('Warning: the command left processes running in 8 runs. They were ended.')
})

test('the first cut that a command mishandles is found', async () => {
  const script = `${CALL}
const body = JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'one two three four' }] })
const headers = { authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'content-type': 'application/json' }
const signal = AbortSignal.timeout(3000)
const text = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', headers, body, signal })
  .then((answer) => answer.text()).catch(() => '')
if (text.includes('three') && !text.includes('[DONE]')) process.exit(1)`
  const { code, stdout } = await project(script).run('hunt', '--only', 'cuts', '--jobs', '4')
  expect(code).toBe(1)
  expect(stdout.match(/^FAILS/gm)).toHaveLength(1)
  expect(stdout).toMatch(
    / {2}call 1 \(.*, attempt 1\): cut; after=4; end=clean\n {2}with end=clean, \d of \d cuts fail/,
  )
  expect(stdout).toMatch(/clean {2}FAILED\nstall {2}survived/)
})

test('of the random faults of a failing run, those that are needed are left', async () => {
  const { cwd, run, save, files } = project(`${CALL}
let failed = 0
for (const word of 'abcdef') if (!(await ask(word)).ok && 'be'.includes(word)) failed++
process.exit(failed === 2 ? 1 : 0)`)
  writeFileSync(join(cwd, 'chaos.yaml'), 'faults:\n  - { fault: server-error, chance: 100% }\n')
  const { code, stdout } = await run('shrink', '--scenario', 'chaos.yaml')
  expect(code).toBe(1)
  expect(stdout).toMatch(/^FAILS with 2 faults: It ended with exit code 1\.\n {2}call 2 .*\n {2}call 5 .*\n/)
  expect(stdout).toContain('2 of the 6 faults that were applied are enough.')
  const file = `.api-mock/hunt/${files()[0]}`
  expect((await run('run', '--scenario', file)).code).toBe(1)
  const verdict = async () => (await run('hunt', '--replay-all')).stdout
  expect(await verdict()).toBe(`STILL FAILS ${file}: It ended with exit code 1.\n`)
  save(`${CALL} await ask('b')`)
  expect(await verdict()).toBe(`FIXED       ${file}\n`)
  save(`${CALL} await ask('a')`)
  expect(await verdict()).toMatch(/^NOT REACHED /)
  const passed = await run('shrink', '--scenario', 'chaos.yaml')
  expect([passed.code, passed.stdout]).toEqual([0, 'The command passes under chaos.yaml. Try another --seed.\n'])
  const without = await run('shrink', '--scenario', 'default')
  expect(without.stdout).toBe(
    'The command passes under default. It has no faults by chance. Choose another --scenario.\n',
  )
  save('')
  expect((await run('shrink', '--scenario', 'chaos.yaml')).stdout).toMatch(/^The command passed, and made no call to/)
  save(`${CALL} await ask('a'); process.exit(1)`)
  const broken = await run('shrink', '--scenario', 'chaos.yaml')
  expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('the command fails without faults')])
})

const HANGS = `import { writeFileSync } from 'node:fs'
${CALL} if (!(await ask('plan')).ok) { process.on('SIGTERM', () => {}); writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1e6) }`

async function hangingRun(signal: NodeJS.Signals): Promise<{ readonly ended: Ended; readonly pid: number }> {
  const { cwd, start } = project(HANGS)
  // In virtual time this would be the end of a day.
  const hunting = start(...ONE, '--real-time')
  let pid = 0
  while (pid === 0 && hunting.process.exitCode === null) {
    await pause()
    try {
      pid = Number(readFileSync(join(cwd, 'pid'), 'utf8'))
    } catch {}
  }
  hunting.signal(signal)
  return { ended: await hunting.ended, pid }
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends the command and reports what is known, with exit code %i', async (signal, exitCode) => {
  const { ended, pid } = await hangingRun(signal)
  expect(ended.code).toBe(exitCode)
  expect(ended.stdout).toContain('Tried 0 sets of faults on 1 call')
  expect(ended.stdout).toContain('Stopped by a signal: at least 14 sets of faults are left.')
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

test('a wrong command line has exit code 2', async () => {
  const { run } = project('')
  expect(await run('hunt', '--faults', 'cuts')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Did you mean 'cut'?"),
  })
  expect(await run('hunt', '--time', '5')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a duration such as 30s'),
  })
  expect(await run('hunt', '--replay', 'a:1:cut', '--replay-all')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Expected --replay or --replay-all, got both.'),
  })
  expect(await run('hunt', '--replay', 'a:1:cut', '--report', 'json')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected a hunt, got a replay'),
  })
  expect(await run('hunt', '--replay-all')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Run api-mock hunt first'),
  })
  expect(await command(['hunt', '--', 'no-such-command-here'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('command not found'),
  })
})

test('a replay that checks nothing fails, and a file that cannot be read does not hide the others', async () => {
  const { cwd, run, files } = project(RETRIES)
  expect(await run('hunt', '--replay', 'a:1:cut')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^NOT REACHED: .* Hunt again\.\n$/),
  })
  await run(...ONE)
  const [name] = files()
  const save = (file: string, text: string) => writeFileSync(join(cwd, '.api-mock/hunt', file), text)
  const text = readFileSync(join(cwd, '.api-mock/hunt', name!), 'utf8')
  save('a.yaml', text.replace(/Token: .*/, 'Token: cut'))
  save('b.yaml', text.replace(/(Token: .*)/, '$1,scenario=missing.yaml'))
  save('c.yml', 'faults: [')
  save('d.yml', 'faults: [{ fault: server-error }]')
  const { code, stdout } = await run('hunt', '--replay-all')
  expect(stdout).toContain(
    "UNREADABLE  .api-mock/hunt/a.yaml: .api-mock/hunt/a.yaml: expected a token that a hunt printed, got 'cut'.\n",
  )
  expect(stdout).toMatch(/^UNREADABLE {2}\.api-mock\/hunt\/b\.yaml: Failed to read scenario file 'missing\.yaml'/m)
  expect(stdout).toMatch(/^UNREADABLE {2}\.api-mock\/hunt\/c\.yml: /m)
  expect(stdout).toContain('STILL FAILS .api-mock/hunt/d.yml: It ended with exit code 7.\n')
  expect(stdout).toContain(`STILL FAILS .api-mock/hunt/${name}: It ended with exit code 7.\n`)
  expect(stdout).toMatch(/\n2 still fails, 3 unreadable\n$/)
  expect(code).toBe(2)
})

test('a file of version 0.1.0 is replayed with its settings and its other faults', async () => {
  const { cwd, run } = project(`${CALL} if ((await ask('plan')).status === 400) process.exit(1)`)
  mkdirSync(join(cwd, '.api-mock/hunt'), { recursive: true })
  const file = '.api-mock/hunt/server-error-1a2b3c4d.yaml'
  const faults = 'faults: [{ fault: server-error, when: { user: plan }, times: 1 }]'
  writeFileSync(join(cwd, file), `# Settings: max-calls=1\n# Also: [{"fault":"invalid-request"}]\n${faults}\n`)
  expect((await run('hunt', '--replay-all')).stdout).toBe(
    `STILL FAILS ${file}: with invalid-request: It ended with exit code 1.\n`,
  )
})

test('a time that ends before the command does is named', async () => {
  const { code, stderr } = await project(`${CALL} await ask('plan'); setInterval(() => {}, 1e6)`).run(
    'hunt',
    '--time',
    '1s',
  )
  expect([code, stderr]).toEqual([2, expect.stringContaining('--time ended the hunt before')])
})

test('a failure that the end of the time leaves unconfirmed is reported, with exit code 1', async () => {
  const script = `import { existsSync, writeFileSync } from 'node:fs'
${CALL} if (!(await ask('plan')).ok) { if (existsSync('failed')) setInterval(() => {}, 1e6); else { writeFileSync('failed', ''); process.exit(7) } }`
  const { code, stdout } = await project(script).run(...ONE, '--real-time', '--time', '6s')
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^FAILS with 1 fault, not confirmed \(1 of 1\): .*exit code 7/),
  ])
})

/** Handles errors in the open, and takes any answer. */
const CARELESS = `${CALL}
try {
  const answer = await ask('plan');
  if (!answer.ok) throw new Error(answer.status);
  const { choices } = await answer.json();
  try { String(choices[0].message.content) } catch (error) { console.log('never') }
} catch (error) { console.log('no plan') }
await Promise.resolve().catch(() => console.log('never'));
const later = () => { try { later() } catch { return 'not known, because it never ran' } };
`
const ANSWERS = ['hunt', '--depth', '1', '--faults', 'bad-request,wrong-answer']

test('a wrong answer that nothing shows lowers the coverage, and a coverage that is too low is exit code 1', async () => {
  const { cwd, runWith } = project(CARELESS)
  const { code, stdout } = await runWith({ NODE_V8_COVERAGE: 'v8' }, ...ANSWERS, '--min-coverage', '50.5')
  expect(stdout).toMatch(/\nwrong-answer {2}unnoticed\n/)
  expect(stdout).toContain(
    'Warning: call 1 (POST chat "plan") got a wrong answer, and nothing showed it: empty-text, refusal. The command passed, and asked and printed the same. Let a test check the answer.\n',
  )
  expect(stdout).toMatch(
    /\nFault coverage 50 %: 100 % tried, 0 % pruned, 0 % not tried; 0 of 2 changed answers noticed\nNo run reached 2 of 3 catch blocks: app\.mjs:12, app\.mjs:14\nThe fault coverage of 50 % is below --min-coverage 50\.5\.\n$/,
  )
  expect(code).toBe(1)
  expect(readdirSync(join(cwd, 'v8')).length).toBeGreaterThan(5)
  expect((await runWith({}, ...ANSWERS, '--min-coverage', '50')).code).toBe(0)
})

test('with --since, only calls that are new or were not safe are hunted', async () => {
  const { save, run } = project(`${CALL} const { ok } = await ask('plan'); if (!ok) console.log('no plan')`)
  const ONCE = ['hunt', '--depth', '1', '--faults', 'bad-request,server-error', '--since', 'hunt.json']
  const first = await run(...ONCE, '--report', 'json', '--report-file', 'hunt.json')
  expect([first.code, first.stderr]).toEqual([
    0,
    expect.stringContaining("nothing of 'hunt.json' is kept: there is no"),
  ])
  save(`${CALL} for (const text of ['plan', 'answer']) await ask(text)`)
  const { stdout } = await run(...ONCE)
  expect(stdout).toMatch(/\nserver-error {2}kept {7}survived\n/)
  expect(stdout).toMatch(/sets on calls that the report of --since found safe\n/)
  expect(stdout).toContain('; 50 % kept from an earlier hunt')
})

test('--min-coverage is a percentage, and --since is not for cuts', async () => {
  const { run } = project(RETRIES)
  const wrong = await run(...ONE, '--min-coverage', '101')
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("--min-coverage: expected a percentage from 0 to 100, got '101'."),
  ])
  expect((await run('hunt', '--only', 'cut')).stderr).toContain(
    "--only: expected cuts, got 'cut'. Did you mean 'cuts'?",
  )
  const cuts = await run('hunt', '--only', 'cuts', '--since', 'hunt.json')
  expect([cuts.code, cuts.stderr]).toEqual([2, expect.stringContaining('--since: expected no --only cuts with it.')])
})
