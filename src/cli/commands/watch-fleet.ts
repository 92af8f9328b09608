/**
 * `api-mock fleet watch`: a line for each replica and their sum, again and again until Ctrl-C.
 *
 *                              calls  in flight  errors  429  MB
 *     http://10.0.0.7:4010     1204   3          12      8    96
 *     http://10.0.0.8:4010     -      -          -       -    -   connection refused
 *     2 in all                 1204   3          12      8    96  1 away
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Replica, resolveTargets } from '../../fleet/index.ts'
import { Interruption } from '../../terminal/interruption.ts'
import { alignColumns, print } from '../../terminal/text.ts'

const INTERVAL_MS = 2000
/** The columns, each with the lines of /metrics whose values it sums. */
const COLUMNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['calls', /^llm_api_mock_calls_total\{/],
  // The second name is that of --metrics-names vllm.
  ['in flight', /^(?:llm_api_mock_calls_in_flight|vllm:num_requests_running)\{/],
  ['errors', /^llm_api_mock_calls_total\{.*status="(?:0|[45]\d\d)"/],
  ['429', /^llm_api_mock_calls_total\{.*status="429"/],
  ['MB', /^process_resident_memory_bytes /],
]

/** @returns 0 at the first signal. A replica that does not answer is shown, and asked again. */
export async function watchFleet(targets: readonly string[], token: string | undefined): Promise<number> {
  const { isTTY } = process.stdout
  const interruption = new Interruption(() => {})
  const { signal } = interruption
  while (!signal.aborted) {
    const lines = await readFleet(targets, token)
    // Clears the screen. Elsewhere the lines follow each other, with a time.
    print(`${isTTY ? '\x1b[H\x1b[2J' : ''}${new Date().toISOString()}\n${lines.join('\n')}`)
    await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {})
  }
  interruption.close()
  return 0
}

/** The lines for the replicas as they are now. */
export async function readFleet(targets: readonly string[], token: string | undefined): Promise<string[]> {
  try {
    const replicas = (await resolveTargets(targets)).map((target) => new Replica(target, token))
    const answers = await Promise.all(replicas.map(askReplica))
    const rows = answers.map(({ target, counts, failure = '' }) => {
      return [target, ...(counts === undefined ? COLUMNS.map(() => '-') : cellsOf(counts)), failure]
    })
    const answered = answers.flatMap(({ counts }) => (counts === undefined ? [] : [counts]))
    const sums = COLUMNS.map((_, column) => answered.reduce((sum, counts) => sum + counts[column]!, 0))
    const away = replicas.length - answered.length
    const head = ['', ...COLUMNS.map(([name]) => name), '']
    const foot = [`${replicas.length} in all`, ...cellsOf(sums), away === 0 ? '' : `${away} away`]
    return alignColumns([head, ...rows, foot])
  } catch (error) {
    return [(error as Error).message]
  }
}

/** The counts as texts; memory in MB. */
const cellsOf = (counts: readonly number[]): string[] =>
  counts.map((count, column) => String(COLUMNS[column]![0] === 'MB' ? Math.round(count / 1e6) : count))

/** The counts of a replica in the order of the columns, or the reason why it does not answer. */
async function askReplica(replica: Replica): Promise<{ target: string; counts?: number[]; failure?: string }> {
  const { target } = replica
  try {
    const lines = (await replica.ask('/metrics')).split('\n')
    const counts = COLUMNS.map(([, pattern]) => {
      let sum = 0
      for (const line of lines) if (pattern.test(line)) sum += Number(line.slice(line.lastIndexOf(' ')))
      return sum
    })
    return { target, counts }
  } catch (error) {
    return { target, failure: (error as Error).message }
  }
}
