/** A long run: a level's property in slices, with what nobody caught, memory, progress, and how to replay a finding. */
import fc from 'fast-check'
import type { Level } from './level.ts'

const SLICE = 1000
/** What the heap may grow from the end of the first slices to the end of the run. */
const MAX_GROWTH_BYTES = 96_000_000
const WARM_UP_SLICES = 20

export interface CampaignOptions {
  readonly runs: number
  readonly seed: number
  /** Replays one finding of that seed. */
  readonly path?: string | undefined
  readonly say?: (line: string) => void
  /** Is told of each run of a slice as it begins. */
  readonly watch?: (sliceSeed: number, run: number) => void
}

export interface Finding {
  /** What fast-check says of it, with the smallest input that shows it. */
  readonly report: string
  readonly seed: number
  /** Undefined where no single run is to blame. */
  readonly path: string | undefined
}

/** Runs a level so often, or until something is found. Given the same seed, the same runs. */
export async function campaign(level: Level, options: CampaignOptions): Promise<Finding | undefined> {
  const { runs, seed, path, say = () => {}, watch = () => {} } = options
  using strays = new Strays()
  const began = performance.now()
  let firstHeap = 0
  for (let done = 0; done < runs; ) {
    const numRuns = Math.min(SLICE, runs - done)
    const sliceSeed = (seed + done) | 0
    const property = watched(level.property, (run) => watch(sliceSeed, run))
    const asked = path === undefined ? {} : { path }
    const details = await fc.check(property, { seed: sliceSeed, numRuns, includeErrorInReport: true, ...asked })
    if (details.failed) {
      return {
        report: fc.defaultReportMessage(details)!,
        seed: sliceSeed,
        path: details.counterexamplePath ?? undefined,
      }
    }
    // What is thrown late, after the last answer, is thrown before the next turn of the loop.
    await new Promise(setImmediate)
    if (strays.found.length > 0) return { report: strays.report(), seed: sliceSeed, path: undefined }
    done += numRuns
    globalThis.gc?.()
    const heap = process.memoryUsage().heapUsed
    if (done <= SLICE * WARM_UP_SLICES) firstHeap = heap
    const seconds = (performance.now() - began) / 1000
    const rate = Math.round(done / seconds)
    say(`${done} runs in ${seconds.toFixed(0)} s (${rate}/s), heap ${(heap / 1e6).toFixed(0)} MB`)
    if (globalThis.gc !== undefined && heap - firstHeap > MAX_GROWTH_BYTES) {
      const report = `The heap grew from ${firstHeap} to ${heap} bytes and is not given back.`
      return { report, seed, path: undefined }
    }
    if (path !== undefined) break
  }
  return undefined
}

/** The same property, which tells of each run before it runs. */
function watched(property: fc.IRawProperty<unknown>, tell: (run: number) => void): fc.IRawProperty<unknown> {
  let runs = 0
  return Object.create(property, {
    run: {
      value: (value: unknown) => {
        tell(runs++)
        return property.run(value)
      },
    },
  })
}

/** What nobody caught, and what the mock says of its own mistakes: in a program each would be an end, or a bug. */
class Strays {
  readonly found: unknown[] = []
  readonly #error = console.error
  readonly #note = (error: unknown): void => void this.found.push(error)

  constructor() {
    console.error = this.#note
    process.on('uncaughtException', this.#note).on('unhandledRejection', this.#note)
  }

  report(): string {
    const shown = this.found.slice(0, 3).map((error) => (error instanceof Error ? error.stack : String(error)))
    return `Nobody caught, or the mock itself failed:\n${shown.join('\n')}`
  }

  [Symbol.dispose](): void {
    console.error = this.#error
    process.off('uncaughtException', this.#note).off('unhandledRejection', this.#note)
  }
}
