/** The fault catalogue: every fault, in the order of the docs. The types of fault-types.ts are made from it. */

import { errorFaults } from './answer/error-faults.ts'
import { status } from './answer/status.ts'
import type { Fault } from './fault.ts'
import { semanticFaults } from './semantic/semantic-faults.ts'
import { streamFaults } from './stream/stream-faults.ts'
import { cut } from './wire/cut.ts'
import { wireFaults } from './wire/wire-faults.ts'

// `cut` is documented with the streams, which it is mostly for.
export const faults: readonly Fault[] = [...errorFaults, status, ...semanticFaults, ...wireFaults, cut, ...streamFaults]
