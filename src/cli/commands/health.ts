/** `api-mock health`: one health check of a running server. */
import type { HealthSettings } from '../args/options.ts'
import { defaultUrl, findHealthProblem } from '../health-check.ts'

/** @throws when the server is not healthy. */
export async function health({ url = defaultUrl(process.env), timeout }: HealthSettings): Promise<number> {
  const problem = await findHealthProblem(url, timeout)
  if (problem !== undefined) {
    throw new Error(`No healthy server at ${url.origin}: ${problem}\nStart one with api-mock, or name it with --url.`)
  }
  process.stdout.write(`${url.origin} is healthy.\n`)
  return 0
}
