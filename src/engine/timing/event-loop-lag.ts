/** The lag of Node's event loop: how late a timer fires. */

import type { monitorEventLoopDelay } from 'node:perf_hooks'
import type { LoopWatch, Percentiles } from './timing.ts'

const RESOLUTION_MS = 10

/** After `start` it samples with a timer every 10 ms, which does not keep the process alive. */
export class EventLoopLag implements LoopWatch {
  #delay: ReturnType<typeof monitorEventLoopDelay> | undefined

  start(): void {
    if (this.#delay !== undefined) return
    // Not imported: a server starts without it.
    this.#delay = process.getBuiltinModule('node:perf_hooks').monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    this.#delay.enable()
  }

  stop(): void {
    this.#delay?.disable()
  }

  reset(): void {
    this.#delay?.reset()
  }

  percentiles(): Percentiles | undefined {
    const delay = this.#delay
    if (delay === undefined) return undefined
    // Without a sample the values are 0, and the difference would be negative.
    const lag = (nanoseconds: number): number =>
      Math.max(0, Math.round(nanoseconds / 1000 - RESOLUTION_MS * 1000) / 1000)
    return { p50: lag(delay.percentile(50)), p99: lag(delay.percentile(99)), max: lag(delay.max) }
  }
}
