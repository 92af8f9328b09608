/** The door of this room: limits in Redis. Other rooms import nothing else of it. */
import type { OpenLimitStore } from './limit-store.ts'
import { loadStoreModules } from './load-store-modules.ts'
import { createRedisStore } from './redis-store.ts'

export type { LimitStore, OpenLimitStore, ReportStore } from './limit-store.ts'

/** Opens the store of a scenario with `limits.shared`. */
export const openStore: OpenLimitStore = (url, report) => createRedisStore(url, report, loadStoreModules())
