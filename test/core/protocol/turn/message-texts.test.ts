/** The texts of messages that rules, placeholders and echoes read, seen in answers. */
import { expect, test } from 'vitest'
import { mockWith } from '../../../support/core.ts'

/** The placeholders of an answer to these messages, each on a line of its own. */
function textsOf(messages: readonly object[]): { user: string; system: string; toolResult: string; turn: string } {
  const say = ['{{user}}', '{{system}}', '{{toolResult}}', '{{turn}}'].join('|')
  const { choices } = mockWith({ replies: [{ say }] }).json({ body: { model: 'echo-1', messages } })
  const [user, system, toolResult, turn] = choices[0].message.content.split('|')
  return { user, system, toolResult, turn }
}

const text = (value: string) => ({ type: 'text', text: value })
const user = (content: unknown) => ({ role: 'user', content })
const call = (id: string) => ({ id, type: 'function', function: { name: 'get_weather', arguments: '{}' } })

test('other media of a user message are named in its text', () => {
  const parts = [
    text('Look:'),
    { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
    { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
    { type: 'file', file: { filename: 'menu.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
    { type: 'file', file: { file_id: 'file-1' } },
  ]
  expect(textsOf([user(parts)]).user).toBe('Look:\n[image]\n[audio]\n[file menu.pdf]\n[file]')
})

test('the last user message counts, and each one is a turn', () => {
  const messages = [user('Hi'), { role: 'assistant', content: 'Hello' }, user([text('Rain'), text('or sun?')])]
  expect(textsOf(messages)).toEqual({ user: 'Rain\nor sun?', system: '', toolResult: '', turn: '2' })
})

test('the system text is that of all system and developer messages, each on a line', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'developer', content: [text('Be kind.')] },
    user('Hi'),
    { role: 'system', content: 'Rhyme.' },
  ]
  expect(textsOf(messages).system).toBe('Be brief.\nBe kind.\nRhyme.')
})

test('the tool result is that of the tool messages at the end, each on a line', () => {
  const asked = { role: 'assistant', content: null, tool_calls: [call('call_1'), call('call_2')] }
  const results = [
    { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
    { role: 'tool', tool_call_id: 'call_2', content: [text('Wind')] },
  ]
  expect(textsOf([user('Hi'), asked, ...results])).toMatchObject({ user: 'Hi', toolResult: 'Rain\nWind' })
  expect(textsOf([user('Hi'), asked, ...results, user('And now?')]).toolResult).toBe('')
})

test('messages and parts that are no objects are refused, not read', () => {
  const mock = mockWith({ replies: [{ when: { user: 'Hi', earlierUser: 'Hi' }, say: 'Hello' }] })
  for (const messages of [[null, 'Hi', user('Hi')], [user([null, 'Hi', text('Hi')])]]) {
    const { error } = mock.json({ body: { model: 'echo-1', messages } })
    expect(error.code).toBe('invalid_type')
  }
})

test('the message of a function is a tool result too', () => {
  const asked = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }
  expect(textsOf([user('Hi'), asked, { role: 'function', name: 'f', content: 'Sun' }]).toolResult).toBe('Sun')
})
