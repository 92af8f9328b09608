/** Calls that hang until their clients leave, as a `stall` or `hang` fault makes them. */
import { holdProcess } from '../engine/index.ts'

/**
 * The calls that hang now: the listener of each for its client to leave, and the function that ends its hold on the process.
 * The listeners are held here, because Node forgets to abort the request of a client when nothing else holds it, and the
 * client would then wait for ever too.
 * @see https://github.com/nodejs/undici/issues/4068
 */
const stalled = new Map<() => void, () => void>()
/** False once the last interception is closed: a call may begin to hang later, whose client has already left. */
let mayHold = true

/** Resolves when a client leaves. Until then, the process stays alive, as with a socket that waits for an answer. */
export function clientLeft(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    // The timer of AbortSignal.timeout would not keep the process alive.
    const release = mayHold ? holdProcess() : () => {}
    const onAbort = (): void => {
      release()
      stalled.delete(onAbort)
      resolve()
    }
    stalled.set(onAbort, release)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

/** Lets calls that hang keep the process alive: an interception has begun. */
export function holdProcessForCalls(): void {
  mayHold = true
}

/** Lets the process end although calls hang, as it can when a server has closed its connections. */
export function releaseProcess(): void {
  mayHold = false
  for (const release of stalled.values()) release()
}
