/**
 * A hunt as tests of a test runner. `huntTest('booking', scenario, app)` makes these, and runs the hunt in the first one:
 *
 *     booking
 *       survives call 2 (POST chat "Hello", attempt 1): hang     for each file of an earlier hunt in the folder `regressions`
 *       survives each single fault
 *       survives faults that come together
 *       survives outages
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashName } from '../core/lib/random/hash.ts'
import type { ScenarioChoice } from '../index.ts'
import type { HuntedFunction } from './function-player.ts'
import type { HuntCause, HuntFinding, HuntOptions } from './in-process.ts'

/** The functions of a test runner that `huntTest` uses. */
export interface SuiteRunner {
  describe(name: string, run: () => void): void
  test(name: string, run: () => Promise<void>, timeoutMs: number): void
}

/** Options for `huntTest`. */
export interface HuntTestOptions extends HuntOptions {
  /** Time limit of each test, in milliseconds. Default: 60,000. */
  readonly timeout?: number
  /**
   * A folder for regression tests: the hunt writes a file for each cause there, and each file of this `huntTest` is a test.
   * Default: none.
   */
  readonly regressions?: string
}

/** A cause that an earlier hunt has found, as its file has it. */
interface Regression {
  /** The name of its `huntTest`. */
  readonly test: string
  /**
   * The lines of its block, without how to replay it. Of `['FAILS with 1 fault: half a plan', '  call 2 (...): hang']`, the
   * second one names the test.
   */
  readonly failure: readonly string[]
  /** For the option `replay`: one for each set of faults on the same calls. */
  readonly tokens: readonly string[]
}

/** The time that a hunt has to end when its own is up. */
const END_MS = 5000

/**
 * The tests, whose names are known before the hunt: a runner takes no new ones once they run. Each cause fails exactly one.
 */
const CLAIMS = {
  'survives each single fault': ({ isOutage, findings }: HuntCause) => !isOutage && findings[0]!.faults.length === 1,
  'survives faults that come together': ({ isOutage, findings }: HuntCause) =>
    !isOutage && findings[0]!.faults.length > 1,
  'survives outages': ({ isOutage }: HuntCause) => isOutage,
}

/** Makes the function `huntTest` of a test runner. */
export const huntTestWith =
  ({ describe, test }: SuiteRunner) =>
  (
    name: string,
    choice: ScenarioChoice,
    app: HuntedFunction,
    { timeout = 60_000, regressions, ...options }: HuntTestOptions = {},
  ): void =>
    describe(name, () => {
      const { replay, depth = 2, only, skipOutages = false } = options
      const huntCauses = (more: HuntOptions = {}) => findCauses(choice, app, { ...options, ...more }, timeout)
      const addTest = (title: string, find: () => Promise<readonly HuntCause[]>): void =>
        test(title, async () => refuse(await find()), timeout + END_MS)

      if (replay !== undefined) return addTest('survives the faults of the token', () => huntCauses())
      for (const { failure, tokens } of listRegressions(regressions, name))
        addTest(`survives ${failure[1]?.trim()}`, async () => {
          for (const token of tokens) {
            const causes = await huntCauses({ replay: token })
            if (causes.length > 0) return causes
          }
          return []
        })

      /** The hunt that the other tests share. The first of them to run begins it. */
      let hunted: Promise<readonly HuntCause[]> | undefined
      const addClaim = (claim: keyof typeof CLAIMS): void =>
        addTest(claim, async () => {
          hunted ??= huntCauses().then((causes) => {
            if (regressions !== undefined) for (const cause of causes) saveRegression(regressions, name, cause)
            return causes
          })
          return (await hunted).filter(CLAIMS[claim])
        })
      addClaim('survives each single fault')
      // With `only`, each run has one cut, and that is no outage.
      if (depth > 1 && only === undefined) addClaim('survives faults that come together')
      if (!skipOutages && only === undefined) addClaim('survives outages')
    })

/** Hunts until the time is up. The hunt is loaded only now: the entry points of test runners import this file. */
async function findCauses(
  choice: ScenarioChoice,
  app: HuntedFunction,
  options: HuntOptions,
  timeoutMs: number,
): Promise<readonly HuntCause[]> {
  const { hunt, HuntError } = await import('./in-process.ts')
  const timeUp = new AbortController()
  const message = `The hunt had not ended after ${timeoutMs} ms. Raise the option timeout, or lower depth.`
  const timer = setTimeout(() => timeUp.abort(new Error(message)), timeoutMs)
  const signal = AbortSignal.any(options.signal ? [timeUp.signal, options.signal] : [timeUp.signal])
  try {
    await hunt(choice, app, { ...options, signal })
    return []
  } catch (error) {
    if (error instanceof HuntError) return error.causes
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** @throws when there are causes: an error with the block of each, and without a stack, which would show only the hunt */
function refuse(causes: readonly HuntCause[]): void {
  if (causes.length === 0) return
  const message = causes.map((cause) => cause.message).join('\n')
  const thrown = causes[0]!.findings[0]!.error
  // An error without frames, such as that of a property, adds nothing to its message.
  const hasFrames = thrown instanceof Error && /\n\s+at /.test(thrown.stack ?? '')
  const error = new Error(message, hasFrames ? { cause: thrown } : {})
  error.stack = `Error: ${message}`
  throw error
}

/** Writes the file of a cause. */
function saveRegression(folder: string, test: string, { message, findings }: HuntCause): void {
  const [first] = findings as readonly [HuntFinding, ...HuntFinding[]]
  // Findings on other calls or after a retry only repeat the cause.
  const attemptsOf = ({ faults }: HuntFinding) => String(faults.map(({ call, attempt }) => [call, attempt]))
  const tokens = findings.filter((finding) => attemptsOf(finding) === attemptsOf(first)).map(({ token }) => token)
  const names = first.faults.map(({ fault }) => fault.replace(/;.*$/, ''))
  // How to replay it is in `tokens`.
  const failure = message.split('\n').filter((line) => !line.startsWith('  Replay: '))
  const regression: Regression = { test, failure, tokens }
  mkdirSync(folder, { recursive: true })
  const file = `${names.join('-')}-${hashName(`${test} ${tokens[0]}`)}.json`
  writeFileSync(join(folder, file), `${JSON.stringify(regression, null, 2)}\n`)
}

/** The causes that earlier hunts of a `huntTest` have written to a folder, in the order of their files. */
function listRegressions(folder: string | undefined, test: string): Regression[] {
  const entries = folder !== undefined && existsSync(folder) ? readdirSync(folder) : []
  const files = entries.filter((file) => file.endsWith('.json')).sort()
  return files
    .map((file): Regression => JSON.parse(readFileSync(join(folder!, file), 'utf8')))
    .filter((regression) => regression.test === test)
}
