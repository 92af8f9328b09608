/** The options of `createMock`, as a type and as a list. */

import type { JournalSettings } from '../core/journal/journal.ts'
import { isObject } from '../core/lib/text/json.ts'
import { type OptionChecks, wholeNumber } from '../core/protocol/errors/check-options.ts'
import { allowedSpeeds, type Clock, isSpeed } from './clock/clock.ts'

/** Settings of an engine. */
export interface MockSettings {
  /** The largest request body, in bytes; a larger one is answered with 413. Default: 10,000,000. */
  readonly bodyLimit?: number | undefined
  /** The largest answer body, in bytes, over all choices; a larger one is refused with 400. Default: 16,000,000; for embeddings 100,000,000. */
  readonly answerLimit?: number | undefined
  /** Simulated seconds per real second, from 0.001 to 1,000,000. Not together with `clock`. Default: 1. */
  readonly speed?: number | undefined
  /** A clock in place of real time. */
  readonly clock?: Clock | undefined
  /** The bounds of the journal. Default: 1,000 calls, and 32 MB for their bodies and answers. */
  readonly journal?: JournalSettings | undefined
}

export type ClockChoice = 'manual' | Clock

/** Options for `createMock`. */
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

const isClock = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.now === 'function' &&
  typeof value.until === 'function' &&
  typeof value.speed === 'number'

/** Every option of createMock, to refuse others and wrong values. */
export const MOCK_OPTIONS: OptionChecks<MockOptions> = {
  baseURL: {
    expected: "an address, such as 'https://api.example.com/v1'",
    isValid: (value) => typeof value === 'string' || value instanceof URL,
  },
  seed: {
    expected: 'a number or a text',
    isValid: (value) => typeof value === 'string' || Number.isFinite(value),
  },
  clock: {
    expected: "'manual' or a clock, such as that of another mock",
    isValid: (value) => value === 'manual' || isClock(value),
    words: ['manual'],
  },
  bodyLimit: wholeNumber(1),
  answerLimit: wholeNumber(1),
  speed: {
    // A getter, because the text takes 10 ms to make.
    get expected() {
      return allowedSpeeds()
    },
    isValid: (value) => typeof value === 'number' && isSpeed(value),
  },
  journal: true,
}
