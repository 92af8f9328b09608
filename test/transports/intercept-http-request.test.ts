/** Interception under clients that use node:http, such as axios: nothing is cancelled that the client still reads. */
import https from 'node:https'
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../src/index.ts'
import { intercept } from '../../src/node.ts'

const BASE_URL = 'https://api.example.com/v1'

function ask(stream: boolean): Promise<string> {
  const headers = { authorization: 'Bearer sk-test', 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const asked = https.request(`${BASE_URL}/chat/completions`, { method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve(text)).on('error', reject)
    })
    asked.on('error', reject)
    asked.end(JSON.stringify({ model: 'echo-1', stream, messages: [{ role: 'user', content: 'Hello there!' }] }))
  })
}

test.each([false, true])('a client of node:https reads an answer to its end; a stream: %s', async (stream) => {
  const interception = intercept(createMock('default', { baseURL: BASE_URL }))
  onTestFinished(() => interception.close())
  expect(await ask(stream)).toContain('Hello')
})
