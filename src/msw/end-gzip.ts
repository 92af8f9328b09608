/** What msw 2 needs so that Node's fetch reads a gzipped body that breaks off. This file can go with msw 2. */
import { headOf, type PlanEvent } from '../core/protocol/plan/plan.ts'
import { bytesOf, withData } from '../core/protocol/plan/transform.ts'

const NOTHING = new Uint8Array(0)

/**
 * Node's fetch takes what it can unzip for the whole body. msw 2 unzips for it and fails at the break, so it gets the
 * same text in a gzip that is complete. In a page, nothing unzips, and the events stay as they are.
 */
export function endGzip(events: readonly PlanEvent[]): readonly PlanEvent[] {
  const zlib = globalThis.process?.getBuiltinModule?.('zlib')
  if (zlib === undefined || headOf(events)?.headers['content-encoding'] !== 'gzip') return events
  const sends = events.filter((event) => event.type === 'send')
  const text = zlib.gunzipSync(Buffer.concat(sends.map(({ data }) => bytesOf(data))), {
    finishFlush: zlib.constants.Z_SYNC_FLUSH,
  })
  const zipped = zlib.gzipSync(text)
  const last = sends.at(-1)
  return events.map((event) => (event.type === 'send' ? withData(event, event === last ? zipped : NOTHING) : event))
}
