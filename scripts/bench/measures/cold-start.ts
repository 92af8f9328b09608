/** From the start of the process until it listens, beside a Node that does nothing from its start to its end. */
import { contenders, printedUrl } from '../contenders.ts'
import { output, startOnServerCore, stop } from '../processes.ts'
import type { Result } from '../results.ts'
import type { Bench } from './bench.ts'

const RUNS = 20

export async function coldStart({ progress }: Bench, names: readonly string[]): Promise<readonly Result[]> {
  progress(`cold start, ${RUNS} times each`)
  const launches = names.map((name) => ({ name, launch: contenders[name]!(), samples: [] as number[] }))
  const nothing: number[] = []
  for (let run = 0; run < RUNS; run++) {
    nothing.push(await milliseconds(doNothing))
    for (const { name, launch, samples } of launches) {
      if (!('missing' in launch)) samples.push(await milliseconds(() => untilListening(name, launch.args)))
    }
  }
  const measure = 'cold start'
  return [
    { measure, contender: 'node', label: 'node -e 0', unit: 'ms', samples: nothing },
    ...launches.flatMap(({ name, launch, samples }): Result[] =>
      'missing' in launch ? [] : [{ measure, contender: name, label: launch.label, unit: 'ms', samples }],
    ),
  ]
}

/** Of a run, with its own end left out. */
async function milliseconds(run: () => Promise<() => Promise<void>>): Promise<number> {
  const start = performance.now()
  const end = await run()
  const took = performance.now() - start
  await end()
  return took
}

async function doNothing(): Promise<() => Promise<void>> {
  await output(startOnServerCore(process.execPath, ['-e', '0']), 'node -e 0')
  return async () => {}
}

async function untilListening(name: string, args: readonly string[]): Promise<() => Promise<void>> {
  const child = startOnServerCore(process.execPath, args)
  await printedUrl(child, name)
  return () => stop(child)
}
