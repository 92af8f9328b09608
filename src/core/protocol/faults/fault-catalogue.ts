/** The fault catalogue: every fault, in the order of the docs. The types of fault-types.ts are made from it. */

import { answerFaults } from './answer-faults.ts'
import { cut } from './cut.ts'
import type { Fault } from './fault.ts'
import { semanticFaults } from './semantic-faults.ts'
import { streamFaults } from './stream-faults.ts'
import { wireFaults } from './wire-faults.ts'

// `cut` is documented with the streams, which it is mostly for.
export const faults: readonly Fault[] = [...answerFaults, ...semanticFaults, ...wireFaults, cut, ...streamFaults]
