/** The text of a body does not depend on the chunks in which it arrives. */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBody } from '../../src/http/serve.ts'

const read = (chunks: readonly Buffer[]): Promise<string | undefined> => {
  const request = Object.assign(Readable.from(chunks), { headers: {} }) as unknown as IncomingMessage
  return new Promise((done) => readBody(request, 1000, done))
}

// Characters of each length, a byte order mark, and parts of characters.
const bytes = fc.oneof(
  fc.constantFrom('a', 'é', '中', '😀', '\ufeff').map((text) => Buffer.from(text)),
  fc.constantFrom(0x80, 0xbf, 0xc3, 0xe4, 0xed, 0xa0, 0xf0, 0x9f, 0xf4, 0x90, 0xff).map((byte) => Buffer.of(byte)),
)

test('the text is the same in one chunk and in many, also when it is not UTF-8', async () => {
  const property = fc.asyncProperty(
    fc.array(bytes, { maxLength: 12 }),
    fc.array(fc.integer({ min: 1, max: 3 })),
    async (parts, lengths) => {
      const body = Buffer.concat(parts)
      const chunks: Buffer[] = []
      let rest = body
      for (const length of lengths) {
        if (rest.length <= length) break
        chunks.push(rest.subarray(0, length))
        rest = rest.subarray(length)
      }
      expect(await read([...chunks, rest])).toBe(body.toString().replace(/^\ufeff/, ''))
    },
  )
  await fc.assert(property, { numRuns: 500, seed: 7 })
})
