/** The hunt finds the bug of each app with the planted number of faults, and nothing in the fixed twin. */
import { afterAll, describe, expect, test } from 'vitest'
import { classOf } from '../../../src/hunt/search/fault-classes.ts'
import { hasAll, outagesOf } from '../../../src/hunt/search/fault-set.ts'
import { HuntError, type HuntFinding, type HuntReport, hunt } from '../../../src/hunt.ts'
import type { Mock } from '../../../src/index.ts'
import { GENEROUS_MS } from '../placed.ts'
import { booking } from './booking.ts'
import { countSets, tryAllSets } from './brute-force.ts'
import { captions } from './captions.ts'
import { chat } from './chat.ts'
import { concierge } from './concierge.ts'
import { faq } from './faq.ts'
import { handbook } from './handbook.ts'
import { history } from './history.ts'
import type { HuntedApp, Variant } from './hunted-app.ts'
import { invoices } from './invoice.ts'
import { library } from './library.ts'
import { notes } from './notes.ts'
import { orders } from './orders.ts'
import { refund } from './refund.ts'
import { relay } from './relay.ts'
import { summary } from './summary.ts'
import { tickets } from './tickets.ts'
import { workerQueue } from './worker-queue.ts'

const APPS = [
  summary,
  booking,
  handbook,
  tickets,
  orders,
  chat,
  concierge,
  refund,
  invoices,
  relay,
  workerQueue,
  library,
  captions,
  history,
  faq,
  notes,
]

const rows: Record<string, unknown>[] = []

async function huntIn({ name, scenario, use }: HuntedApp, variant: Variant) {
  const app = (mock: Mock) => use({ baseURL: mock.baseURL, key: mock.scenario.exampleKey }, variant)
  const startedAt = performance.now()
  const result = await hunt(scenario, app, { depth: 2 }).catch((error: unknown) => error)
  const seconds = (performance.now() - startedAt) / 1000
  if (result instanceof Error && !(result instanceof HuntError)) throw result
  const findings = result instanceof HuntError ? result.findings : []
  // An outage that only lasts has a block of its own, which says so.
  const blocks = result instanceof HuntError ? result.message.split(/^FAILS/m).slice(1) : []
  const { calls, runs, pruned } = (result instanceof HuntError ? result.report : result) as HuntReport
  const figures = { findings: findings.length, runs, ...pruned, 'brute force': countSets(calls.length) }
  rows.push({ app: `${name}, ${variant}`, ...figures, seconds: Number(seconds.toFixed(1)) })
  return { findings, blocks: blocks.filter((block) => !block.includes('An outage: ')) }
}

const classesOf = (findings: readonly HuntFinding[]): Set<string> =>
  new Set(findings.flatMap(({ faults }) => faults.map(({ fault }) => classOf(fault))))

describe.each(APPS)('$name ($client): $bug', { timeout: GENEROUS_MS }, (app) => {
  test(`is found: ${app.size === 1 ? 'one fault is' : `${app.size} faults are`} enough`, async () => {
    const { findings, blocks } = await huntIn(app, 'buggy')
    expect(blocks).toHaveLength(1)
    // An outage is one fault that hits many calls.
    const finite = findings.filter(({ faults }) => outagesOf(faults).length === 0)
    const smallest = finite.filter(({ faults }) => faults.length === finite[0]!.faults.length)
    expect(smallest[0]?.faults).toHaveLength(app.size)
    expect(classesOf(smallest)).toEqual(new Set(app.failsUnder))
    // The others meet the same bug after a retry.
    for (const finding of findings) expect(app.failsUnder.some((name) => classesOf([finding]).has(name))).toBe(true)
    expect(findings.every(({ failures, tries }) => failures === tries)).toBe(true)
  })

  test('its fixed twin survives any two faults', async () => {
    expect((await huntIn(app, 'fixed')).findings).toEqual([])
  })
})

test('brute force finds nothing that the hunt does not', { timeout: GENEROUS_MS }, async () => {
  const { findings } = await huntIn(chat, 'buggy')
  const tried = await tryAllSets(chat, 'buggy')
  expect(tried).toHaveLength(countSets(1))
  const found = tried.filter(({ faults }) => findings.some((one) => hasAll(faults, one.faults)))
  const transcripts = new Set(found.map(({ transcript }) => transcript))
  const missed = tried.filter(({ hasFailed, transcript }) => hasFailed && !transcripts.has(transcript))
  expect(missed.map(({ faults }) => faults)).toEqual([])
  expect(tried.some(({ hasFailed }) => hasFailed)).toBe(true)
})

afterAll(() => console.table(rows))
