/** Serves a mock with worker processes. The mock and all its state stay in this process, the primary. */
import cluster from 'node:cluster'
import { isMainThread } from 'node:worker_threads'
import { MockError } from '../core/errors/mock-error.ts'
import { isRealTime } from '../engine/clock/clock.ts'
import type { Engine } from '../engine/engine.ts'
import type { Percentiles } from '../engine/timing/duration-histogram.ts'
import { EventLoopLag } from '../engine/timing/event-loop-lag.ts'
import type { LoopWatch } from '../engine/timing/timing.ts'
import type { Handler, Listening, Place } from '../http/http-server.ts'
import type { ListenOptions } from '../http/listen-options.ts'
import { openControlSocket } from './control-socket.ts'
import { WorkerPool } from './worker-pool.ts'
import { WorkerSession } from './worker-session.ts'

type Options = ListenOptions & Place & { readonly workers: number }

/** @throws when the address cannot be used, or when workers are impossible with this mock or in this process. */
export async function listenWithWorkers(engine: Engine, options: Options, control: Handler): Promise<Listening> {
  const { host, port, workers, handlers } = options
  const obstacle = obstacleTo(engine)
  if (obstacle !== undefined)
    throw new MockError('cannot-listen', `Failed to listen with ${workers} workers: ${obstacle}`)
  const pool = new WorkerPool((send) => new WorkerSession(engine, send))
  // The control plane shows everything a client has seen, so workers report what they know first.
  const controlSocket = await openControlSocket((request, response) => {
    Promise.all(pool.sessions.map((session) => session.sync())).then(() => {
      if (!response.destroyed) control(request, response)
    })
  })
  const ownLag = new EventLoopLag()
  const close = async (graceMs: number): Promise<void> => {
    await pool.close(graceMs)
    await controlSocket.close()
    ownLag.stop()
  }
  try {
    const { bodyLimit, clock, timing } = engine
    const place = { host, port, controlSocket: controlSocket.path }
    const address = await pool.listen(workers, {
      ...place,
      bodyLimit,
      speed: clock.speed,
      hasHandlers: handlers !== undefined,
    })
    timing.watchLoop(combineLag(ownLag, pool))
    return { address, close }
  } catch (error) {
    await close(0)
    throw error
  }
}

/** Why workers are impossible; undefined when they are possible. */
function obstacleTo({ clock }: Engine): string | undefined {
  if (!isRealTime(clock)) {
    return 'workers wait in real time, but this mock has another clock. Remove the clock option and fake timers, or the workers option. The speed option works with workers.'
  }
  if (!isMainThread) return 'this is a worker thread. Call listen in the main thread.'
  if (!cluster.isPrimary) return 'this process is a node:cluster worker. Call listen in the cluster primary.'
  return undefined
}

/** The worst event-loop lag of the primary and its workers. */
const combineLag = (own: EventLoopLag, pool: WorkerPool): LoopWatch => ({
  start: () => own.start(),
  reset() {
    own.reset()
    pool.tell({ type: 'reset-lag' })
    for (const session of pool.sessions) session.lag = undefined
  },
  percentiles() {
    const lags = [own.percentiles(), ...pool.sessions.map(({ lag }) => lag)].filter((lag) => lag !== undefined)
    if (lags.length === 0) return undefined
    const worst = (of: keyof Percentiles): number => Math.max(...lags.map((lag) => lag[of]))
    return { p50: worst('p50'), p99: worst('p99'), max: worst('max') }
  },
})
