/**
 * Attack: a service, or what stands in front of it, repeats the API key of a call in its answer, in a form that a search
 * for the key misses; the cassette is then published.
 * Defence: the recorder also looks for the key reversed, in base64, in hex and with percent-escapes, and searches the pieces
 * of a stream as one text.
 */
import { expect, test } from 'vitest'
import { record, upstreamOf, upstreamThatSays } from '../record/recording.ts'
import { fetchFrom, GENEROUS_MS } from '../support/http.ts'

const KEY = 'my-own-key+/0123456789?abc'
const hex = Buffer.from(KEY).toString('hex')
const escapedWhole = `%${hex.match(/../g)!.join('%')}`

const FORMS: readonly (readonly [name: string, text: string])[] = [
  ['as it is', KEY],
  ['reversed', [...KEY].reverse().join('')],
  ['in base64', Buffer.from(KEY).toString('base64')],
  ['in base64 for URLs', Buffer.from(KEY).toString('base64url')],
  ['in base64 after one byte', Buffer.from(`:${KEY}:`).toString('base64')],
  ['in base64 after two bytes', Buffer.from(`::${KEY}`).toString('base64')],
  ['in base64 with the header', Buffer.from(`Authorization: Bearer ${KEY}\r\n`).toString('base64')],
  ['in hex', hex],
  ['in upper-case hex', hex.toUpperCase()],
  ['in hex with colons', hex.match(/../g)!.join(':')],
  ['in a query', encodeURIComponent(KEY)],
  ['with every character escaped', escapedWhole],
]

/** No eight characters of a form of the key are left. */
function isGone(text: string, form: string): void {
  // The first and the last characters of base64 share their bits with what is around the key.
  for (let start = 4; start + 12 <= form.length; start++) expect(text).not.toContain(form.slice(start, start + 8))
}

const recorded = async (upstream: string): Promise<string> => {
  const recording = await record(upstream)
  await fetchFrom(recording, { key: KEY })
  await recording.over(1)
  expect(recording.calls[0]).toMatchObject({ status: 200, ruleId: 'replies[0]' })
  return recording.cassette.toString()
}

test.each(FORMS)('the key %s is not in the cassette of an answer', async (name, form) => {
  const text = await recorded(await upstreamThatSays(JSON.stringify({ error: `You sent <${form}>.` })))
  if (!name.startsWith('in base64 ')) expect(text).toContain('You sent <[redacted]')
  else isGone(text, form.slice(form.indexOf('Z')))
  if (!name.startsWith('in base64')) isGone(text, form)
})

test.each(FORMS)('the key %s, split over the deltas of a stream, is not in the cassette', async (_, form) => {
  const events = [...`<${form}>`].map((content) => {
    const chunk = { id: 'chatcmpl-1', choices: [{ index: 0, delta: { content } }] }
    return `data: ${JSON.stringify(chunk)}\n\n`
  })
  const upstream = await upstreamOf((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${events.join('')}data: [DONE]\n\n`)
  })
  const text = await recorded(upstream)
  const said = [...text.matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => piece).join('')
  expect(said).toContain('[redacted]')
  expect(said.length).toBeLessThan(form.length)
})

test(
  'an answer of 6 MB of one word that looks like a key is redacted',
  async () => {
    const text = await recorded(await upstreamThatSays(JSON.stringify({ word: `sk-${'a'.repeat(6_000_000)}` })))
    expect(text).toContain('"word":"[redacted]"')
  },
  GENEROUS_MS,
)
