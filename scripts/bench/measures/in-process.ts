/** A call by fetch in process: the mock beside a handler written by hand, both in msw, in a process of their own. */
import { IN_PROCESS_SCRIPT } from '../contenders.ts'
import { output, startOnServerCore } from '../processes.ts'
import type { Result } from '../results.ts'
import type { Bench } from './bench.ts'

const LABELS: Readonly<Record<string, string>> = { msw: 'a handler by hand in msw', mock: 'llm-api-mock' }

/** Short, as both are in one process: the more often they take turns, the less a disturbance counts. */
const TURN_SECONDS = 0.25

export async function inProcess({ rounds, seconds, progress }: Bench): Promise<readonly Result[]> {
  progress('in process')
  const turns = Math.ceil((rounds * seconds) / TURN_SECONDS)
  const child = startOnServerCore(process.execPath, [IN_PROCESS_SCRIPT, String(turns), String(TURN_SECONDS)])
  const samples: Record<string, number[]> = JSON.parse(await output(child, 'The measure in process'))
  return Object.entries(samples).map(([contender, each]) => ({
    measure: 'in process',
    contender,
    label: LABELS[contender] ?? contender,
    unit: 'us/call',
    samples: each,
  }))
}
