/** The journal keeps what it shows of a call, and not the call: that would keep its request, its response and its socket. */
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { engineOf } from '../../../src/engine/mock.ts'
import { createMock, type Mock } from '../../../src/index.ts'
import { type CallOverrides, call, HELLO } from '../../support/call.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const MAX_COLLECTIONS = 50

const SCENARIO = {
  keys: { 'sk-test': {}, 'sk-strange': {} },
  replies: [
    { when: { user: 'Hello there!', earlierUser: '/my name is (?<name>\\w+)/' }, say: 'Hello {{name}}!' },
    { when: { user: 'Bye', toolResult: 'done' }, say: 'Bye!' },
  ],
}
const SAID = [{ role: 'user', content: 'my name is Ada' }, { role: 'assistant', content: 'Hi' }, ...HELLO.messages]

const CALLS: Readonly<Record<string, CallOverrides>> = {
  'matches a rule': { body: { ...HELLO, messages: SAID } },
  'nearly matches a rule': {},
  'streams its answer': { body: { ...HELLO, stream: true } },
  'repeats its key': { body: { ...HELLO, user: 'sk-test' } },
  'repeats its key and matches a rule': { body: { ...HELLO, user: 'sk-test', messages: SAID } },
  'asks for vectors': { path: '/v1/embeddings', body: { model: 'hash-1', input: ['one', 'two'] } },
  'has a fault': { headers: { 'x-mock-fault': 'cut; after=1' } },
  'is explained': { headers: { 'x-mock-explain': '1' } },
  'has a key that is not accepted': { key: 'sk-unknown' },
  'is not JSON': { body: '{' },
}

/** Makes a call and lets go of it. */
function begin(mock: Mock, overrides: CallOverrides): WeakRef<object> {
  const made = call(overrides)
  engineOf(mock).begin(made).end('complete')
  return new WeakRef(made)
}

/**
 * True once the object is collected. Not at the first attempt on a busy machine: a compilation in the background may hold
 * it for a while. A leak holds it at every attempt.
 */
async function isReleased(made: WeakRef<object>): Promise<boolean> {
  for (let attempt = 0; attempt < MAX_COLLECTIONS; attempt++) {
    // A weak reference is a strong one until the next turn.
    await setImmediate()
    collectGarbage()
    if (made.deref() === undefined) return true
  }
  return false
}

test.each(Object.entries(CALLS))('a call that %s is released, though its entry is kept', async (_, overrides) => {
  const mock = createMock(SCENARIO)
  const made = begin(mock, overrides)
  // What was seen last may be remembered.
  begin(mock, { body: { ...HELLO, user: 'another' } })
  expect(await isReleased(made)).toBe(true)
  expect(mock.journal).toHaveLength(2)
})
