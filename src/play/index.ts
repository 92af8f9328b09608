/** The door of this room, which runs an app: in this process, in virtual time, or as a command. Other rooms import nothing else of it. */
export { errorLine } from './output-tail.ts'
export {
  failAfterTooManyCalls,
  findClientFailure,
  HUNT_JOURNAL,
  messageOf,
  type Played,
  refuseSharedLimits,
  requirePassed,
} from './played-run.ts'
export { type CommandEnd, NotRunError, runCommand } from './run-command.ts'
export { Stage } from './stage.ts'
export { LeapingClock } from './time/leaping-clock.ts'
export { openLeaps } from './time/leaps.ts'
