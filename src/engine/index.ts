/** The door of this room: the mock itself. Other rooms import nothing else of it. */
export { allowedSpeeds, type Clock, isSpeed, realDelay, realMsUntil, wakeAt } from './clock/clock.ts'
export { ManualClock } from './clock/manual-clock.ts'
export {
  clearInterval,
  clearTimeout,
  MAX_TIMER_MS,
  setImmediate,
  setInterval,
  setTimeout,
} from './clock/real-timers.ts'
export { Engine } from './engine.ts'
export { Exchange } from './exchange.ts'
export type { ExplainRequest } from './explain-request.ts'
export { type InjectedFault, type InjectOptions, readInjection } from './injection.ts'
export { engineOf, Mock } from './mock.ts'
export { type ClockChoice, MOCK_OPTIONS, type MockOptions } from './mock-options.ts'
export { buildMockReport } from './mock-report.ts'
export { Arrivals } from './scheduling/arrivals.ts'
export type { EnterOptions, SessionPosition } from './state-control.ts'
export type { Percentiles } from './timing/duration-histogram.ts'
export type { TimingReport } from './timing/timing.ts'
export { loadTokenizers } from './tokenizers.ts'
