/** The status of the mock now: its state, limits, prompt cache and timing, and the mistakes of its clients. */

import { type ClientFinding, checkClient } from '../../core/report/client-findings.ts'
import { type CacheSum, sumCache } from '../../core/report/client-report.ts'
import type { MockView } from '../../engine/index.ts'

/** Checking a call takes 30 microseconds, so 500 of them delay no answer noticeably. */
const MAX_CHECKED_CALLS = 500
const MAX_FINDINGS = 100

export type NowStatus = ReturnType<NowReader['read']>

/** The conduct of clients. `GET /_mock/report` has that of all calls. */
interface Conduct {
  /** Effects of the prompt cache on the last 500 calls; null if it was in play for none of them. */
  readonly cache: CacheSum | null
  /** Mistakes of clients in the last 500 calls, the newest 100 findings. */
  readonly findings: readonly ClientFinding[]
}

/** Reads the status. Calls are checked again only when there are others, or some of them have ended. */
export class NowReader {
  readonly #view: MockView
  // The last check: its newest call, a text that differs when other calls are checked or open, and its result.
  #newestChecked: object | undefined
  #checkedCalls = ''
  #conduct: Conduct = { cache: null, findings: [] }

  constructor(view: MockView) {
    this.#view = view
  }

  read() {
    const { position, sessionPositions, limitUsage, timing, callCounts } = this.#view
    return {
      /** The state of calls without a session; null for a scenario without states. */
      state: position ?? null,
      /** The states of the last 100 sessions; empty for a scenario without states. */
      sessions: sessionPositions,
      /** Every limit and budget in use, by key: the fullest key first. */
      limits: limitUsage,
      timing: timing.report(),
      /** The number of calls since the journal was cleared, and of those that it still has. */
      journal: callCounts,
      ...this.#checkCalls(),
    }
  }

  #checkCalls(): Conduct {
    const calls = this.#view.calls.slice(-MAX_CHECKED_CALLS)
    const newest = calls.at(-1)
    const openNumbers = calls.filter(({ outcome }) => outcome === 'open').map(({ number }) => number)
    const checkedCalls = `${calls.length} ${openNumbers.join()}`
    if (newest === this.#newestChecked && checkedCalls === this.#checkedCalls) return this.#conduct
    this.#newestChecked = newest
    this.#checkedCalls = checkedCalls
    this.#conduct = { cache: sumCache(calls) ?? null, findings: checkClient(calls).slice(-MAX_FINDINGS) }
    return this.#conduct
  }
}
