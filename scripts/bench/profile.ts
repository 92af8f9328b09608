/** Where the mock's time goes under one kind of call: the functions with the most time of their own, by V8's profiler. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROGRAM, startServer } from './contenders.ts'
import type { Generator } from './generator.ts'
import type { Workload } from './workloads.ts'

const WARM_UP_SECONDS = 2
const SHOWN = 40

/** As the profiler writes it; times in microseconds. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: readonly number[]
  }[]
  /** The node that ran at each sample, and the time since the sample before. */
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** @returns the functions as lines, and last the file, for the profiler's own views. */
export async function profile(generator: Generator, workload: Workload, seconds: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'llm-api-mock-profile-'))
  const profiler = ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-interval', '500']
  const server = await startServer('mock', 'llm-api-mock', [...profiler, PROGRAM, '--port', '0', '--log', 'none'])
  await generator.send(server.url, workload, WARM_UP_SECONDS + seconds)
  // The profile is written when the program ends by itself.
  await server.stop('SIGTERM')
  const [name = ''] = readdirSync(folder)
  const file = join(folder, name)
  const rows = timesIn(JSON.parse(readFileSync(file, 'utf8'))).slice(0, SHOWN)
  const lines = rows.map(({ self, total, place }) => `${percent(self)}  ${percent(total)}  ${place}`)
  return ['  self   total', ...lines, file].join('\n')
}

interface Times {
  readonly place: string
  /** Shares of the time in which the process did anything: in the function alone, and with all that it called. */
  readonly self: number
  readonly total: number
}

/** The function with the most time of its own first. */
export function timesIn({ nodes, samples, timeDeltas }: Profile): readonly Times[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const self = new Map<string, number>()
  const total = new Map<string, number>()
  let busy = 0
  for (const [index, id] of samples.entries()) {
    const { callFrame } = byId.get(id)!
    if (callFrame.functionName === '(idle)') continue
    const time = timeDeltas[index]!
    busy += time
    add(self, placeOf(callFrame), time)
    // A function that calls itself has its time once.
    const stack = new Set<string>()
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      stack.add(placeOf(byId.get(at)!.callFrame))
    }
    for (const place of stack) add(total, place, time)
  }
  return [...self]
    .map(([place, time]) => ({ place, self: time / busy, total: total.get(place)! / busy }))
    .sort((a, b) => b.self - a.self)
}

function add(times: Map<string, number>, place: string, time: number): void {
  times.set(place, (times.get(place) ?? 0) + time)
}

/** A function's name, and its place from the folder `dist` or `node_modules` on. */
function placeOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  const name = functionName || '(anonymous)'
  return url === '' ? name : `${name} ${url.replace(/^.*\/(?:dist|node_modules)\//, '')}:${lineNumber + 1}`
}

const percent = (share: number): string => `${(share * 100).toFixed(1).padStart(5)} %`
