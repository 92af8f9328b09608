/** A call as code: a curl line, Python and TypeScript. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { formatCurl, formatPython, formatTypeScript } from '../../src/console/parts/client-code.ts'
import { readShown } from '../../src/console/try/attempt.ts'

const messages = [{ role: 'user', content: `It's "quoted", $HOME \\ and\nGrüße 👋` }]
const chat = {
  baseUrl: 'http://127.0.0.1:4010/v1',
  endpoint: 'chat',
  key: 'sk-test',
  body: { model: 'echo-1', messages },
} as const

test('a curl line gives a shell the exact body', () => {
  const script = formatCurl(chat).replace(/^curl/, "printf '%s\\n'").replaceAll('\\\n', '')
  const words = execFileSync(
    'sh',
    ['-c', `${script.slice(0, script.indexOf("'{"))} ; printf %s ${script.slice(script.indexOf("'{"))}`],
    {
      encoding: 'utf8',
    },
  )
  expect(words).toContain('http://127.0.0.1:4010/v1/chat/completions')
  expect(words).toContain('Authorization: Bearer sk-test')
  expect(words.endsWith(JSON.stringify(chat.body))).toBe(true)
  expect(formatCurl({ ...chat, body: { ...chat.body, stream: true } })).toContain('curl -N ')
})

test('a call is Python with the official client', () => {
  expect(
    formatPython({ ...chat, body: { model: 'echo-1', messages: [], stream: true, stop: null, 'x-new': [false] } }),
  ).toBe(
    `from openai import OpenAI

client = OpenAI(base_url="http://127.0.0.1:4010/v1", api_key="sk-test")
stream = client.chat.completions.create(
    model="echo-1",
    messages=[],
    stream=True,
    stop=None,
    extra_body={"x-new": [False]},
)
for chunk in stream:
    for choice in chunk.choices:
        print(choice.delta.content or "", end="")
`,
  )
  expect(formatPython({ ...chat, endpoint: 'embeddings', body: { model: 'hash-1', input: 'a' } })).toContain(
    'response = client.embeddings.create(',
  )
})

test('a call is TypeScript with the official client', () => {
  expect(formatTypeScript({ ...chat, body: { model: 'echo-1', messages: [] } })).toBe(`import OpenAI from 'openai'

const client = new OpenAI({ baseURL: "http://127.0.0.1:4010/v1", apiKey: "sk-test" })
const response = await client.chat.completions.create({
  "model": "echo-1",
  "messages": []
})
console.log(response.choices[0]?.message.content)
`)
})

test.each([
  [{ status: 200, body: '{"choices":[{"message":{"content":"Hi!"}}]}' }, 'Hi!'],
  [{ status: 200, body: 'data: {"choices":[{"delta":{"content":"H"}}]}\n\ndata: {"choi' }, 'H'],
  [{ status: 200, body: 'data: {"ch' }, ''],
  [{ status: 429, body: '{"error":{"message":"Slow down."}}' }, 'Slow down.'],
  [{ status: 502, body: '<html>' }, '<html>'],
  [{ status: 500, body: '{"error":null}' }, '{"error":null}'],
])('%j is shown as %j', (answer, text) => {
  expect(readShown(answer)).toBe(text)
})
