/**
 * How far from its due time each event of paced streams came, as the client sees it and as the mock says it, beside a bare
 * paced server; and how soon the first token comes when many streams begin at once.
 *
 * A stream's due times count from when its request was written, so the client's figure has everything in it: the network,
 * the server's reading of the request, and the client's own lag. Each server has sent as many streams before, so its code
 * is compiled.
 */
import { BURST_TOKEN } from '../goals.ts'
import { percentile, type Result } from '../results.ts'
import type { Bench } from './bench.ts'
import { PACED, type Pace, PacedStreams, withPaced } from './paced-streams.ts'

const COUNTS = [300, 1000]
/** The streams begin one after the other within this time. */
const SPREAD_MS = 1000
const PACE: Pace = { first: 500, next: 50, tokens: 60 }
/** From then on every stream has sent its first token. */
const ALL_BEGUN_MS = SPREAD_MS + PACE.first + PACE.next

export async function paced({ progress, rounds }: Bench): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const count of COUNTS) {
    const seen = PACED.map(() => ({ label: '', steady: [] as number[], begin: [] as number[] }))
    const reported: number[] = []
    for (let round = 1; round <= rounds; round++) {
      progress(`paced, ${count.toLocaleString('en')} streams, round ${round} of ${rounds}`)
      for (const [index, name] of PACED.entries()) {
        await withPaced(name, PACE, async (server) => {
          const of = seen[index]!
          of.label = server.label
          for (const isMeasured of [false, true]) {
            if (name === 'mock') await fetch(new URL('/_mock/reset', server.url), { method: 'POST' })
            const errors = await errorsOf(new PacedStreams(server, PACE), count)
            if (!isMeasured) continue
            of.steady.push(percentile(errors.steady, 99))
            of.begin.push(percentile(errors.begin, 99))
          }
          if (name === 'mock') reported.push(await reportedP99(server.url))
        })
      }
    }
    const of = 'bare-paced'
    const streams = `${count.toLocaleString('en')} streams`
    for (const [index, contender] of PACED.entries()) {
      const { label, steady, begin } = seen[index]!
      results.push({ measure: `pacing error p99, ${streams}`, contender, label, unit: 'ms', of, samples: steady })
      results.push({
        measure: `pacing error p99 while ${streams} begin`,
        contender,
        label,
        unit: 'ms',
        of,
        samples: begin,
      })
    }
    const label = 'llm-api-mock, by its own report'
    results.push({ measure: `pacing error p99, ${streams}`, contender: 'report', label, unit: 'ms', samples: reported })
  }
  return results
}

/** The errors of events in ms: of those due until all streams have begun, and of those after. */
async function errorsOf(
  streams: PacedStreams,
  count: number,
): Promise<{ readonly begin: number[]; readonly steady: number[] }> {
  const errors = { begin: [] as number[], steady: [] as number[] }
  await streams.connect(count)
  const allStart = performance.now()
  try {
    await streams.run(SPREAD_MS, (at, due, start) => {
      const isSteady = start + due >= allStart + ALL_BEGUN_MS
      errors[isSteady ? 'steady' : 'begin'].push(Math.abs(at - due))
    })
  } finally {
    streams.close()
  }
  return errors
}

/** From the metrics: a report reads the whole journal. */
async function reportedP99(url: string): Promise<number> {
  const metrics = await (await fetch(new URL('/_mock/metrics', url))).text()
  return 1000 * Number(/^llm_api_mock_pacing_error_p99_seconds (.*)$/m.exec(metrics)?.[1])
}

const BURST = 500
const BURST_PACE: Pace = { first: 200, next: 20, tokens: 20 }

/** 500 streams that begin within a second: the median time to the first token, planned as 200 ms. */
export async function burst({ progress, rounds }: Bench): Promise<readonly Result[]> {
  const results = PACED.map((contender) => ({ contender, label: '', samples: [] as number[] }))
  for (let round = 1; round <= rounds; round++) {
    progress(`burst, round ${round} of ${rounds}`)
    for (const result of results) {
      await withPaced(result.contender, BURST_PACE, async (server) => {
        result.label = server.label
        // A first burst finds the server cold, as that of a test suite does.
        result.samples.push(await medianFirstToken(new PacedStreams(server, BURST_PACE)))
      })
    }
  }
  return results.map((result) => ({ measure: BURST_TOKEN, unit: 'ms', of: 'bare-paced', ...result }))
}

async function medianFirstToken(streams: PacedStreams): Promise<number> {
  const first: number[] = []
  await streams.connect(BURST)
  try {
    await streams.run(SPREAD_MS, (at, due) => due === BURST_PACE.first && first.push(at))
  } finally {
    streams.close()
  }
  return percentile(first, 50)
}
