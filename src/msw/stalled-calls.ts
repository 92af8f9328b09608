/** Calls that hang until their clients leave, as a `stall` or `hang` fault makes them. */
import { holdProcess } from '../engine/index.ts'

/**
 * The listener of each call for its client to leave, and the function that ends its hold on the process. The listeners are
 * held here: Node forgets to abort the request of a client when nothing else holds it, and the client would then wait for
 * ever too.
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

/** Calls that hang keep the process alive from now on, or let it end, as it can when a server has closed its connections. */
export function keepAliveForCalls(isOn: boolean): void {
  mayHold = isOn
  if (!isOn) for (const release of stalled.values()) release()
}
