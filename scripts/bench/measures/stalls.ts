/**
 * For how long hostile calls hold the server's event loop, and so everyone else: each call alone, on a server that has
 * just started, and on one that has seen a million different words and the calls before it.
 */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PROGRAM, type Server, startServer } from '../contenders.ts'
import { WORST_STALL } from '../goals.ts'
import { chatAbout, embeddings, type HostileCall } from '../hostile/call.ts'
import { hostileCalls } from '../hostile/calls.ts'
import { words } from '../hostile/texts.ts'
import { median, type Result } from '../results.ts'
import { HEADERS } from '../workloads.ts'
import type { Bench } from './bench.ts'

const PROBE = pathToFileURL(resolve(import.meta.dirname, '../stall-probe.mjs')).href
const WORDS = 1_000_000
const WORDS_PER_CALL = 5000
const LIMIT_MS = 120_000
/** What a server still does after an answer belongs to its call. */
const AFTERWARDS_MS = 30

const LABELS = { fresh: 'just started', used: 'after a million words' } as const
const embeddingsOf = (name: string, text: () => string): HostileCall => embeddings(name, () => ({ input: text() }))
type Condition = keyof typeof LABELS

/** What one call did to a server. */
interface Stall {
  readonly stallMs: number
  /** With the time for which other programs had the core. */
  readonly elapsedMs: number
  /** A status, or why there is none. */
  readonly answer: string
}

/** @param text measures only the calls with this text in their names. */
export async function stalls({ rounds, progress, warn }: Bench, text: string): Promise<readonly Result[]> {
  const calls = hostileCalls.filter(({ name }) => name.includes(text))
  if (calls.length === 0) throw new Error(`--hostile is '${text}', and no call has this in its name.`)
  const fresh = calls.map((): Stall[] => [])
  const used = calls.map((): Stall[] => [])
  const measure = async (target: Target, call: HostileCall): Promise<Stall> => {
    const stall = await target.measure(call)
    progress(`${Math.round(stall.stallMs)} ms: ${call.name}, ${stall.answer}`)
    return stall
  }
  for (let round = 1; round <= rounds; round++) {
    progress(`stalls, round ${round} of ${rounds}, ${calls.length} calls on servers that have just started`)
    for (const [index, call] of calls.entries()) {
      await using target = await Target.start()
      fresh[index]!.push(await measure(target, call))
    }
    progress(`stalls, round ${round} of ${rounds}, ${calls.length} calls after ${WORDS.toLocaleString('en')} words`)
    let target = await Target.used()
    for (const [index, call] of calls.entries()) {
      used[index]!.push(await measure(target, call))
      if (target.isGone) target = await Target.used()
    }
    await target[Symbol.asyncDispose]()
  }
  const late = Math.max(...[...fresh, ...used].flat().map(({ stallMs, elapsedMs }) => elapsedMs - stallMs))
  if (late > 5)
    warn(`Other programs had the server's core for up to ${Math.round(late)} ms in a call; that is left out.`)
  return [...tableOf(calls, 'fresh', fresh), ...tableOf(calls, 'used', used)]
}

/** The worst call first, after the row with the goal. */
function tableOf(calls: readonly HostileCall[], contender: Condition, taken: readonly Stall[][]): readonly Result[] {
  const rows = calls.map(({ name }, index): Result => {
    const answers = [...new Set(taken[index]!.map(({ answer }) => answer))].join(' or ')
    const samples = taken[index]!.map(({ stallMs }) => stallMs)
    return { measure: `stall: ${name}`, contender, label: `${LABELS[contender]}, ${answers}`, unit: 'ms', samples }
  })
  rows.sort((one, other) => median(other.samples) - median(one.samples))
  const worst: Result = { ...rows[0]!, measure: WORST_STALL, label: `${LABELS[contender]}, of ${calls.length} calls` }
  return [worst, ...rows]
}

/** A server with the probe in it. */
class Target implements AsyncDisposable {
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<Target> {
    const args = ['--import', PROBE, PROGRAM, '--port', '0', '--log', 'none']
    return new Target(await startServer('mock', 'llm-api-mock', args, true))
  }

  /** One that has seen a million different words. */
  static async used(): Promise<Target> {
    const target = await Target.start()
    for (let from = 0; from < WORDS; from += WORDS_PER_CALL) {
      const call = (from / WORDS_PER_CALL) % 2 === 0 ? chatAbout : embeddingsOf
      const { path, body } = call('words', () => words(WORDS_PER_CALL, from))
      await target.#answerTo(path, body())
    }
    return target
  }

  get isGone(): boolean {
    const { exitCode, signalCode } = this.#server.process
    return exitCode !== null || signalCode !== null
  }

  async measure(call: HostileCall): Promise<Stall> {
    const body = call.body()
    await this.#probe()
    const answer = await this.#answerTo(call.path, body)
    await new Promise((resolve) => setTimeout(resolve, AFTERWARDS_MS))
    return { ...(await this.#probe()), answer }
  }

  /** What was measured since it was last asked. */
  #probe(): Promise<Omit<Stall, 'answer'>> {
    return new Promise((done) => {
      if (this.isGone) return done({ stallMs: LIMIT_MS, elapsedMs: LIMIT_MS })
      const { process } = this.#server
      const gone = (): void => done({ stallMs: LIMIT_MS, elapsedMs: LIMIT_MS })
      process.once('exit', gone)
      process.once('message', (taken) => {
        process.off('exit', gone)
        done(taken as Omit<Stall, 'answer'>)
      })
      process.send('measure', () => {})
    })
  }

  async #answerTo(path: string, body: string): Promise<string> {
    const signal = AbortSignal.timeout(LIMIT_MS)
    try {
      const request = { method: 'POST', headers: HEADERS, body, signal }
      const response = await fetch(this.#server.url + path, request)
      let bytes = 0
      for await (const chunk of response.body ?? []) bytes += chunk.length
      return bytes < 100_000 ? `${response.status}` : `${response.status} with ${(bytes / 1e6).toFixed(1)} MB`
    } catch (error) {
      return signal.aborted ? `no answer within ${LIMIT_MS} ms` : `no whole answer: ${(error as Error).message}`
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.stop()
  }
}
