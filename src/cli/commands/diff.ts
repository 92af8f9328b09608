/** `api-mock diff`: where the answers of a real service have changed their shape since they were recorded. */
import type { Scenario } from '../../core/scenario/compile/compile.ts'
import { type Compared, findDrift, recordedCalls } from '../../record/drift.ts'
import type { Difference } from '../../record/shape.ts'
import { readUpstream } from '../../record/upstream.ts'
import { compileLoaded } from '../../scenario-files/compile-loaded.ts'
import { isFile, loadScenario } from '../../scenario-files/load-scenario.ts'
import type { DiffSettings } from '../args/record-options.ts'
import { UsageError } from '../args/usage-error.ts'
import { plain } from '../output/call-line.ts'
import { createColors, type Paint } from '../output/colors.ts'

/** Prints what it finds; the exit code is 1 when any answer has changed. */
export async function diff({ cassette, upstream: given, scenario, json, key }: DiffSettings): Promise<number> {
  const upstream = upstreamOf(given)
  const { source } = await loadScenario(isFile(cassette) ? cassette : `./${cassette}`)
  const calls = recordedCalls(source)
  if (calls.length === 0)
    throw new Error(
      `'${cassette}' has no recorded requests. Make some with api-mock record --upstream ${upstream.href}`,
    )
  const against = scenario === undefined ? undefined : await compiled(scenario)
  const paint = createColors(process.stdout)
  const all: Compared[] = []
  for await (const compared of findDrift(calls, { upstream, key, scenario: against })) {
    all.push(compared)
    if (!json) process.stdout.write(`${linesOf(compared, paint)}\n`)
  }
  const drifted = all.filter(({ differences }) => differences.length > 0).length
  process.stdout.write(
    json
      ? `${JSON.stringify({ upstream: upstream.href, drifted, requests: all }, null, 2)}\n`
      : summary(all.length, drifted),
  )
  return drifted === 0 ? 0 : 1
}

function upstreamOf(text: string): URL {
  try {
    return readUpstream(text)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function compiled(nameOrFile: string): Promise<Scenario> {
  const { name, source } = await loadScenario(nameOrFile)
  return compileLoaded(source, name)
}

/** `replies[0] chat gpt-4o 200: same shape`, or a line for each difference below. */
function linesOf({ place, endpoint, model, status, differences }: Compared, paint: Paint): string {
  const head = [place, endpoint, plain(model), String(status)].filter(Boolean).join(' ')
  if (differences.length === 0) return `${head}: ${paint('green', 'same shape')}`
  const lines = differences.map((difference) => `  ${paint('yellow', plain(sentenceOf(difference)))}`)
  return [`${head}: ${differences.length === 1 ? '1 difference' : `${differences.length} differences`}`, ...lines].join(
    '\n',
  )
}

function sentenceOf({ path, change, before, now }: Difference): string {
  const name = path === '' ? 'the body' : path
  switch (change) {
    case 'missing':
      return `${name} is missing (was ${before})`
    case 'added':
      return `${name} is new (${now})`
    case 'type':
    case 'status':
      return `${name} was ${before}, is ${now}`
    default:
      return change satisfies never
  }
}

function summary(total: number, drifted: number): string {
  const sum = total === 1 ? '1 request' : `${total} requests`
  return drifted === 0 ? `${sum}, no drift.\n` : `${sum}, ${drifted} drifted.\n`
}
