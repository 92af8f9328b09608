/** The mock's metrics in the text form of Prometheus; times in seconds, as its conventions have it. */
import { Counter, Gauge, Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import type { Percentiles } from '../engine/timing/duration-histogram.ts'

const PREFIX = 'llm_api_mock_'

/** The registry of a mock. Its values are read when it is asked for them, so no call pays for it. */
export function metricsOf(engine: Engine): Registry {
  const registry = new Registry()
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number | undefined): void => {
    const collect = (): void => {
      const value = read()
      // What is not measured has no sample, which is not the same as 0.
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
  gauge('waits', 'Waits of answers that have ended since the start or the last reset.', () => report().waits)
  spread('pacing_error', 'How far from its due time an answer went on after a wait', () => report().errorMs)
  spread('event_loop_lag', 'How long the process was too busy to go on', () => report().eventLoopLagMs)
  gauge('timing_valid', 'Whether times measured against the mock can be trusted: 1, or 0.', () =>
    Number(report().valid),
  )
  return registry
}

const seconds = (ms: number | undefined): number | undefined =>
  ms === undefined ? undefined : Math.round(ms * 1000) / 1_000_000
