/** A call as a curl line: what a shell makes of it is the call. */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCurl } from '../../src/console/call/snippets.ts'
import { asking, openedCall } from '../support/console.ts'

const ORIGIN = 'http://127.0.0.1:4010'
const KEY = 'sk-test-abcdefghijkl'

/** The arguments that a shell hands to curl. */
function argumentsOf(line: string): string[] {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${line}\n`
  const text = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { OPENAI_API_KEY: KEY } })
  return text.split('\0').slice(0, -1)
}

test('the command is one line and contains no key', () => {
  expect(formatCurl(openedCall({}, asking("What's up?")), ORIGIN)).toMatchInlineSnapshot(`
    "curl 'http://127.0.0.1:4010/v1/chat/completions' \\
      -H "Authorization: Bearer $OPENAI_API_KEY" \\
      -H 'Content-Type: application/json' \\
      -d '{"model":"echo-1","messages":[{"role":"user","content":"What'\\''s up?"}]}'"
  `)
})

test('where the variable is not set, a key that the scenario accepts takes its place', () => {
  const line = formatCurl(openedCall({}, asking('Hi')), ORIGIN, undefined, 'sk-test')
  expect(line).toContain('-H "Authorization: Bearer ${OPENAI_API_KEY:-sk-test}"')
  expect(argumentsOf(line)).toContain(`Authorization: Bearer ${KEY}`)
  expect(argumentsOf(`unset OPENAI_API_KEY\n${line}`)).toContain('Authorization: Bearer sk-test')
  const odd = formatCurl(openedCall({}, asking('Hi')), ORIGIN, undefined, '}$(date)')
  expect(odd).toContain('-H "Authorization: Bearer $OPENAI_API_KEY"')
})

test('a shell that runs it sends the original call', () => {
  const call = openedCall({}, asking('Hello', { stream: true }))
  expect(argumentsOf(formatCurl(call, ORIGIN))).toEqual([
    '-N',
    `${ORIGIN}/v1/chat/completions`,
    '-H',
    `Authorization: Bearer ${KEY}`,
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify(call.body),
  ])
})

test('the shell expands nothing in any request', () => {
  const text = fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', '!', '\n', '%', '*', ' ', 'a', 'é', '👋') })
  fc.assert(
    fc.property(text, (content) => {
      const call = openedCall({}, asking(content))
      expect(argumentsOf(formatCurl(call, ORIGIN)).at(-1)).toBe(JSON.stringify(call.body))
    }),
    { numRuns: 40 },
  )
})

test('a masked key in the body is replaced by the whole key when the command runs', () => {
  const call = openedCall({}, asking(`My key is ${KEY}, is it not?`))
  const line = formatCurl(call, ORIGIN)
  expect(line).not.toContain(KEY)
  expect(argumentsOf(line).at(-1)).toContain(`My key is ${KEY}, is it not?`)
})

test('the command has no key and no body if the call had none', () => {
  expect(formatCurl(openedCall({}, { method: 'GET', path: '/v1/models', key: '', body: '' }), ORIGIN)).toBe(
    `curl '${ORIGIN}/v1/models' \\\n  -X 'GET'`,
  )
})

test('if the journal has no body, the command has a placeholder for it', () => {
  const line = formatCurl(openedCall({}, { body: '{"broken' }), ORIGIN)
  expect(line).toMatch(/^# The journal has no body for this call\. Put one into body\.json\.\ncurl /)
  expect(argumentsOf(line)).toEqual(expect.arrayContaining(['-d', '@body.json']))
})

test('curl takes brackets in a path literally', () => {
  expect(argumentsOf(formatCurl(openedCall({}, { path: '/v1/[a]{b}' }), ORIGIN)).slice(0, 2)).toEqual([
    '-g',
    `${ORIGIN}/v1/[a]{b}`,
  ])
})
