/** `--workers` on the command line: the processes it starts end with it, however it ends. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Command, callArrived, chat, command, start, temporaryFolder } from './command.ts'

vi.setConfig({ testTimeout: 100_000 })

function workersOf({ process: { pid } }: Command): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  const rows = lines.map((line) => /^ *(\d+) +(\d+) .*worker\.ts/.exec(line)).filter((row) => row !== null)
  return rows.filter(([, , parent]) => Number(parent) === pid).map(([, worker]) => Number(worker))
}

const isGone = (pid: number): boolean => {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}
const haveEnded = (pids: readonly number[]): Promise<void> =>
  vi.waitFor(() => expect(pids.filter((pid) => !isGone(pid))).toEqual([]), { timeout: 100_000 })

test('Ctrl-C goes to all processes: the call in flight finishes, no worker is left, the exit code is 0', async () => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'slow.yaml'), 'description: Slow.\npace: { firstToken: 800ms }\n')
  const { server, url, origin } = await start(['--scenario', 'slow.yaml', '--workers', '2'], { cwd })
  expect(server.stdout).toContain('Workers   2 processes')
  const call = chat(url)
  await callArrived(origin)
  const workers = workersOf(server)
  expect(workers).toHaveLength(2)
  for (const pid of workers) process.kill(pid, 'SIGINT')
  server.signal('SIGINT')
  expect((await call).status).toBe(200)
  const { code, stdout, stderr } = await server.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Stopping. Waiting up to 2 s for 1 call.')
  expect(stdout).toMatch(/POST \/v1\/chat\/completions …st 200 echo \d+ ms\n/)
  await haveEnded(workers)
})

test('workers exit when the primary is killed', async () => {
  const { server, url } = await start(['--workers', '2'])
  const workers = workersOf(server)
  const call = chat(url, 'Hello', { 'x-mock-fault': 'hang' }).catch((error: Error) => error)
  server.signal('SIGKILL')
  await haveEnded(workers)
  expect(workers).toHaveLength(2)
  expect(await call).toBeInstanceOf(Error)
})

test('run with workers counts all calls of the command', async () => {
  const calls = `
    const key = process.env.OPENAI_API_KEY
    const body = JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'hi' }] })
    const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
    const url = process.env.OPENAI_BASE_URL + '/chat/completions'
    await Promise.all(Array.from({ length: 9 }, () => fetch(url, { method: 'POST', headers, body })))`
  const args = [
    'run',
    '--workers',
    '2',
    '--scenario',
    'rate-limited',
    '--',
    process.execPath,
    '--input-type=module',
    '-e',
    calls,
  ]
  const { code, stderr } = await command(args)
  expect(stderr).toContain('api-mock: 9 calls (3 x 200, 6 x 429), scenario rate-limited')
  expect(code).toBe(0)
})
