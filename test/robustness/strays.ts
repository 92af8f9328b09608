/** Notes every exception and rejection that nobody caught: in a program of its own each would have ended it. */
import { afterEach, beforeEach, expect } from 'vitest'

/** Every test of the file fails when something was not caught while it ran. */
export function expectNoStrays(): void {
  let strays = new Set<string>()
  const note = (error: unknown): void => void strays.add(String(error))
  beforeEach(() => {
    strays = new Set()
    process.on('uncaughtException', note)
    process.on('unhandledRejection', note)
  })
  afterEach(async () => {
    // What was thrown late, after the last answer, has until now to arrive.
    await new Promise((resolve) => setTimeout(resolve, 30))
    process.off('uncaughtException', note)
    process.off('unhandledRejection', note)
    expect([...strays]).toEqual([])
  })
}
