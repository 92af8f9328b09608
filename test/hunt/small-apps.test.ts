/** Bugs that only one fault of a class shows: each is found with default options, as one block, and its twin is clean. */
import { describe, expect, test } from 'vitest'
import { HuntError, hunt } from '../../src/hunt.ts'
import { SMALL_APPS } from './small-apps.ts'

describe.each(SMALL_APPS)('$bug', ({ fault, scenario = {}, use }) => {
  test('it is found, and shown as one block', async () => {
    const error = await hunt(scenario, (mock) => use(mock, false)).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(HuntError)
    expect(error.message.match(/^FAILS/gm), error.message).toHaveLength(1)
    expect(error.message).toContain(fault)
  })

  test('its twin survives', async () => {
    await hunt(scenario, (mock) => use(mock, true))
  })
})
