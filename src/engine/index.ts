/** The door of this room: the mock itself. Other rooms import nothing else of it. */

export { Arrivals } from './call-order.ts'
export {
  allowedSpeeds,
  type Clock,
  holdProcess,
  isSpeed,
  realClock,
  realDelay,
  waitUntil,
} from './clock/clock.ts'
export { ManualClock } from './clock/manual-clock.ts'
export { MAX_TIMER_MS } from './clock/timer-wheel.ts'
export type { ExplainRequest } from './control/explain-request.ts'
export { type InjectedFault, type InjectOptions, readInjection } from './control/injection.ts'
export type { MockView } from './control/mock-view.ts'
export { type ControlChange, Engine } from './engine.ts'
export { Exchange } from './exchange.ts'
export { namedScenarios, resolveSessions } from './files/session-scenarios.ts'
export {
  type ClockChoice,
  engineOf,
  MOCK_OPTIONS,
  Mock,
  type MockOptions,
  SESSION_OPTIONS,
  type SessionOptions,
} from './mock.ts'
export { buildMockReport } from './mock-report.ts'
export { bodyOfRequest, compareRequest, type SentRequest } from './rot/compare-request.ts'
export {
  askToday,
  callOf,
  MODEL_TABLE,
  type Refusal,
  refusalOf,
  refusalToday,
  withoutLimits,
} from './rot/service-today.ts'
export type { TimingReport } from './timing/timing.ts'
export { loadTokenizers } from './tokenizers.ts'
