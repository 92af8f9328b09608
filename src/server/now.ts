/** The status of the mock now: its state, limits, prompt cache and timing, and the mistakes of its clients. */

import type { KeyUsage } from '../core/journal/limit-usage.ts'
import { type ClientFinding, checkClient } from '../core/report/client-findings.ts'
import { type CacheSum, sumCache } from '../core/report/client-report.ts'
import type { StateStatus } from '../core/scenario/compile/states.ts'
import type { MockView, SessionPosition, TimingReport } from '../engine/index.ts'

/** Checking a call takes 30 microseconds, so 500 of them delay no answer noticeably. */
const MAX_CHECKED_CALLS = 500
const MAX_FINDINGS = 100

export interface NowStatus {
  /** The state of calls without a session; null for a scenario without states. */
  readonly state: StateStatus | null
  /** The states of the last 100 sessions; empty for a scenario without states. */
  readonly sessions: readonly SessionPosition[]
  /** Every limit and budget in use, by key: the fullest key first. */
  readonly limits: readonly KeyUsage[]
  /** Effects of the prompt cache on the last 500 calls; null if it was in play for none of them. */
  readonly cache: CacheSum | null
  readonly timing: TimingReport
  /** The number of calls since the journal was cleared, and of those that it still has. */
  readonly journal: { readonly kept: number; readonly total: number }
  /** Mistakes of clients in the last 500 calls, the newest 100 findings. `GET /_mock/report` has all. */
  readonly findings: readonly ClientFinding[]
}

/** Reads the status. The calls are checked again only when there are others, or some of them have ended. */
export class NowReader {
  readonly #view: () => MockView
  /** The last of the calls that were checked. */
  #lastChecked: object | undefined
  /** The number of these calls, and the numbers of those that were open. */
  #checkedCalls = ''
  /** The result of the last check. */
  #conduct: Pick<NowStatus, 'cache' | 'findings'> = { cache: null, findings: [] }

  constructor(view: () => MockView) {
    this.#view = view
  }

  read(): NowStatus {
    const { states, limitUsage: limits, timing, journal } = this.#view()
    const { position: state = null, sessionPositions: sessions } = states
    return { state, sessions, limits, timing: timing.report(), journal: journal.counts, ...this.#checkCalls() }
  }

  #checkCalls(): Pick<NowStatus, 'cache' | 'findings'> {
    const calls = this.#view().journal.exchanges.slice(-MAX_CHECKED_CALLS)
    const open = calls.filter(({ outcome }) => outcome === 'open').map(({ number }) => number)
    const described = `${calls.length} ${open.join()}`
    if (this.#lastChecked === calls.at(-1) && this.#checkedCalls === described) return this.#conduct
    this.#lastChecked = calls.at(-1)
    this.#checkedCalls = described
    this.#conduct = { cache: sumCache(calls) ?? null, findings: checkClient(calls).slice(-MAX_FINDINGS) }
    return this.#conduct
  }
}
