/** How plans are played on sockets: bugs fail the call in which they occur, and waits for a reader are not late waits. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { PlanEvent } from '../../src/core/protocol/plan/plan.ts'
import { readAddress } from '../../src/core/protocol/request/request-path.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { BugReports } from '../../src/engine/exchange.ts'
import { createServing, serve } from '../../src/http/serve.ts'

const HEAD: PlanEvent = { type: 'head', status: 200, headers: {} }
/** Node refuses to write a number. */
const BUG = { type: 'send', data: 5 } as never
const END: PlanEvent = { type: 'end' }

interface Observed {
  now?: () => number
  /** Gets the lateness of each wait. */
  record?: (ms: number) => void
}

/** Serves this plan, and returns the URL. */
async function servePlan(
  events: readonly PlanEvent[],
  { now = () => 0, record = () => {} }: Observed = {},
): Promise<string> {
  const engine = {
    bodyLimit: 1000,
    bugs: new BugReports(),
    clock: { now, speed: 1, wake: (_time: number, run: () => void) => void setImmediate(run) },
    timing: { record },
    receive: (_call: unknown, begun: (exchange: unknown) => void) =>
      begun({ plan: { events }, arrivedAt: 0, sent: () => {}, end: () => {} }),
  } as unknown as Engine
  const server = createServer((request, response) =>
    serve(createServing(engine), request, response, readAddress('/v1/models')),
  ).listen(0)
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each<[string, readonly PlanEvent[]]>([
  ['at once', [HEAD, { type: 'send', data: 'x' }, BUG, END]],
  ['after a wait', [HEAD, { type: 'send', data: 'x' }, { type: 'wait', ms: 1 }, BUG, END]],
  ['in the next turn of the event loop', [HEAD, { type: 'send', data: 'x' }, { type: 'flush' }, BUG, END]],
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

test('waits count from when the call arrived, not from when it was decided', async () => {
  const late: number[] = []
  const url = await servePlan([{ type: 'wait', ms: 30 }, HEAD, END], { now: () => 40, record: (ms) => late.push(ms) })
  await fetch(url)
  expect(late).toEqual([10])
})

test('a wait that ends while the socket is full is not recorded as late; the waits after it are', async () => {
  let now = 0
  const late: number[] = []
  const url = await servePlan(
    [
      HEAD,
      // More than the sockets of both sides buffer.
      { type: 'send', data: 'x'.repeat(20_000_000) },
      { type: 'wait', ms: 10 },
      { type: 'send', data: 'y' },
      { type: 'wait', ms: 3000 },
      END,
    ],
    { now: () => now, record: (ms) => late.push(ms) },
  )
  const response = await fetch(url)
  now = 2500
  await response.text()
  // The fake clock ends a wait at once: the second one, which is due at 3010, ends too early.
  expect(late).toEqual([-510])
})
