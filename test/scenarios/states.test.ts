/** States of a running mock: set by hand, shown in the journal, reset; over HTTP and in process. */

import { describe, expect, test } from 'vitest'
import { callEvent, callLine } from '../../src/cli/output/log-entries.ts'
import { engineOf } from '../../src/engine/mock.ts'
import { createMock, type ScenarioInput } from '../../src/index.ts'
import { send } from '../support/send.ts'
import { stillMock, type TestMock, transports } from '../support/transports.ts'
import { contractCall } from '../transports/calls.ts'

const SWITCH: ScenarioInput = {
  description: 'A service with a switch.',
  states: { up: { lasts: '3 calls', next: 'down' }, down: { faults: [{ fault: 'overloaded' }] } },
}
const chat = contractCall('a chat', { body: { model: 'echo-1', messages: [{ role: 'user', content: 'Hi!' }] } })

async function statuses(baseUrl: string, count: number): Promise<number[]> {
  const all: number[] = []
  for (let number = 0; number < count; number++) all.push((await send(baseUrl, chat)).status)
  return all
}

describe.each(transports)('over $name', (transport) => {
  test('a mock is in the state that its calls reached, or that was entered', async () => {
    const mock = stillMock(SWITCH, 1)
    await using opened = await transport.open(mock)
    expect(await statuses(opened.baseUrl, 4)).toEqual([200, 200, 200, 503])
    mock.enter('up')
    expect(await statuses(opened.baseUrl, 4)).toEqual([200, 200, 200, 503])
    mock.reset()
    expect(mock.state).toBe('up')
    expect(await statuses(opened.baseUrl, 1)).toEqual([200])
  })
})

test('the journal and the log show the state that each call found', async () => {
  const mock: TestMock = stillMock(SWITCH, 1)
  mock.enter('down')
  const { entry } = engineOf(mock).begin({
    method: 'GET',
    path: '/v1/models',
    headers: { authorization: 'Bearer sk-test' },
    body: '',
    bodyLimit: 1000,
    transport: 'http',
    now: 0,
  })
  expect(mock.journal[0]).toMatchObject({
    state: 'down',
    status: 503,
    reason: { name: 'overloaded (states.down.faults[0])' },
  })
  expect(callLine(entry, (_, text) => text)).toContain('fault overloaded (states.down.faults[0])')
  expect(callLine(entry, (_, text) => text)).toContain('in down')
  expect(callEvent(entry)).toMatchObject({ state: 'down' })
})

test('a scenario that is applied starts in its own first state', () => {
  const mock = createMock(SWITCH)
  mock.enter('down')
  mock.use('incident')
  expect(mock.state).toBe('healthy')
  mock.use('default')
  expect(mock.state).toBeUndefined()
})

test('an unknown state cannot be set, and the message lists the states', () => {
  expect(() => createMock(SWITCH).enter('dwon')).toThrow(
    "Failed to enter 'dwon': there is no such state. Did you mean 'down'? States are: up, down.",
  )
  expect(() => createMock().enter('down')).toThrow("Failed to enter a state: the scenario 'default' has no states.")
})
