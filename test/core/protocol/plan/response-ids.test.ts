/** The ids and the time of an answer, in the forms of the service. */
import { expect, test } from 'vitest'
import { HELLO, mockWith, read } from '../../../support/core.ts'

const SECOND_OF_2025 = { from: Date.UTC(2025, 0) / 1000, to: Date.UTC(2026, 0) / 1000 }

test('every answer has ids of its own, and a time of 2025', () => {
  const seen = new Set<string>()
  for (let seed = 0; seed < 50; seed++) {
    const { headers, text } = read(mockWith().plan({ body: { ...HELLO, seed } }))
    const { id, created } = JSON.parse(text)
    expect(headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/)
    expect(headers['cf-ray']).toMatch(/^[0-9a-f]{16}-SJC$/)
    expect(id).toMatch(/^chatcmpl-[A-Za-z0-9]{29}$/)
    expect(created).toBeGreaterThanOrEqual(SECOND_OF_2025.from)
    expect(created).toBeLessThan(SECOND_OF_2025.to)
    for (const one of [headers['x-request-id'], headers['cf-ray'], id, created]) seen.add(String(one))
  }
  expect(seen.size).toBe(4 * 50)
})
