/** The door of this room: limits in Redis. Other rooms import nothing else of it. */
export type { LimitStore, OpenLimitStore } from './limit-store.ts'
export { openStore } from './open-store.ts'
