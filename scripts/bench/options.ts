/** The command line of the benchmark. */
import { parseArgs } from 'node:util'
import { contenders } from './contenders.ts'
import { type WorkloadName, workloads } from './workloads.ts'

const KINDS = Object.keys(workloads) as readonly WorkloadName[]
/** For docs/scale.md; the balancers and the store are Debian's. */
const SCALE = ['balancers', 'balanced-streams', 'shared-limits', 'open'] as const
export const MEASURES = [
  ...KINDS,
  'in-process',
  'hunt',
  'start',
  'cold-start',
  'memory',
  'paced',
  'burst',
  'stalls',
  ...SCALE,
] as const

export const HELP = `npm run bench -- [options], after npm run build

  --only <names>        measures, separated by commas: ${MEASURES.join(', ')} (default: all but ${SCALE.join(', ')});
                        start includes cold-start, and memory without load
  --contenders <names>  servers, separated by commas: ${Object.keys(contenders).join(', ')} (default: all)
  --rounds <n>          rounds in which the contenders take turns (default: 5)
  --seconds <n>         seconds of load for each contender, kind of call and round, from 1 (default: 3)
  --calls <n>           calls before memory is measured again; 0 for none (default: 1000000)
  --hostile <text>      stalls: only the calls with this text in their name (default: all)
  --generator <name>    wrk or autocannon (default: wrk where it is installed)
  --profile <name>      instead of a benchmark, where the mock's time goes under one kind of call: ${KINDS.join(', ')}
  --markdown            prints the table for docs/benchmarks.md
  --json                prints all samples as JSON
  --help                prints this
`

const DEFAULT_MEASURES = MEASURES.filter((name) => !(SCALE as readonly string[]).includes(name)).join()

export interface Options {
  readonly only: readonly string[]
  readonly contenders: readonly string[]
  readonly rounds: number
  readonly seconds: number
  readonly calls: number
  readonly hostile: string
  readonly generator: string | undefined
  readonly profile: WorkloadName | undefined
  readonly format: 'text' | 'markdown' | 'json'
}

/** @returns undefined when help was asked for. @throws with the known options when an option is unknown. */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      contenders: { type: 'string' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '3' },
      calls: { type: 'string', default: '1000000' },
      hostile: { type: 'string', default: '' },
      generator: { type: 'string' },
      profile: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  if (values.generator !== undefined) namesOf('generator', values.generator, ['wrk', 'autocannon'])
  return {
    only: namesOf('only', values.only ?? DEFAULT_MEASURES, MEASURES),
    contenders: namesOf('contenders', values.contenders, Object.keys(contenders)),
    rounds: wholeNumber('rounds', values.rounds, 1),
    seconds: wholeNumber('seconds', values.seconds, 1),
    calls: wholeNumber('calls', values.calls, 0),
    hostile: values.hostile,
    generator: values.generator,
    profile: values.profile === undefined ? undefined : namesOf('profile', values.profile, KINDS)[0],
    format: values.json ? 'json' : values.markdown ? 'markdown' : 'text',
  }
}

/** In the order of `allowed`, which is that of the table. */
function namesOf<Name extends string>(
  option: string,
  text: string | undefined,
  allowed: readonly Name[],
): readonly Name[] {
  if (text === undefined) return allowed
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(allowed as readonly string[]).includes(name))
  if (unknown !== undefined) throw new Error(`--${option} has '${unknown}'. Allowed are: ${allowed.join(', ')}.`)
  return allowed.filter((name) => names.includes(name))
}

function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= least) return value
  throw new Error(`--${option} is '${text}'. Give a whole number from ${least}.`)
}
