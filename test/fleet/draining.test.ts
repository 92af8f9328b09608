/** Four replicas behind Debian's haproxy and nginx are restarted one by one under load: no call fails, and no stream is cut. */
import { expect, test } from 'vitest'
import { type MockProcess, pause, startBalancer, startMock, startMocks } from './processes.ts'

const ARGS = ['--drain', '30s', '--drain-delay', '5s']
const KEYS = Array.from({ length: 60 }, (_, index) => `sk-key-${index}`)

/** Calls until it is told to stop: every other call is a stream of three seconds. */
class Client {
  readonly problems: string[] = []
  calls = 0
  streams = 0

  async run(baseUrl: string, key: string, isOver: () => boolean): Promise<void> {
    for (let call = 0; !isOver(); call++) {
      const stream = call % 2 === 0
      try {
        const response = await fetch(`${baseUrl}/chat/completions`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            ...(stream && { 'x-mock-fault': 'slow-drip; size=50; interval=100ms' }),
          },
          body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hello' }], stream }),
        })
        const text = await response.text()
        this.calls++
        if (stream) this.streams++
        if (response.status !== 200) this.problems.push(`${response.status} ${text.slice(0, 80)}`)
        else if (stream && !text.endsWith('data: [DONE]\n\n')) this.problems.push('a stream was cut')
      } catch (error) {
        this.problems.push(String((error as Error).cause ?? error))
      }
      await pause(50)
    }
  }
}

const portOf = ({ origin }: MockProcess): number => Number(new URL(origin).port)

test.each(['haproxy', 'nginx'] as const)(
  'a restart of all replicas behind %s fails no call and cuts no stream',
  async (balancer) => {
    const replicas = await startMocks(4, ARGS)
    await using front = await startBalancer(balancer, replicas)
    const client = new Client()
    let isOver = false
    const load = KEYS.map((key) => client.run(`${front.origin}/v1`, key, () => isOver))
    try {
      await pause(1000)
      for (const [index, replica] of replicas.entries()) {
        const stopped = replica.running.stop('SIGTERM')
        await pause(500)
        expect((await fetch(`${replica.origin}/ready`)).status).toBe(503)
        expect((await fetch(`${replica.origin}/health`)).status).toBe(200)
        await stopped
        expect(replica.running.process.exitCode).toBe(0)
        // A pod takes a while to be replaced: HAProxy's own retries would bridge a quick restart.
        await pause(6000)
        replicas[index] = await startMock(ARGS, portOf(replica))
      }
      await pause(3000)
    } finally {
      isOver = true
      await Promise.all(load)
      for (const { running } of replicas) await running.stop('SIGKILL')
    }
    expect(client.problems).toEqual([])
    expect(client.streams).toBeGreaterThan(200)
  },
)
