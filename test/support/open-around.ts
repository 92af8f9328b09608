/** A mock that is open while the tests of a `describe` run. */
import { afterAll, beforeAll } from 'vitest'
import type { Opened, TestMock, Transport } from './transports.ts'

/** Opens a mock before the tests of the `describe` around this call, and closes it after them. */
export function openAround(transport: Transport, mock: TestMock): { readonly baseUrl: string } {
  let opened: Opened
  beforeAll(async () => {
    opened = await transport.open(mock)
  })
  afterAll(() => opened[Symbol.asyncDispose]())
  return {
    get baseUrl() {
      return opened.baseUrl
    },
  }
}
