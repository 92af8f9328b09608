/** `api-mock run`: a mock for the time of one command. */
import { spawnSync } from 'node:child_process'
import { lstatSync, mkdtempSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, inject, test, vi } from 'vitest'
import { Command, command } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

const node = (script: string): string[] => ['--', process.execPath, '--input-type=module', '-e', script]
const CALL = `
  const call = (fault) => fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'content-type': 'application/json', ...fault },
    body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hi' }] }),
  });`

test('run sets the base URL, key and origin, and exits with the code of the command', async () => {
  const { code, stdout, stderr } = await command([
    'run',
    ...node(`${CALL}
      const health = await fetch(process.env.API_MOCK_URL + '/_mock/health');
      const { status } = await call();
      await call({ 'x-mock-fault': 'cut' }).then((cut) => cut.text()).catch(() => {});
      await call({ 'x-mock-fault': 'rate-limit' });
      console.log(JSON.stringify({ status, health: health.status, base: process.env.OPENAI_BASE_URL }));
      process.exit(3)`),
  ])
  expect(code).toBe(3)
  expect(JSON.parse(stdout)).toEqual({ status: 200, health: 200, base: expect.stringMatching(/^http:.*\/v1$/) })
  expect(stderr).toBe(
    'api-mock: 3 calls (2 x 200, 1 of them with a fault or cut, 1 x 429), scenario default, seed 1\napi-mock: no mistakes found in 3 calls\n',
  )
})

test('run --log shows calls on stderr', async () => {
  const { stderr, stdout } = await command(['run', '--log', 'pretty', '--seed', '9', ...node(`${CALL} await call()`)])
  expect(stdout).toBe('')
  expect(stderr).toMatch(
    /^POST \/v1\/chat\/completions .* 200 .*\napi-mock: 1 call \(1 x 200\), .*, seed 9\napi-mock: no mistakes found in 1 call\n$/,
  )
})

test('the command gets its arguments unchanged, numbers too', async () => {
  const { stdout } = await command(['run', ...node('console.log(process.argv.slice(1).join())'), '007', '1.0', '-1e3'])
  expect(stdout).toBe('007,1.0,-1e3\n')
})

test('run accepts --speed', async () => {
  const { stdout } = await command([
    'run',
    '--speed',
    '10',
    ...node(`${CALL} console.log((await call({ 'x-mock-fault': 'rate-limit' })).headers.get('retry-after-ms'))`),
  ])
  expect(stdout).toBe('100\n')
})

test('run bounds its journal with --journal and --journal-bytes, or with variables', async () => {
  const script = node(`${CALL}
    for (let count = 0; count < 3; count++) await call();
    const journal = await (await fetch(process.env.API_MOCK_URL + '/_mock/journal')).json();
    const { journal: counts } = await (await fetch(process.env.API_MOCK_URL + '/_mock/now')).json();
    console.log(JSON.stringify([counts, journal.entries.map(({ body }) => body !== undefined)]))`)
  const given = await command(['run', '--journal', '2', '--journal-bytes', '10', ...script])
  expect(JSON.parse(given.stdout)).toEqual([{ kept: 2, total: 3 }, [false, false]])
  const env = { API_MOCK_JOURNAL: '1', API_MOCK_JOURNAL_BYTES: '1000000' }
  expect(JSON.parse((await command(['run', ...script], { env })).stdout)).toEqual([{ kept: 1, total: 3 }, [true]])
  expect((await command(['run', '--journal', '0', ...script])).stderr).toContain(
    "--journal: expected a whole number from 1, got '0'.",
  )
})

test('run reports that the command made no call', async () => {
  const { code, stderr } = await command(['run', ...node('')])
  expect(code).toBe(0)
  expect(stderr).toContain('no calls')
  expect(stderr).toContain('OPENAI_BASE_URL')
})

test('run without a command names what is missing', async () => {
  for (const args of [['run'], ['run', '--scenario', 'default', '--']]) {
    const { code, stderr } = await command(args)
    expect(code).toBe(1)
    expect(stderr).toContain('Missing -- <command>')
  }
})

test('a command that is not found gives exit code 127', async () => {
  const { code, stderr } = await command(['run', '--', 'no-such-command-here', '--flag'])
  expect(code).toBe(127)
  expect(stderr).toMatch(/^api-mock: Failed to run 'no-such-command-here': command not found\..*\n$/)
})

test('a command ended by a signal gives exit code 128 plus the signal number', async () => {
  const { code } = await command(['run', ...node("process.kill(process.pid, 'SIGKILL')")])
  expect(code).toBe(137)
})

test.each(['SIGTERM', 'SIGINT'] as const)('run hands %s on and lets the command decide', async (signal) => {
  const running = new Command([
    'run',
    ...node(`process.on('${signal}', () => process.exit(42)); setInterval(() => {}, 1000); console.log('ready')`),
  ])
  await running.shows(/ready/)
  running.signal(signal)
  expect((await running.ended).code).toBe(42)
})

test('run does not start the command when the mock cannot start', async () => {
  const { code, stdout } = await command(['run', '--scenario', 'nonesuch', ...node("console.log('ran')")])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
})

const RETRY = `${CALL}
  const fault = { 'x-mock-fault': 'status; status=401; should-retry=false' };
  await call(fault); await call(fault)`

test('run reports client mistakes, and fails for them with --conduct strict', async () => {
  const told = await command(['run', ...node(RETRY)])
  expect(told.code).toBe(0)
  expect(told.stderr).toMatch(
    /^api-mock: mistake pointless-retry of POST \/v1\/chat\/completions 'Hi' \(key .*\): #2 repeats #1 unchanged, which was a 401/m,
  )
  expect(told.stderr).toMatch(/^api-mock: mistake refused-retry .*x-should-retry: false/m)
  const strict = await command(['run', '--conduct', 'strict', ...node(RETRY)])
  expect([strict.code, strict.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^api-mock: failed: 2 client mistakes \(--conduct strict\): pointless-retry, refused-retry\n$/m,
    ),
  ])
  const file = join(mkdtempSync(join(tmpdir(), 'strict-')), 'report.xml')
  const junit = ['run', '--conduct', 'strict', '--report', 'junit', '--report-file', file]
  expect((await command([...junit, ...node(RETRY)])).stderr).toMatch(/refused-retry\. See \S+report\.xml\n$/)
  expect((await command(['run', '--conduct', 'strict', ...node(`${CALL} await call(); process.exit(4)`)])).code).toBe(4)
  expect(
    (await command(['run', '--conduct', 'strict', '--report', 'none', ...node(`${CALL} await call()`)])).code,
  ).toBe(0)
})

test('run fails for an expectation that is not met, and for one without a verdict only with --conduct strict', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'verdicts-'))
  const scenario = (name: string, expected: string): string => {
    const file = join(folder, name)
    writeFileSync(file, `description: x\nexpect: { ${expected} }\n`)
    return file
  }
  const unmet = await command([
    'run',
    '--scenario',
    scenario('unmet.yaml', "calls: '< 1'"),
    ...node(`${CALL} await call()`),
  ])
  expect([unmet.code, unmet.stderr]).toEqual([
    1,
    expect.stringMatching(/^api-mock: FAIL calls < 1: 1 call\napi-mock: failed: calls does not meet < 1\n$/m),
  ])
  const open = ['run', '--scenario', scenario('open.yaml', "errors: '< 1%'")]
  const lenient = await command([...open, ...node(`${CALL} await call()`)])
  expect([lenient.code, lenient.stderr]).toEqual([
    0,
    expect.stringContaining('INCONCLUSIVE errors < 1%: 0 of 1 call (0%). '),
  ])
  const strict = await command([...open, '--conduct', 'strict', ...node(`${CALL} await call()`)])
  expect([strict.code, strict.stderr.trimEnd().split('\n').at(-1)]).toEqual([
    1,
    'api-mock: failed: errors has no verdict (--conduct strict)',
  ])
})

test('run writes its report to the given file, with failures only where they fail the run', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'report-')), 'conduct.xml')
  const junit = ['run', '--report', 'junit', '--report-file', file]
  const { code, stderr } = await command([...junit, ...node(RETRY)])
  expect(code).toBe(0)
  // The text for people is on stderr all the same.
  expect(stderr).toMatch(/^api-mock: 2 calls .*\napi-mock: mistake pointless-retry [\s\S]*\n$/)
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(`api-mock: junit report written to ${file}`)
  expect(readdirSync(dirname(file))).toEqual(['conduct.xml'])
  expect(readFileSync(file, 'utf8')).toMatch(/<testsuite name="api-mock" tests="10" failures="0"/)
  expect((await command([...junit, '--conduct', 'strict', ...node(RETRY)])).code).toBe(1)
  expect(readFileSync(file, 'utf8')).toMatch(/<testsuite name="api-mock" tests="10" failures="2"/)
})

test('run writes several reports at once, each to its file; the first ones are printed if there are fewer files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reports-'))
  const [xml, json] = [join(folder, 'a.xml'), join(folder, 'b.json')]
  writeFileSync(join(folder, 'linked.json'), 'old')
  symlinkSync('linked.json', json)
  const reports = [
    '--report',
    'github',
    '--report',
    'junit',
    '--report-file',
    xml,
    '--report',
    'json',
    '--report-file',
    json,
  ]
  const { code, stderr } = await command(['run', ...reports, ...node(RETRY)])
  expect(code).toBe(0)
  expect(stderr).toMatch(/^api-mock: mistake pointless-retry /m)
  expect(stderr).toMatch(/^::error title=api-mock pointless-retry::/m)
  expect(stderr).toContain(`api-mock: junit report written to ${xml}\napi-mock: json report written to ${json}\n`)
  expect(readFileSync(xml, 'utf8')).toContain('<testsuite name="api-mock"')
  expect(JSON.parse(readFileSync(join(folder, 'linked.json'), 'utf8'))).toMatchObject({ calls: 2 })
  expect(readdirSync(folder)).toEqual(['a.xml', 'b.json', 'linked.json'])
})

test('a report to /dev/stdout follows the output of the command, also where that goes to a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'stdout-')), 'all.txt')
  const args = ['run', '--report', 'json', '--report-file', '/dev/stdout', ...node("console.log('hello')")]
  const stdio = ['ignore', openSync(file, 'w'), 'ignore'] as const
  spawnSync(process.execPath, [join(inject('program'), 'main.js'), ...args], { stdio: [...stdio] })
  expect(readFileSync(file, 'utf8')).toMatch(/^hello\n\{"calls":0,/)
})

test('run refuses reports that do not fit their files', async () => {
  const refused = async (...reports: string[]) =>
    (await command(['run', ...reports, ...node('')])).stderr.split('\n')[0]
  expect(await refused('--report-file', 'a', '--report-file', 'b')).toBe(
    'api-mock: --report-file: expected one --report for each file, got 1 and 2 files.',
  )
  const twice = ['--report', 'json', '--report-file', 'a', '--report', 'junit', '--report-file', './a']
  expect(await refused(...twice)).toBe(
    "api-mock: --report-file: expected another file for each report, got './a' twice.",
  )
  expect(await refused('--report', 'html', '--report-file', 'a.html', '--report', 'junit')).toBe(
    'api-mock: --report: html needs a file. Add --report-file report.html. With fewer files than reports, the first reports have none',
  )
})

test('run warns at the start of a percentile that needs many calls', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'p99-')), 'p99.yaml')
  writeFileSync(file, "description: x\nexpect: { p50: '< 2s', p99: '< 2s' }\n")
  const { stderr } = await command(['run', '--scenario', file, ...node('')])
  expect(stderr).toMatch(
    /^api-mock: Warning: expect\.p99 cannot pass with fewer than 100 answered calls\.\napi-mock: no calls/,
  )
})

test('a command that is not executable gives exit code 126 and the advice to make it so', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'denied-')), 'app.sh')
  writeFileSync(file, '#!/bin/sh\n')
  const { code, stderr } = await command(['run', '--', file])
  expect(code).toBe(126)
  expect(stderr).toMatch(
    /: permission denied\. Make it executable with chmod \+x \S+app\.sh\. It runs without a shell;/,
  )
  expect((await command(['run', '--', dirname(file)])).stderr).toContain(': it is a folder. ')
})

test('run refuses an unknown report format', async () => {
  const { code, stderr } = await command(['run', '--report', 'jnuit', ...node('')])
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(
      "--report: expected pretty, json, junit, github, none, html, got 'jnuit'. Did you mean 'junit'?",
    ),
  ])
})

test.skipIf(process.platform === 'win32')('a pipe that nobody reads is refused before the command runs', async () => {
  const pipe = join(mkdtempSync(join(tmpdir(), 'pipe-')), 'tokens.json')
  spawnSync('mkfifo', [pipe])
  const { code, stdout, stderr } = await command(['run', '--tokens-file', pipe, ...node("console.log('ran')")])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(`to '${pipe}': it is a pipe that nobody reads. Choose a file name.`)
})

test('run --tokens-file writes through a link to a file that does not exist yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tokens-'))
  const [link, target] = [join(folder, 'link.json'), join(folder, 'target.json')]
  symlinkSync(target, link)
  await command(['run', '--tokens-file', link, ...node('')])
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(JSON.parse(readFileSync(target, 'utf8')).total.calls).toBe(0)
})

test('run --tokens-file writes the tokens of each session, and then says what has changed', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tokens-')), 'tokens.json')
  const ask = (prompt: string, code: number): string[] =>
    node(`
      const ask = (path, content) => fetch(process.env.API_MOCK_URL + path + '/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer ' + process.env.OPENAI_API_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] }),
      });
      await ask('/s/checkout.test.ts', '${prompt}'); await ask('/s/search.test.ts', 'Hi'); await ask('', 'Hi');
      process.exit(${code})`)
  const run = ['run', '--scenario', 'openai', '--tokens-file', file]
  const first = await command([...run, ...ask('Hello', 0)])
  expect(first.stderr).toMatch(
    /^api-mock: tokens written to \S+tokens\.json: 3 calls, 24 prompt tokens, \d+ completion tokens, \$0\.\d+$/m,
  )
  const text = readFileSync(file, 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    total: { calls: 3, promptTokens: 24, usd: expect.any(Number) },
    withoutSession: { calls: 1, promptTokens: 8 },
    sessions: { 'checkout.test.ts': { calls: 1, promptTokens: 8 }, 'search.test.ts': { calls: 1, promptTokens: 8 } },
  })
  expect((await command([...run, ...ask('Hello', 0)])).stderr).toMatch(/tokens written to .* \(as before\)$/m)
  expect(readFileSync(file, 'utf8')).toBe(text)

  // It is written when the command fails, too.
  const second = await command([...run, ...ask('Hello, hello, hello, hello', 3)])
  expect(second.code).toBe(3)
  expect(second.stderr).toMatch(/ \(changed\)$/m)
  expect(second.stderr).toMatch(/^api-mock: {3}checkout\.test\.ts: \+75 % prompt tokens \(8 to 14\)/m)
  expect(second.stderr).not.toContain('search.test.ts')
  expect(JSON.parse(readFileSync(file, 'utf8')).sessions['checkout.test.ts'].promptTokens).toBe(14)
  expect(readdirSync(dirname(file))).toEqual(['tokens.json'])
})

test('run refuses a tokens file that is something else, before the command runs', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'tokens-')), 'tokens.json')
  writeFileSync(file, '{"total": <<<<<<< HEAD')
  const { code, stdout, stderr } = await command(['run', '--tokens-file', file, ...node("console.log('ran')")])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toBe(
    `api-mock: --tokens-file: expected a file that an earlier run has written, or a new one, got '${file}'. Restore or delete it, or name another file.\n`,
  )
  expect(readFileSync(file, 'utf8')).toBe('{"total": <<<<<<< HEAD')
  const twice = ['run', '--report', 'json', '--report-file', file, '--tokens-file', file]
  expect((await command([...twice, ...node('')])).stderr).toContain(
    `--tokens-file: expected another file than --report-file, got '${file}' twice.`,
  )
  const env = { API_MOCK_TOKENS_FILE: dirname(file) }
  expect((await command(['run', ...node('')], { env })).stderr).toContain(
    `Failed to write the token report to '${dirname(file)}': it is a folder. Choose a file name.`,
  )
})
