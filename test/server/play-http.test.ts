/** A bug in the mock fails the call in which it occurs; the server keeps running. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PlanEvent } from '../../src/core/plan/plan.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { serve } from '../../src/http/play-http.ts'

const HEAD: PlanEvent = { type: 'head', status: 200, headers: {} }
/** Node refuses to write a number. */
const BUG = { type: 'send', data: 5 } as never

/** Serves this plan, and returns the URL. */
async function servePlan(events: readonly PlanEvent[]): Promise<string> {
  const engine = {
    bodyLimit: 1000,
    clock: { now: () => 0, speed: 1, wake: (_time: number, run: () => void) => void setImmediate(run) },
    timing: { record: () => {} },
    begin: () => ({ plan: { events }, startedAt: 0, sent: () => {}, end: () => {} }),
  } as unknown as Engine
  const server = createServer((request, response) => serve(engine, request, response, '/v1/models')).listen(0)
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each<[string, readonly PlanEvent[]]>([
  ['at once', [HEAD, BUG]],
  ['after a wait', [HEAD, { type: 'send', data: 'x' }, { type: 'wait', ms: 1 }, BUG]],
  ['in the next turn of the event loop', [HEAD, { type: 'send', data: 'x' }, { type: 'flush' }, BUG]],
])('a bug that occurs %s breaks the connection of its call only', async (_when, events) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const url = await servePlan(events)
  for (let call = 1; call <= 2; call++) {
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow()
    expect(log).toHaveBeenCalledTimes(call)
  }
})

test('a bug before the head is answered with 500', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  const response = await fetch(await servePlan([null as never]))
  expect(response.status).toBe(500)
  expect((await response.json()).error.code).toBe('mock_bug')
})
