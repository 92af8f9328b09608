/** `api-mock wait`: waits until a server is healthy. */
import type { HealthSettings } from '../args/options.ts'
import { defaultUrl, findHealthProblem } from '../health-check.ts'

const PAUSE_MS = 100
/** A server that accepts a connection and does not answer is asked again. */
const MAX_CHECK_MS = 2000

/** @throws when no server was healthy in time. */
export async function wait({ url = defaultUrl(process.env), timeout }: HealthSettings): Promise<number> {
  const start = performance.now()
  for (;;) {
    const leftMs = Math.ceil(start + timeout - performance.now())
    const problem = await findHealthProblem(url, Math.min(Math.max(1, leftMs), MAX_CHECK_MS))
    const passedMs = performance.now() - start
    if (problem === undefined) {
      process.stdout.write(`${url.origin} is healthy after ${(passedMs / 1000).toFixed(1)} s.\n`)
      return 0
    }
    if (passedMs >= timeout) {
      throw new Error(
        `No healthy server at ${url.origin} within ${timeout / 1000} s: ${problem}\nWait longer with --timeout, or name another server with --url.`,
      )
    }
    await new Promise((wake) => setTimeout(wake, Math.min(PAUSE_MS, timeout - passedMs)))
  }
}
