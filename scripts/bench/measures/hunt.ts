/** Hunts in process, in a process of their own: experiments in a second on one core. */
import { HUNT_SCRIPT } from '../contenders.ts'
import { output, startOnServerCore } from '../processes.ts'
import type { Result } from '../results.ts'
import type { Bench } from './bench.ts'

export async function hunt({ rounds, progress }: Bench): Promise<readonly Result[]> {
  progress('hunt')
  const child = startOnServerCore(process.execPath, [HUNT_SCRIPT, String(rounds)])
  const samples: number[] = JSON.parse(await output(child, 'The hunt'))
  return [{ measure: 'hunt', contender: 'mock', label: 'llm-api-mock', unit: 'experiments/s', samples }]
}
