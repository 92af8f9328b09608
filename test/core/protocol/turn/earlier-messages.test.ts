/** The texts of earlier turns: what `user` and `toolResult` were in the calls before, the latest first. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChat } from '../../../../src/core/dialects/chat/read-chat.ts'
import { readEarlier, readMessages } from '../../../../src/core/protocol/turn/turn-texts.ts'

const user = (content: unknown) => ({ role: 'user', content })
const tool = (content: unknown) => ({ role: 'tool', content })
const assistant = { role: 'assistant', content: '' }

test('the last user message and the results at the end are not earlier', () => {
  expect(readEarlier([user('one'), assistant, tool('3 degrees')])).toEqual({ users: [], toolResults: [] })
})

test('earlier texts come the latest first, and results in a row are one text', () => {
  const messages = [
    user('one'),
    assistant,
    tool('a'),
    tool('b'),
    assistant,
    user('two'),
    assistant,
    tool('c'),
    assistant,
  ]
  expect(readEarlier([...messages, user('three')])).toEqual({
    users: ['two', 'one'],
    toolResults: ['c', 'a\nb'],
  })
})

test('the message of a function is an earlier result too', () => {
  const messages = [user('one'), { role: 'function', content: 'Sun' }, assistant, user('two')]
  expect(readEarlier(messages)).toEqual({ users: ['one'], toolResults: ['Sun'] })
})

test('at most 100,000 characters are read', () => {
  const messages = [...Array(5).fill(user('x'.repeat(60_000))), user('last')]
  expect(readEarlier(messages).users.map((text) => text.length)).toEqual([60_000, 40_000])
  const many = Array(5000).fill(user('x'))
  expect(readEarlier(many).users).toHaveLength(1000)
})

test('messages of any type are read', () => {
  for (const messages of [undefined, null, 'text', 7, {}, [null, 1, 'x', { role: 5 }, { role: 'user' }, {}]]) {
    expect(readEarlier(readChat({ messages }).messages)).toEqual({ users: [], toolResults: [] })
  }
})

test('for any chat, every user message and result that a call before ended with is an earlier one', () => {
  const message = fc.oneof(
    fc.constantFrom('a', 'b', 'c').map(user),
    fc.constantFrom('x', 'y').map(tool),
    fc.constant(assistant),
  )
  fc.assert(
    fc.property(fc.array(message, { maxLength: 15 }), (messages) => {
      const { users, toolResults } = readEarlier(messages)
      const now = readMessages(messages)
      const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
      expect(users).toEqual(said.slice(0, -1).reverse())
      // A run of results ends where the next message is of another role.
      const results = messages.flatMap(({ role }, index) => {
        const isEndOfRun = role === 'tool' && messages[index + 1]?.role !== 'tool'
        return isEndOfRun ? [readMessages(messages.slice(0, index + 1)).toolResult!] : []
      })
      expect(toolResults).toEqual((now.toolResult === undefined ? results : results.slice(0, -1)).reverse())
    }),
  )
})
