/** The mock's metrics for Prometheus, with times in seconds by its convention. */
import { Counter, Gauge, Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import type { Percentiles } from '../engine/timing/duration-histogram.ts'

const PREFIX = 'llm_api_mock_'

/** Builds the registry of a mock. Values are collected when they are scraped, so calls cost nothing more. */
export function buildMetrics(engine: Engine): Registry {
  const registry = new Registry()
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number | undefined): void => {
    const collect = (): void => {
      const value = read()
      // A value that was not measured has no sample, which differs from 0.
      if (value === undefined) one.remove()
      else one.set(value)
    }
    const one = new Gauge({ name: PREFIX + name, help, registers, collect })
  }
  const spread = (name: string, help: string, read: () => Percentiles | null): void => {
    for (const part of ['p50', 'p99', 'max'] as const) {
      gauge(`${name}_${part}_seconds`, `${help}: ${part}.`, () => seconds(read()?.[part]))
    }
  }
  const report = () => engine.timing.report()

  new Counter({
    name: `${PREFIX}calls_total`,
    help: 'Calls that have ended.',
    labelNames: ['endpoint', 'status', 'outcome'],
    registers,
    collect() {
      this.reset()
      for (const { count, ...labels } of engine.callCounts) this.inc(labels, count)
    },
  })
  gauge('waits', 'Waits in answers since the start or the last reset.', () => report().waits)
  spread('pacing_error', 'Difference between the due time and the actual end of a wait', () => report().errorMs)
  spread('event_loop_lag', 'Delay of the event loop', () => report().eventLoopLagMs)
  gauge('timing_valid', '1 if times measured against the mock can be trusted, otherwise 0.', () =>
    Number(report().valid),
  )
  return registry
}

const seconds = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.round(ms * 1000) / 1_000_000
