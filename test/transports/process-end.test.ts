/** A call in process that hangs keeps its process alive until the client leaves, as a socket does. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const SRC = new URL('../../src/', import.meta.url).href
const TSX = import.meta.resolve('tsx')

const setUp = `
  import { createMock } from '${SRC}index.ts'
  import { intercept } from '${SRC}node.ts'
  // The time-out of a client must arrive although nothing but the mock holds its request.
  setInterval(gc, 20).unref()
  const mock = createMock()
  const interception = intercept(mock)
  const ask = (fault, signal) => fetch(mock.baseURL + '/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json', 'x-mock-fault': fault },
    body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hello!' }], stream: true }),
    signal,
  })
`

function run(script: string): object {
  const code = ['--expose-gc', '--import', TSX, '--input-type=module', '--eval', setUp + script]
  // tsx tidies its cache in small reads, each of which would wait for a collection: with many files, for minutes.
  const env = { ...process.env, TSX_DISABLE_CACHE: '1' }
  const { status, stdout, stderr } = spawnSync(process.execPath, code, { env, encoding: 'utf8', timeout: 60_000 })
  return { status, stdout: stdout.trim(), stderr }
}

test('the time-out of a client ends a call that hangs before or in its answer, and then the process ends', () => {
  const script = `
    const answer = async (fault) => (await ask(fault, AbortSignal.timeout(300))).text()
    for (const fault of ['hang', 'cut; after=1; end=stall'])
      console.log(await answer(fault).catch(({ name }) => name))
    interception.close()
  `
  expect(run(script)).toEqual({ status: 0, stdout: 'TimeoutError\nTimeoutError', stderr: '' })
})

test('a call that nobody waits for does not keep the process alive once the interception is closed', () => {
  const script = `
    void ask('hang')
    await new Promise((resolve) => setTimeout(resolve, 300))
    console.log(mock.journal.length)
    interception.close()
  `
  expect(run(script)).toEqual({ status: 0, stdout: '1', stderr: '' })
})

test('a call that begins to hang after the interception is closed does not keep the process alive', () => {
  const script = `
    void ask('hang')
    interception.close()
    await new Promise((resolve) => setTimeout(resolve, 300))
    console.log(mock.journal.length)
  `
  expect(run(script)).toEqual({ status: 0, stdout: '1', stderr: '' })
})
