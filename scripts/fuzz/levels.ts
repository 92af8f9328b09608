/** The levels of fuzzing by name, from the core outwards. */
import { coreLevel } from './core-level.ts'
import { httpLevel } from './http-level.ts'
import type { Level } from './level.ts'
import { scenarioLevel } from './scenario-level.ts'
import { socketLevel } from './socket-level.ts'

export const levels: Readonly<Record<string, () => Promise<Level>>> = {
  core: coreLevel,
  scenario: scenarioLevel,
  http: httpLevel,
  socket: socketLevel,
}
