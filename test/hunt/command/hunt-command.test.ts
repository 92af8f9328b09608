/** `api-mock hunt`, as its users run it: what it finds, how that is repeated, and what it refuses to hunt. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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

test('each set of a group of failures has a file, so one that still fails is not reported as fixed', async () => {
  const failsAt = (statuses: string) => `${CALL}
const { status } = await ask('plan').catch(() => ({ status: 0 }))
if ([${statuses}].includes(status)) process.exit(1)`
  const { run, save, files } = project(failsAt('400, 500'))
  const { stdout } = await run('hunt', '--depth', '1', '--faults', 'server-error,bad-request')
  expect(stdout).toContain('attempt 1): server-error or bad-request\n')
  expect(stdout).toMatch(/ {2}Reproduce: npx api-mock run .*\/server-error-\w+\.yaml/)
  expect(stdout).toMatch(/ {2}Saved too: \.api-mock\/hunt\/bad-request-\w+\.yaml\n/)
  expect(stdout).toContain(': 1 cause, 2 failing sets.')
  expect(files()).toHaveLength(2)
  save(failsAt('400'))
  const { code, stdout: replayed } = await run('hunt', '--replay-all')
  expect(code).toBe(1)
  expect(replayed).toMatch(/^STILL FAILS .*bad-request-\w+\.yaml: .*\nFIXED {7}.*server-error-\w+\.yaml\n/)
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
  expect(readFileSync(file, 'utf8')).toContain('\n# Settings: fail-on=conduct, run-timeout=30s\n')
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
  expect((await run('run', '--scenario', `.api-mock/hunt/${files()[0]}`)).code).toBe(1)
  save(`${CALL} await ask('a')`)
  const passed = await run('shrink', '--scenario', 'chaos.yaml')
  expect([passed.code, passed.stdout]).toEqual([0, 'The command passes under chaos.yaml. Try another --seed.\n'])
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
  const { cwd, run } = project(RETRIES)
  expect(await run('hunt', '--replay', 'a:1:cut')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^NOT REACHED: .* Hunt again\.\n$/),
  })
  mkdirSync(join(cwd, '.api-mock/hunt'), { recursive: true })
  writeFileSync(join(cwd, '.api-mock/hunt/a.yaml'), 'faults: [')
  writeFileSync(join(cwd, '.api-mock/hunt/b.yaml'), 'faults:\n  - { fault: server-error }\n')
  const { code, stdout } = await run('hunt', '--replay-all')
  expect([code, stdout]).toEqual([
    2,
    expect.stringMatching(/^UNREADABLE {2}\.api-mock\/hunt\/a\.yaml: .*\nSTILL FAILS \.api-mock\/hunt\/b\.yaml: .*\n/),
  ])
})

test('a folder that cannot be used is noticed before the command runs', async () => {
  const { cwd, run } = project('')
  writeFileSync(join(cwd, '.api-mock'), '')
  for (const args of [['hunt'], ['hunt', '--replay-all']]) {
    const { code, stderr } = await run(...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining("'.api-mock' is not a folder. Rename it")])
  }
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
