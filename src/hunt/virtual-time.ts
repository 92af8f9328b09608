/**
 * Runs a function in virtual time: whenever it waits for nothing but timers, the time jumps to the next one.
 *
 * All global timers are faked, so the back-off and the time-outs of clients take no time. Timers that a test has faked
 * itself are used as they are. Work that is not a timer, such as reading a file, takes its real time.
 */
import FakeTimers from '@sinonjs/fake-timers'

interface FakeClock {
  readonly now: number
  countTimers(): number
  next(): unknown
}

const { setImmediate: setRealImmediate, setTimeout: setRealTimeout } = globalThis
/** Turns of the event loop without work after which the next timer may fire: clients and msw need several for one call. */
const IDLE_TURNS = 12
/** How often, and how long in milliseconds, to wait when nothing is left to do. */
const MAX_IDLE_WAITS = 1000
const IDLE_WAIT_MS = 1
// setImmediate stays real, because streams and msw use it to let others run.
const FAKED = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] as const

/** The virtual time after which a run counts as endless, in milliseconds. */
const MAX_VIRTUAL_MS = 86_400_000

/** How a run ended: with an error, or without. */
export interface Outcome {
  readonly error?: unknown
}

/** Never rejects. A function that does not end by itself has an error that says so. */
export async function runInVirtualTime(run: () => Promise<unknown>): Promise<Outcome> {
  const own = (globalThis.setTimeout as { clock?: FakeClock }).clock
  const installed =
    own === undefined ? FakeTimers.install({ toFake: [...FAKED], shouldClearNativeTimers: true }) : undefined
  const clock = own ?? (installed as FakeClock)
  const startedAt = clock.now
  const busyBefore = countBusy()
  let outcome: Outcome | undefined
  const end = (ended: Outcome): void => {
    outcome ??= ended
  }
  try {
    run().then(
      () => end({}),
      (error) => end({ error }),
    )
    for (let waits = 0; outcome === undefined; ) {
      await idle(() => outcome !== undefined || countBusy() > busyBefore)
      if (outcome !== undefined) break
      if (countBusy() <= busyBefore && clock.countTimers() > 0) {
        clock.next()
        waits = 0
        if (clock.now - startedAt > MAX_VIRTUAL_MS)
          end({ error: new Error('It had not ended after a day of virtual time.') })
      } else if (++waits > MAX_IDLE_WAITS) {
        end({ error: new Error('It waits for something that never happens: it has no timer left and nothing to do.') })
      } else await new Promise((resolve) => setRealTimeout(resolve, IDLE_WAIT_MS))
    }
    return outcome
  } finally {
    installed?.uninstall()
  }
}

async function idle(isOver: () => boolean): Promise<void> {
  for (let turn = 0; turn < IDLE_TURNS && !isOver(); turn++) await new Promise((resolve) => setRealImmediate(resolve))
}

/** How much the process waits for besides sockets and faked timers: real timers, files, names of hosts. */
const countBusy = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || /Req|GetAddrInfo|FSEvent/.test(name)).length
