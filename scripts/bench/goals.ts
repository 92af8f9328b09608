/** What the mock should reach, and what each measure is compared with in the table. */
import type { Goal, Place } from './results.ts'

/** The server has answered one call of each kind, and has loaded what they need. */
export const WARM_MEMORY = 'memory after the first calls'
/** The journal and all else that has a bound are full. */
export const FULL_MEMORY = 'memory after a tenth of all calls'
export const MEMORY_AFTER_ALL = 'memory after all calls'
/** Calls per second through a load balancer. */
export const BALANCED = 'calls through a balancer'
/** The longest of all hostile calls. */
export const WORST_STALL = 'worst stall'
/** Of a stream whose tokens are paced. */
export const EVENT_TIME = 'processor time of an event'
/** The median of streams that begin at once. */
export const BURST_TOKEN = 'first token, 500 streams in a second'
export const MANY_ERROR = 'pacing error p99, 10,000 streams'
/** Of a test file after its first calls. */
export const MEMORY_ABOVE_MSW = 'memory above msw'

/** The same goal against each bare server, so that it is met when it is met against the better one. */
const ofBare = (measure: string, least: number, of = measure): readonly Goal[] =>
  ['bare', 'bare-head'].map((contender) => ({ measure, contender: 'mock', least, of: { measure: of, contender } }))

export const goals: readonly Goal[] = [
  ...ofBare('chat', 0.75),
  { measure: 'chat', contender: 'mock', least: 3, of: { measure: 'chat', contender: 'aimock' } },
  ...ofBare('stream', 1.5),
  ...ofBare('float', 2),
  ...ofBare('base64', 0.7, 'chat'),
  { measure: 'in process', contender: 'mock', most: 1.1, of: { measure: 'in process', contender: 'msw' } },
  { measure: 'hunt', contender: 'mock', least: 500 },
  { measure: 'first calls', contender: 'mock', most: 1.25, of: { measure: 'first calls', contender: 'msw' } },
  { measure: MEMORY_ABOVE_MSW, contender: 'mock', most: 15 },
  { measure: 'a test file', contender: 'mock', most: 1.3, of: { measure: 'a test file', contender: 'msw' } },
  { measure: 'install size', contender: 'mock', most: 45 },
  { measure: 'cold start', contender: 'mock', most: 2.2, of: { measure: 'cold start', contender: 'node' } },
  { measure: 'memory at the start', contender: 'mock', most: 75 },
  { measure: WARM_MEMORY, contender: 'mock', most: 75 },
  { measure: MEMORY_AFTER_ALL, contender: 'mock', most: 150 },
  { measure: MEMORY_AFTER_ALL, contender: 'mock', most: 1.1, of: { measure: FULL_MEMORY, contender: 'mock' } },
  { measure: WORST_STALL, contender: 'fresh', most: 50 },
  { measure: WORST_STALL, contender: 'used', most: 50 },
  { measure: EVENT_TIME, contender: 'mock', most: 1.15, of: { measure: EVENT_TIME, contender: 'bare-paced' } },
  { measure: BURST_TOKEN, contender: 'mock', most: 1.1, of: { measure: BURST_TOKEN, contender: 'bare-paced' } },
  { measure: MANY_ERROR, contender: 'mock', most: 25 },
]

/** What a measure's rows are compared with: the contender of the same measure that is the limit, or the plain way. */
export function referenceOf(measure: string): Place {
  switch (measure) {
    case 'in process':
    case 'first calls':
    case 'a test file':
    case 'install size':
    case 'installed packages':
      return { measure, contender: 'msw' }
    case BALANCED:
      return { measure, contender: 'direct' }
    case 'cold start':
      return { measure, contender: 'node' }
    case MEMORY_AFTER_ALL:
      return { measure: WARM_MEMORY, contender: 'mock' }
    default:
      return { measure, contender: 'bare' }
  }
}
