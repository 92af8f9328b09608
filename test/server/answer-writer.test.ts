/** How much of a long answer is built and written in one turn of the event loop. */
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { TextParts } from '../../src/core/plan/text-parts.ts'
import { AnswerWriter } from '../../src/http/answer-writer.ts'

/** A response whose socket takes everything at once. */
function fastResponse() {
  const sizes: number[] = []
  const response = {
    writableNeedDrain: false,
    write: (data: string) => {
      sizes.push(data.length)
      return true
    },
  }
  return { response: response as unknown as ServerResponse, written: () => sizes.reduce((sum, size) => sum + size, 0) }
}

/** A text of two million characters that counts how many of its 20,000 parts were built. */
class Parts implements TextParts {
  built = 0
  readonly byteLength = 2_000_000;

  *[Symbol.iterator](): Generator<string> {
    for (this.built = 0; this.built < 20_000; this.built++) yield 'x'.repeat(100)
  }
}

test('a turn builds and writes a part of a long answer, even if its reader is fast', () => {
  const { response, written } = fastResponse()
  const writer = new AnswerWriter(response)
  const parts = new Parts()
  writer.add({ type: 'send', data: '', byteLength: parts.byteLength, parts })
  writer.beginTurn()
  expect(writer.writePieces()).toBe(false)
  expect(written()).toBeLessThan(400_000)
  expect(parts.built).toBeLessThan(4000)
  let turns = 1
  for (; !writer.writePieces(); turns++) writer.beginTurn()
  expect(turns).toBeGreaterThan(5)
  writer.writeRest()
  expect(written()).toBe(2_000_000)
})
