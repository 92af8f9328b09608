/**
 * The event stream of the control plane (`GET /_mock/events`), as server-sent events:
 *
 *     event: hello     the two clocks, once
 *     event: status    the scenario, its state and the injected faults, when they change
 *     event: call      a call that has begun, gone on or ended
 *     event: missed    the number of calls that can no longer be sent
 *     event: now       limits, prompt cache, timing and findings, each second in which they change
 */
import type { Response } from 'express'
import type { Engine, MockView } from '../../engine/index.ts'
import type { ScenarioFile } from '../scenario-file.ts'
import { Watcher } from './event-watcher.ts'
import { NowReader } from './now-status.ts'

/** The most watchers of one session, or of the whole mock. */
const MAX_WATCHERS = 20
/** The most watchers of all together. */
const MAX_ALL_WATCHERS = 500

/** The status of the mock, sent when it changes. */
export type MockStatus = ReturnType<EventStream['statusOf']>

/** Streams events to watchers until they leave, or until `closing` aborts. */
export class EventStream {
  readonly #engine: Engine
  readonly #heartbeatMs: number
  /** The watchers with the session that they follow. */
  readonly #watchers = new Map<Watcher, string | undefined>()
  readonly #file: ScenarioFile | undefined

  /**
   * @param heartbeatMs time between comments that keep the connection alive and detect a dead one.
   * @param file the scenario file of the server, whose changes are sent too.
   */
  constructor(engine: Engine, closing: AbortSignal, heartbeatMs = 15_000, file?: ScenarioFile) {
    this.#engine = engine
    this.#heartbeatMs = heartbeatMs
    this.#file = file
    closing.addEventListener('abort', () => {
      for (const watcher of this.#watchers.keys()) watcher.end()
    })
  }

  /** True if no more pages can follow a session, or the whole mock. */
  isFullFor(session: string | undefined): boolean {
    const ofSession = [...this.#watchers.values()].filter((watched) => watched === session)
    return ofSession.length >= MAX_WATCHERS || this.#watchers.size >= MAX_ALL_WATCHERS
  }

  /** Answers a request with the event stream of a session, or of the whole mock. */
  watch(response: Response, view: MockView): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Proxies that buffer responses would delay the events.
      'x-accel-buffering': 'no',
    })
    const reader = new NowReader(view)
    const read = { status: () => this.statusOf(view), now: () => reader.read() }
    const watcher = new Watcher(this.#engine, view, response, read, this.#heartbeatMs)
    this.#watchers.set(watcher, view.session)
    response.on('close', () => {
      this.#watchers.delete(watcher)
      watcher.end()
    })
  }

  statusOf({ session, scenario, revision, position, injected }: MockView) {
    const { storedLimits } = this.#engine
    const isWhole = session === undefined
    return {
      scenario: scenario.name,
      /** Increases each time a scenario is applied. */
      revision,
      /** Increases each time the scenario file changes; 0 without one. */
      fileRevision: isWhole ? (this.#file?.revision ?? 0) : 0,
      /** Null for a scenario without states. */
      state: position?.state ?? null,
      states: [...(scenario.states?.byName.keys() ?? [])],
      /** A key that the scenario accepts. */
      exampleKey: scenario.exampleKey,
      injected,
      ...(!isWhole && { session }),
      // Null while the store of limits answers, otherwise the reason. Left out without one.
      ...(storedLimits.isUsed && isWhole && { storeProblem: storedLimits.problem ?? null }),
    }
  }
}
