/** The options of `createMock`, as a type and as a list. */

import type { Clock } from './clock/clock.ts'
import type { MockSettings } from './engine.ts'

export type ClockChoice = 'manual' | Clock

/** How a mock is set up. */
export interface MockOptions<Time extends ClockChoice = ClockChoice> extends Omit<MockSettings, 'clock'> {
  /**
   * The address that the app calls, ending in `/v1`, as clients name it. In a browser it may be relative to the page.
   * Default: `https://api.openai.com/v1`.
   */
  readonly baseURL?: string | undefined
  /** Overrides the scenario's seed. */
  readonly seed?: number | string | undefined
  /**
   * `'manual'`: time stops until `mock.clock.advance('60s')`. A clock, such as another mock's: both mocks share it.
   * Default: real time.
   */
  readonly clock?: Time | undefined
}

/** Every option of createMock, to refuse others. */
export const MOCK_OPTIONS = {
  baseURL: true,
  seed: true,
  clock: true,
  bodyLimit: true,
  speed: true,
  journal: true,
} as const satisfies Record<keyof MockOptions, true>
