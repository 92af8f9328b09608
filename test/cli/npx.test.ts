/** The program started by npx, which puts a shell between itself and the program. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { GENEROUS_MS } from '../support/http.ts'
import { pause, temporaryFolder } from './command.ts'

/** A project in which `npx api-mock` runs the bundled program. */
function project(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  const start = `#!/bin/sh\nexec "${process.execPath}" "${join(inject('program'), 'main.js')}" "$@"\n`
  writeFileSync(join(folder, 'node_modules/.bin/api-mock'), start, { mode: 0o755 })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { mock: 'api-mock --port 0' } }))
  return folder
}

interface Started {
  readonly shell: ChildProcess
  readonly origin: string
  output(): string
}

/** Runs a shell script that starts the server, and waits until the server listens. */
async function run(script: string): Promise<Started> {
  const shell = spawn('sh', ['-c', script], { cwd: project(), stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  onTestFinished(() => {
    try {
      process.kill(-shell.pid!, 'SIGKILL')
    } catch {
      // All processes of the group have ended.
    }
  })
  let output = ''
  shell.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  for (;;) {
    const found = /http:\/\/[\d.]+:\d+/.exec(output)
    if (found !== null) return { shell, origin: found[0], output: () => output }
    await pause()
  }
}

const isUp = (origin: string): Promise<boolean> =>
  fetch(`${origin}/_mock/health`).then(
    ({ ok }) => ok,
    () => false,
  )

test.each([
  ['npx', 'npx --no-install api-mock --port 0 & echo "pid $!"; wait'],
  ['npm run', 'npm run mock & echo "pid $!"; wait'],
])(
  'the server stops when %s is killed',
  async (_, script) => {
    const { origin, output } = await run(script)
    expect(await isUp(origin)).toBe(true)
    process.kill(Number(/pid (\d+)/.exec(output())![1]))
    await expect.poll(() => isUp(origin), { timeout: GENEROUS_MS }).toBe(false)
  },
  GENEROUS_MS,
)

test(
  'with nohup, the server goes on when the script that started npx has ended',
  async () => {
    const { shell, origin } = await run('nohup npx --no-install api-mock --port 0 & sleep 0.1')
    if (shell.exitCode === null) await new Promise((resolve) => shell.once('exit', resolve))
    await pause(1000)
    expect(await isUp(origin)).toBe(true)
  },
  GENEROUS_MS,
)
