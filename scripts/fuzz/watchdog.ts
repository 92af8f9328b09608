/** A run that never ends can't be interrupted by its own thread: another one watches, tells which it is, and ends the program. */
import { Worker } from 'node:worker_threads'

/** A run takes milliseconds; on a machine that is busy, seconds. */
const HUNG_MS = 60_000

const WATCH = `
const { workerData: { beats, hungMs, advice } } = require('node:worker_threads')
const read = () => [0, 1, 2].map((index) => Atomics.load(beats, index))
let [seen] = read()
setInterval(() => {
  const [count, seed, run] = read()
  if (count === seen) {
    require('node:fs').writeSync(1, 'A run does not end. Replay: ' + advice + ' --seed ' + seed + " --path '" + run + "'\\n")
    process.kill(process.pid, 'SIGKILL')
  }
  seen = count
}, hungMs)
`

export class Watchdog {
  readonly #beats = new Int32Array(new SharedArrayBuffer(12))
  readonly #worker: Worker

  /** @param advice how to run this level again, without a seed and a path. */
  constructor(advice: string) {
    this.#worker = new Worker(WATCH, { eval: true, workerData: { beats: this.#beats, hungMs: HUNG_MS, advice } })
    this.#worker.unref()
  }

  /** Another run begins. Runs are counted from 0 for each seed. */
  beat(seed: number, run: number): void {
    Atomics.add(this.#beats, 0, 1)
    Atomics.store(this.#beats, 1, seed)
    Atomics.store(this.#beats, 2, run)
  }

  [Symbol.dispose](): void {
    void this.#worker.terminate()
  }
}
