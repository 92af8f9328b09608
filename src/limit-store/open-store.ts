/** Opens the store of a scenario with `limits.shared`. */
import type { OpenLimitStore } from './limit-store.ts'
import { loadClient } from './load-client.ts'
import { createRedisStore } from './redis-store.ts'

export const openStore: OpenLimitStore = (url, report) => createRedisStore(url, report, loadClient())
