/**
 * Memory of the server when nobody calls: at the start, after its first calls, after a tenth of a million of all four
 * kinds, when all that is bounded is full, and after all of them.
 */
import { PROGRAM, type Server, startServer } from '../contenders.ts'
import type { Generator } from '../generator.ts'
import { FULL_MEMORY, MEMORY_AFTER_ALL, WARM_MEMORY } from '../goals.ts'
import { canObserve, residentMb } from '../processes.ts'
import type { Result } from '../results.ts'
import { problemWith, workloads } from '../workloads.ts'
import type { Bench } from './bench.ts'

const SLOT_SECONDS = 2
/**
 * Settled is what stays within one part in a hundred for so long; what never does is taken as it is at last. V8 gives
 * memory back after eight seconds without work.
 */
const SETTLED_MS = 10_000
const PATIENCE_MS = 40_000
const POLL_MS = 200

/** @param calls how many; 0 measures the idle server only. */
export async function memory(
  { progress, warn }: Bench,
  generator: Generator,
  calls: number,
): Promise<readonly Result[]> {
  if (!canObserve) {
    warn('Memory is not measured: this system has no /proc.')
    return []
  }
  progress('memory, idle')
  const server = await startServer('mock', 'llm-api-mock', [PROGRAM, '--port', '0', '--log', 'none'])
  try {
    const started = await settledMb(server.pid)
    for (const workload of Object.values(workloads)) {
      const problem = await problemWith(server.url, workload)
      if (problem !== undefined) throw new Error(`The mock's first call: ${problem}`)
    }
    const results = [
      resultOf('memory at the start', server, started),
      resultOf(WARM_MEMORY, server, await settledMb(server.pid)),
    ]
    if (calls > 0) {
      progress(`memory, ${calls.toLocaleString('en')} calls`)
      await sendAll(server, generator, calls / 10)
      results.push(resultOf(FULL_MEMORY, server, await settledMb(server.pid)))
      await sendAll(server, generator, (calls / 10) * 9)
      results.push(resultOf(MEMORY_AFTER_ALL, server, await settledMb(server.pid)))
    }
    return results
  } finally {
    await server.stop()
  }
}

/** At least so many calls, a slot of each kind in turn. */
async function sendAll(server: Server, generator: Generator, calls: number): Promise<void> {
  for (let sent = 0; sent < calls; ) {
    for (const workload of Object.values(workloads)) {
      sent += (await generator.send(server.url, workload, SLOT_SECONDS)).calls
    }
  }
}

/** The memory when it no longer changes: collections and returned pages come a while after the last call. */
export async function settledMb(pid: number): Promise<number> {
  const deadline = performance.now() + PATIENCE_MS
  let reference = residentMb(pid)
  let since = performance.now()
  while (performance.now() - since < SETTLED_MS && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const now = residentMb(pid)
    if (Math.abs(now - reference) < reference / 100) continue
    reference = now
    since = performance.now()
  }
  return residentMb(pid)
}

function resultOf(measure: string, { label }: Server, mb: number): Result {
  return { measure, contender: 'mock', label, unit: 'MB', samples: [mb] }
}
