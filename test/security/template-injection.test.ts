/**
 * Attack: what a caller says is put into a reply by `{{user}}` or a named group, and is itself written as a template, as
 * a replacement (`$&`), as code, or as an event of the stream.
 * Defence: a placeholder is a name and nothing else; it is replaced once by plain text, which is never read again, and
 * what is put into JSON is escaped by JSON.
 */
import { expect, test } from 'vitest'
import { fetchFrom, HELLO, serve } from '../support/http.ts'

const EVIL = [
  '{{system}}',
  '{{ system }}',
  '{{{{system}}}}',
  '{{constructor}}{{__proto__}}{{toString}}',
  "$& $1 $$ $` $' $<user>",
  '${process.env.HOME} #{7*7} {{7*7}} <%= 7*7 %> {% raw %}',
  '"}],"x":"y',
  '\\u0022\\"\\n',
  'a\n\ndata: [DONE]\n\n',
  'a\r\rdata: b\u2028\u2029\u0085c',
]
const asked = (content: string, more: object = {}) => ({
  body: {
    ...HELLO,
    ...more,
    messages: [
      { role: 'system', content: 'SECRET' },
      { role: 'user', content },
    ],
  },
})

test.each(EVIL)('caller input is inserted literally into a text: %j', async (said) => {
  const server = await serve({ description: 'x', replies: [{ say: '<{{user}}|{{user}}>' }] })
  const { json } = await fetchFrom(server, asked(said))
  expect(json.choices[0].message.content).toBe(`<${said}|${said}>`)
})

test.each(EVIL)('caller input is inserted literally into an object answer: %j', async (said) => {
  const server = await serve({ description: 'x', replies: [{ say: { a: '{{user}}', b: 1 } }] })
  const { json } = await fetchFrom(server, asked(said))
  expect(JSON.parse(json.choices[0].message.content)).toEqual({ a: said, b: 1 })
})

test.each(EVIL)('caller input in a named group is inserted literally into tool arguments: %j', async (said) => {
  const when = { user: '/^(?P<all>[\\s\\S]*)$/' }
  const server = await serve({
    description: 'x',
    replies: [{ when, call: { name: 'f', arguments: { a: '{{all}}' } } }],
  })
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
  const { json } = await fetchFrom(server, asked(said, { tools }))
  expect(JSON.parse(json.choices[0].message.tool_calls[0].function.arguments)).toEqual({ a: said })
})

test.each(EVIL)('caller input in a stream does not end an event: %j', async (said) => {
  const server = await serve({ description: 'x', replies: [{ say: '<{{user}}>' }] })
  const { text } = await fetchFrom(server, asked(said, { stream: true }))
  const events = text.split('\n\n').slice(0, -1)
  expect(events.at(-1)).toBe('data: [DONE]')
  const chunks = events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)))
  expect(chunks.map(({ choices }) => choices[0].delta.content ?? '').join('')).toBe(`<${said}>`)
})
