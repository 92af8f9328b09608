/** Scenarios: each that follows the grammar can be used, and each that is bent is refused in words, or can be used too. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { prepareSource } from '../../src/core/scenario/check/prepare-source.ts'
import type { Problem } from '../../src/core/scenario/check/problem.ts'
import { ScenarioError } from '../../src/core/scenario/check/problem.ts'
import { compileScenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import { type CheckedScenario, checkScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'
import type { Exchange } from '../../src/engine/exchange.ts'
import { engineOf, Mock } from '../../src/engine/mock.ts'
import { playFetch } from '../../src/msw/play-fetch.ts'
import { stillClock } from '../../test/support/transports.ts'
import { bent } from './bent.ts'
import { type FuzzedCall, fuzzedCall } from './calls.ts'
import { callOf } from './core-level.ts'
import { grammarNames } from './grammar-names.ts'
import { closingOf, problemsOfPlan, textOf } from './judge.ts'
import { fail, type Level, Tally } from './level.ts'
import { scenarioSource } from './scenarios.ts'

/** Only to notice what hangs: a text of some KB is read in milliseconds. */
const SLOWEST_MS = 10_000

const calls = fc.array(fuzzedCall, { minLength: 1, maxLength: 2 })
const valid = fc.record({ kind: fc.constant('valid' as const), source: scenarioSource, calls })
const file = fc.record({ kind: fc.constant('file' as const), source: scenarioSource })
const crooked = fc.record({ kind: fc.constant('bent' as const), source: bent(scenarioSource, grammarNames), calls })

const YAML = [
  '\n',
  '  ',
  '\t',
  ': ',
  '- ',
  '? ',
  '&a ',
  '*a',
  '!!x ',
  '|\n',
  '>-\n',
  '---\n',
  '...\n',
  '%YAML 1.2\n',
  '# ',
  '"',
  "'",
]
const MORE = [
  '{',
  '[',
  '}',
  ']',
  ',',
  '<<: ',
  '__proto__: ',
  '\u0000',
  '\ud800',
  '\ufeff',
  '\r',
  '\u2028',
  '0x1F',
  '.inf',
  '.nan',
]
const splice = fc.tuple(fc.constantFrom(...YAML, ...MORE), fc.nat(), fc.nat(20))
const text = fc.record({
  kind: fc.constant('text' as const),
  text: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(scenarioSource, fc.array(splice, { minLength: 1, maxLength: 4 })).map(([source, splices]) => {
        return splices.reduce((all, one) => spliced(all, ...one), stringify(source))
      }),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(scenarioSource, splice).map(([source, one]) => spliced(JSON.stringify(source), ...one)),
    },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...YAML, ...MORE, 'a', 'say', '1'), maxLength: 40 }) },
    { weight: 1, arbitrary: fc.constantFrom('[', '{a: ', '- ', '? ', '&a [*a, ', '"').map((one) => one.repeat(200)) },
  ),
})

/** Something put into a text in the place of a few characters. */
function spliced(whole: string, piece: string, at: number, gone: number): string {
  const place = at % (whole.length + 1)
  return whole.slice(0, place) + piece + whole.slice(place + gone)
}

export async function scenarioLevel(): Promise<Level> {
  const tally = new Tally()
  const given = fc.oneof(
    { weight: 3, arbitrary: valid },
    { weight: 1, arbitrary: file },
    { weight: 2, arbitrary: crooked },
    { weight: 2, arbitrary: text },
  )
  const property = fc.asyncProperty(given, async (one) => {
    // Processor time, because campaigns run beside other programs.
    const began = process.cpuUsage()
    const read = reading(one)
    const tookMs = process.cpuUsage(began).user / 1000
    fail(tookMs > SLOWEST_MS ? [`${tookMs} ms`] : [], 'reading took')
    tally.count(`${one.kind}, ${'problems' in read ? 'refused' : 'taken'}`)
    const isFile = one.kind === 'text' || one.kind === 'file'
    const told = 'problems' in read ? read.problems : read.warnings
    fail(
      told.flatMap((problem) => problemsOf(problem, isFile)),
      'a problem is told badly',
    )
    if ('problems' in read) {
      const isWrong = one.kind === 'valid' || one.kind === 'file'
      fail(isWrong ? told.map(({ path, message }) => `${path.join('.')}: ${message}`) : [], 'refused')
    } else {
      const isAnother = one.kind === 'file' && !isDeepStrictEqual(read.source, JSON.parse(JSON.stringify(one.source)))
      fail(isAnother ? [JSON.stringify(read.source)] : [], 'as YAML it is another')
      await use(read.source, 'calls' in one ? one.calls : [], tally)
    }
  })
  return { property, tally, [Symbol.asyncDispose]: async () => {} }
}

type Given = { kind: 'valid' | 'bent' | 'file'; source: unknown } | { kind: 'text'; text: string }
type Reading = CheckedScenario | { readonly problems: readonly Problem[] }

/** What a scenario is read to; any other exception than the one for problems is a finding. */
function reading(given: Given): Reading {
  try {
    if (given.kind === 'text') return checkScenario(given.text, 'x')
    if (given.kind === 'file') return checkScenario(stringify(given.source), 'x')
    return { source: prepareSource(given.source), warnings: [] }
  } catch (error) {
    if (error instanceof ScenarioError) return { problems: error.problems }
    throw error
  }
}

function problemsOf({ path, message, line, column }: Problem, isPlaced: boolean): string[] {
  const hasPath = path.every((step) => typeof step === 'string' || typeof step === 'number')
  const isWhole = hasPath && message.length > 10 && !/undefined|\[object/.test(message.replaceAll(/'[^']*'/g, ''))
  const hasPlace = !isPlaced || (line !== undefined && line >= 1 && column !== undefined && column >= 1)
  return isWhole && hasPlace ? [] : [JSON.stringify({ path, message, line, column })]
}

/** Calls in a scenario that was taken: decided, and played as fetch would get them. */
async function use(source: ScenarioSource, all: readonly FuzzedCall[], tally: Tally): Promise<void> {
  const mock = new Mock(compileScenario(source, { name: 'fuzzed', compilePattern }), {
    clock: stillClock,
    bodyLimit: 20_000,
  })
  const isRecorded = engineOf(mock).scenario.isCassette
  for (const call of all) {
    const exchange = engineOf(mock).begin(callOf(call, 'fetch', mock))
    fail(problemsOfPlan(exchange.plan, isRecorded), `${call.method} ${call.target} is answered with`)
    tally.count(`call by ${exchange.plan.reason.by}`)
    // A reset waits for a reader in real time, and a call that hangs for one that leaves.
    if (closingOf(exchange.plan) === 'end') await play(exchange, mock)
  }
  JSON.stringify([mock.journal, mock.usage, mock.limitUsage])
}

const NO_BODY = new Set([204, 205, 304])

async function play(exchange: Exchange, mock: Mock): Promise<void> {
  const response = await playFetch(exchange, engineOf(mock), new AbortController().signal)
  const bytes = Buffer.from(await response.arrayBuffer()).toString()
  const expected = NO_BODY.has(response.status) || exchange.entry.method === 'HEAD' ? '' : textOf(exchange.plan)
  fail(bytes === expected ? [] : [`${bytes.slice(0, 200)} for ${expected.slice(0, 200)}`], 'played')
}
