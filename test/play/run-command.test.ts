/** Runs of real commands: how they end, what is kept of their output, and that no process of their group is left. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type CommandEnd, type CommandRun, runCommand } from '../../src/play/run-command.ts'

const shell = (script: string, more: Partial<CommandRun> = {}): Promise<CommandEnd> =>
  runCommand({
    command: ['sh', '-c', script],
    env: process.env,
    limitMs: 60_000,
    signal: new AbortController().signal,
    ...more,
  })

/** The process whose id the command printed. It may be a zombie if the machine reaps none. */
function isRunning(pid: string | undefined): boolean {
  try {
    process.kill(Number(pid), 0)
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('a command has its exit code, its last lines and an empty input', async () => {
  const end = await shell('cat; echo out; echo err >&2; exit 3')
  expect(end).toMatchObject({ code: 3, signal: null, isTimedOut: false, hasLeftOvers: false })
  expect([...end.output.lines].sort()).toEqual(['err', 'out'])
})

test('of a long output the last lines are kept', async () => {
  const { output } = await shell('yes "a long line" | head -c 30000000; echo; echo "the end"')
  expect(output.excerpt.length).toBeLessThanOrEqual(20)
  expect(output.excerpt.at(-1)).toBe('the end')
})

test('a command that ignores SIGTERM is killed when its time is up, with its children', async () => {
  const { output, ...end } = await shell('trap "" TERM; sleep 300 & echo $!; while :; do sleep 0.1; done', {
    limitMs: 300,
  })
  expect(end).toMatchObject({ code: null, signal: 'SIGKILL', isTimedOut: true })
  expect(isRunning(output.excerpt[0])).toBe(false)
})

test('processes that a command leaves in the background are ended', async () => {
  const { output, hasLeftOvers } = await shell('sleep 300 & echo $!')
  expect(hasLeftOvers).toBe(true)
  expect(isRunning(output.excerpt[0])).toBe(false)
})

test('a command is ended when the hunt is stopped', async () => {
  const stopping = new AbortController()
  const running = shell('echo $$; sleep 300', { signal: stopping.signal })
  setTimeout(() => stopping.abort(), 50)
  expect((await running).signal).toBe('SIGTERM')
})

test('a command that cannot be started is refused', async () => {
  await expect(shell('', { command: ['no-such-command-here'] })).rejects.toThrow(
    "Failed to run 'no-such-command-here': command not found.",
  )
})
