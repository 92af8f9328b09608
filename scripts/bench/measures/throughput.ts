/**
 * Calls per second of each server and each kind of call, the servers taking turns in each round.
 *
 * A second is one that the server's core gave the server: on a machine of its own that is the clock's, and where other
 * programs take turns on that core, what they took is left out. Without such figures from the system it is the clock's.
 */
import { type Server, startServers } from '../contenders.ts'
import type { Generator } from '../generator.ts'
import { type CoreUse, canObserve, coreUse } from '../processes.ts'
import type { Result } from '../results.ts'
import { problemWith, type WorkloadName, workloads } from '../workloads.ts'
import type { Bench } from './bench.ts'

const WARM_UP_SECONDS = 2
/** A server that neither ran nor waited for its core for so much of the time was not what set the pace. */
const SATURATED = 0.9
/** From this share of a round on, other programs on the core are told. */
const DISTURBED = 0.05

/** One server under one kind of call. */
interface Race {
  readonly server: Server
  readonly name: WorkloadName
  readonly rates: number[]
  /** Of its core's time, in each round: what the server had, and what it waited for. */
  readonly ran: number[]
  readonly waited: number[]
}

export async function throughput(
  { rounds, seconds, progress, warn }: Bench,
  generator: Generator,
  names: readonly WorkloadName[],
  contenders: readonly string[],
): Promise<readonly Result[]> {
  const servers = await startServers(contenders, (name, reason) => warn(`${name} is left out: ${reason}`))
  try {
    progress('throughput, warming up')
    const races = await warmedUp(servers, names, generator, warn)
    for (let round = 1; round <= rounds; round++) {
      progress(`throughput, round ${round} of ${rounds}`)
      for (const race of races) await run(race, generator, seconds)
    }
    warnOf(races, warn)
    return races.map(resultOf)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** Leaves out, and says so, whatever a server does not answer as asked: another answer's speed is no comparison. */
async function warmedUp(
  servers: readonly Server[],
  names: readonly WorkloadName[],
  generator: Generator,
  warn: Bench['warn'],
): Promise<readonly Race[]> {
  const races: Race[] = []
  for (const name of names) {
    for (const server of servers) {
      const problem = await problemWith(server.url, workloads[name])
      if (problem !== undefined && server.name === 'mock') throw new Error(`The mock's own ${name}: ${problem}`)
      if (problem !== undefined) {
        warn(`${server.label}, ${name}, is left out: ${problem}`)
        continue
      }
      await generator.send(server.url, workloads[name], WARM_UP_SECONDS)
      races.push({ server, name, rates: [], ran: [], waited: [] })
    }
  }
  return races
}

async function run({ server, name, rates, ran, waited }: Race, generator: Generator, seconds: number): Promise<void> {
  const before = useOf(server)
  const load = await generator.send(server.url, workloads[name], seconds)
  const after = useOf(server)
  if (before === undefined || after === undefined) {
    rates.push(load.calls / load.seconds)
    return
  }
  const ranSeconds = after.ranSeconds - before.ranSeconds
  rates.push(load.calls / ranSeconds)
  ran.push(ranSeconds / load.seconds)
  waited.push((after.waitedSeconds - before.waitedSeconds) / load.seconds)
}

const useOf = ({ pid }: Server): CoreUse | undefined => (canObserve ? coreUse(pid) : undefined)

/** What makes the figures less certain, each as one sentence. */
function warnOf(races: readonly Race[], warn: Bench['warn']): void {
  const kept = Math.max(0, ...races.flatMap(({ waited }) => waited))
  if (kept > DISTURBED) {
    warn(`Other programs kept the server's core from it for up to ${percent(kept)} of a round: the figures are noisy.`)
  }
  const idle = races.filter(({ ran, waited }) => ran.some((share, round) => share + waited[round]! < SATURATED))
  if (idle.length > 0) {
    const which = idle.map(({ server, name, ran }) => `${server.name} ${name} (${percent(Math.min(...ran))})`)
    warn(
      `The generator, or what kept it from its core, set the pace in a round, not the server: ${which.join(', ')}. Their figures are estimates.`,
    )
  }
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

function resultOf({ server, name, rates, ran }: Race): Result {
  return {
    measure: name,
    contender: server.name,
    label: server.label,
    unit: 'calls/s',
    samples: rates,
    ...(ran.length > 0 && { coreShare: Math.min(...ran) }),
  }
}
