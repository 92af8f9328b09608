/** A call as code: Python, TypeScript and a test. */
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { formatTest } from '../../src/console/call/session-files.ts'
import { formatCurl, formatPython, formatTypeScript } from '../../src/console/call/snippets.ts'
import { asking, openedCall } from '../support/console.ts'

const ORIGIN = 'http://127.0.0.1:4010'

test('Python gets named parameters, and the unknown ones as extra_body', () => {
  const call = openedCall(
    {},
    asking('Say "hi"\n\u{1f600}', { stream: true, stop: ['a', 'b'], store: null, odd: { a: [] } }),
  )
  expect(formatPython(call, ORIGIN)).toBe(`from openai import OpenAI

# The key comes from the variable OPENAI_API_KEY.
client = OpenAI(base_url="http://127.0.0.1:4010/v1")
response = client.chat.completions.create(
    model="echo-1",
    messages=[
        {
            "role": "user",
            "content": "Say \\"hi\\"\\n\u{1f600}",
        },
    ],
    stream=True,
    stop=["a", "b"],
    store=None,
    extra_body={
        "odd": {
            "a": [],
        },
    },
)
for event in response:
    print(event)
`)
})

test('TypeScript gets the body as an object literal, and the session as a header', () => {
  const call = openedCall({}, { ...asking('Hi', { 'odd-name': 1 }), headers: { 'x-mock-session': 'a' } })
  const text = formatTypeScript(call, ORIGIN)
  expect(text).toContain(`new OpenAI({ baseURL: "http://127.0.0.1:4010/v1" })`)
  expect(text).toContain('  model: "echo-1",\n')
  expect(text).toContain('  "odd-name": 1\n}, { headers: {\n  "x-mock-session": "a"\n} })')
  expect(() => transformSync(text, { loader: 'ts' })).not.toThrow()
})

test('a text that looks like a field stays a text', () => {
  const call = openedCall({}, asking('a\n"name": "value"\u2028</script>'))
  for (const text of [formatTypeScript(call, ORIGIN), formatTest(call)]) {
    expect(text).toContain(JSON.stringify('a\n"name": "value"\u2028</script>'))
    expect(() => transformSync(text, { loader: 'ts' })).not.toThrow()
  }
})

test('the base URL is the one that the client has: the path before the endpoint', () => {
  const body = { model: 'hash-1', input: 'Hi' }
  const call = { ...openedCall({}, { path: '/v1/embeddings', body }), path: '/s/one/v1/embeddings' }
  expect(formatPython(call, ORIGIN)).toContain(`base_url="${ORIGIN}/s/one/v1")\nresponse = client.embeddings.create(`)
})

test('a test has the rule of the call, and expects its status', () => {
  const text = formatTest(openedCall({ replies: [{ say: 'Sunny.' }] }, asking('The weather?')))
  expect(text).toContain(
    `
const mock = useMock({
  replies: [
    {
      when: {
        endpoint: "chat",
        model: "echo-1",
        user: "The weather?"
      },
      say: "Sunny."
    }
  ]
})
`,
  )
  expect(text).toContain("toHaveReceived({ endpoint: 'chat', status: 200, times: 1 })")
  const failed = formatTest(openedCall({}, { ...asking('Hi'), headers: { 'x-mock-fault': '503' } }))
  expect(failed).toMatch(/rejects\.toThrow\(\)\n.*status: 503/)
  const streamed = asking('Hi', { stream: true })
  for (const headers of [{}, { 'x-mock-fault': '503' }] as Record<string, string>[]) {
    const text = formatTest(openedCall({}, { ...streamed, headers }))
    expect(text).toContain('for await (const event of answer)')
    expect(() => transformSync(text, { loader: 'ts' })).not.toThrow()
  }
  const refused = formatTest(openedCall({}, { ...streamed, headers: { 'x-mock-fault': '503' } }))
  expect(refused).toContain('    const answer = await client.chat.completions.create({\n      model: "echo-1",\n')
})

test.each([
  ['embeddings', { path: '/v1/embeddings', body: { model: 'hash-1', input: 'Hi' } }],
  ['a refused request', asking('Hi', { temperature: 9 })],
])('a test of %s has no rule, as the mock gives the same answer without one', (_, call) => {
  expect(formatTest(openedCall({}, call))).toContain('const mock = useMock({})\n')
})

test('a test has the options of the fault', () => {
  const headers = { 'x-mock-fault': 'cut; after=2; end=clean' }
  const text = formatTest(openedCall({}, { ...asking('Hi', { stream: true }), headers }))
  expect(text).toContain('      fault: "cut",\n      after: 2,\n      end: "clean"\n    }\n')
})

test('calls without a body or to other endpoints cannot be written as code', () => {
  const models = openedCall({}, { method: 'GET', path: '/v1/models', body: '' })
  for (const format of [formatPython, formatTypeScript]) {
    expect(() => format(models, ORIGIN)).toThrow('Code is written for calls to chat, responses and embeddings only.')
    expect(() => format({ ...openedCall({}), body: undefined }, ORIGIN)).toThrow('The journal has no body')
  }
  expect(() => formatTest(models)).toThrow('Code is written for')
})

test('a key that is given is written into the code', () => {
  const call = openedCall({}, asking('Hi'))
  expect(formatPython(call, ORIGIN, 'sk-"a"')).toContain('v1", api_key="sk-\\"a\\"")')
  expect(formatTypeScript(call, ORIGIN, "sk-'a'")).toContain(`v1", apiKey: "sk-'a'" })`)
  expect(formatCurl(call, ORIGIN, "sk-'a'")).toContain(`-H 'Authorization: Bearer sk-'\\''a'\\'''`)
})

test('a response is written with the method and the parameters of its endpoint', () => {
  const body = { model: 'echo-1', instructions: 'Be brief.', input: 'Hi' }
  const call = openedCall({}, { path: '/v1/responses', body })
  expect(formatPython(call, ORIGIN)).toContain(`base_url="${ORIGIN}/v1")
response = client.responses.create(
    model="echo-1",
    instructions="Be brief.",
    input="Hi",
)`)
  expect(formatTypeScript(call, ORIGIN)).toContain('await client.responses.create({')
  expect(formatCurl(call, ORIGIN)).toContain(`'${ORIGIN}/v1/responses'`)
  const code = formatTest(call)
  expect(code).toContain("toHaveReceived({ endpoint: 'responses', status: 200, times: 1 })")
  expect(() => transformSync(code, { loader: 'ts' })).not.toThrow()
})
