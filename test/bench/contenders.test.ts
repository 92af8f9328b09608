/** The benchmark compares like with like: the bare server and the mock answer every kind of call as it asks. */
import { expect, onTestFinished, test } from 'vitest'
import { startServers } from '../../scripts/bench/contenders.ts'
import { problemWith, workloads } from '../../scripts/bench/workloads.ts'

test.each(['bare', 'mock'])('%s answers every kind of call as requested', async (name) => {
  const skipped: string[] = []
  const [server] = await startServers([name], (_, reason) => skipped.push(reason))
  onTestFinished(() => server?.stop())
  expect(skipped).toEqual([])
  const problems = await Promise.all(Object.values(workloads).map((workload) => problemWith(server!.url, workload)))
  expect(problems).toEqual([undefined, undefined, undefined, undefined])
})

test('an answer of another shape is detected', async () => {
  const [server] = await startServers(['bare'], () => {})
  onTestFinished(() => server?.stop())
  const { chat, stream, float, base64 } = workloads
  expect(await problemWith(server!.url, { ...stream, bodies: chat.bodies })).toBe('the answer has 0 events, not 10')
  expect(await problemWith(server!.url, { ...base64, bodies: float.bodies })).toBe(
    'the answer has an embedding that is not 1536 float32s in base64',
  )
})
