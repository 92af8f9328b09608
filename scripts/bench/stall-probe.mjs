// Loaded into the server before it: the longest time for which its event loop could not turn. `--import` loads it.
import { openSync, readSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const TICK_MS = 1

// Where the system tells how long this thread was ready and waited for a core, that is no stall of the server.
const schedule = open('/proc/self/schedstat')
const buffer = Buffer.alloc(100)
const monitor = monitorEventLoopDelay({ resolution: TICK_MS })
monitor.enable()

let worstMs = 0
let last = performance.now()
let waited = waitedMs()
setInterval(() => {
  const [now, waitedNow] = [performance.now(), waitedMs()]
  worstMs = Math.max(worstMs, now - last - (waitedNow - waited))
  last = now
  waited = waitedNow
}, TICK_MS).unref()

// Asked once before a call and once after it: each answer ends a measurement, and begins the next.
process.on('message', () => {
  process.send({ stallMs: worstMs, elapsedMs: monitor.max / 1e6 })
  worstMs = 0
  monitor.reset()
})
process.channel?.unref()

function waitedMs() {
  if (schedule === undefined) return 0
  const length = readSync(schedule, buffer, 0, buffer.length, 0)
  return Number(buffer.toString('latin1', 0, length).split(' ')[1]) / 1e6
}

function open(path) {
  try {
    return openSync(path)
  } catch {
    return undefined
  }
}
