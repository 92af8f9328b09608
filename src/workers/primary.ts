/** Serves a mock by workers: it stays in this process, which owns all state, and decides what they are to answer. */
import cluster from 'node:cluster'
import { isMainThread } from 'node:worker_threads'
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

/** @throws when the place can't be had, or workers can't be had with this mock or in this process. */
export async function listenWithWorkers(engine: Engine, options: Options, control: Handler): Promise<Listening> {
  const { host, port, workers, handlers } = options
  const obstacle = obstacleTo(engine)
  if (obstacle !== undefined) throw new Error(`Failed to listen with ${workers} workers: ${obstacle}`)
  const crew = new WorkerPool((send) => new WorkerSession(engine, send))
  // What a client knows, its next look at the control plane shows: whatever workers have yet to tell is asked for first.
  const backDoor = await openControlSocket((request, response) => {
    Promise.all(crew.desks.map((desk) => desk.sync())).then(() => {
      if (!response.destroyed) control(request, response)
    })
  })
  const lag = new LagOfAll(crew)
  const close = async (graceMs: number): Promise<void> => {
    await crew.close(graceMs)
    await backDoor.close()
    lag.own.stop()
  }
  try {
    const { bodyLimit, clock, timing } = engine
    const place = { host, port, backDoor: backDoor.path }
    const address = await crew.listen(workers, {
      ...place,
      bodyLimit,
      speed: clock.speed,
      hasHandlers: handlers !== undefined,
    })
    timing.watchLoop(lag)
    return { address, close }
  } catch (error) {
    await close(0)
    throw error
  }
}

/** Why there can be no workers; undefined when there can. */
function obstacleTo({ clock }: Engine): string | undefined {
  if (!isRealTime(clock)) {
    return 'they wait in real time, and the time of this mock is another. Leave out the clock of the mock and the fake timers of the test, or the workers; { speed } works with them.'
  }
  if (!isMainThread) return 'this is a worker thread, and only a main thread can have them. Listen there.'
  if (!cluster.isPrimary) return 'this process is itself a worker of node:cluster. Listen in its primary.'
  return undefined
}

/** The lag of the owner's event loop and of its workers', whichever is worst. */
class LagOfAll implements LoopWatch {
  readonly own = new EventLoopLag()
  readonly #crew: WorkerPool

  constructor(crew: WorkerPool) {
    this.#crew = crew
  }

  start(): void {
    this.own.start()
  }

  reset(): void {
    this.own.reset()
    this.#crew.tell({ type: 'reset-lag' })
    for (const desk of this.#crew.desks) desk.lag = undefined
  }

  percentiles(): Percentiles | undefined {
    const lags = [this.own.percentiles(), ...this.#crew.desks.map(({ lag }) => lag)].filter((lag) => lag !== undefined)
    if (lags.length === 0) return undefined
    const worst = (of: keyof Percentiles): number => Math.max(...lags.map((lag) => lag[of]))
    return { p50: worst('p50'), p99: worst('p99'), max: worst('max') }
  }
}
